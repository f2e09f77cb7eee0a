"""List prices, as they are known to whoever wrote them down: check them before you rely on them.

Public on-demand prices of us-east-1 in US dollars, without free tiers, discounts and taxes, noted
from memory in November 2026. Those of DynamoDB and of WebSockets agree with pages of third parties,
and E2B's with the example in its documentation (8 vCPU and 4 GiB: US$ 0.468 an hour); nobody has
looked up the others since.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    dollars: float
    per: float
    source: str

    def of(self, quantity: float) -> float:
        return quantity * self.dollars / self.per


_MILLION = 1e6

WRITES = "DynamoDB write request units"
READS = "DynamoDB read request units"
MESSAGES = "WebSocket messages (pieces of 32 KB)"
MINUTES = "WebSocket connection minutes"
HTTP = "HTTP API requests"
INVOCATIONS = "Lambda invocations"
GB_SECONDS = "Lambda GB-seconds (x86)"
TRANSITIONS = "Step Functions state transitions"
SCHEDULES = "EventBridge Scheduler invocations"
LOGGED = "CloudWatch Logs, GB ingested"
SENT = "data sent to the internet, GB"

PRICES: Mapping[str, Price] = {
    WRITES: Price(0.625, _MILLION, "Amazon DynamoDB pricing, on-demand capacity, standard class"),
    READS: Price(0.125, _MILLION, "Amazon DynamoDB pricing, on-demand capacity, standard class"),
    MESSAGES: Price(1.00, _MILLION, "Amazon API Gateway pricing, WebSocket APIs"),
    MINUTES: Price(0.25, _MILLION, "Amazon API Gateway pricing, WebSocket APIs"),
    HTTP: Price(1.00, _MILLION, "Amazon API Gateway pricing, HTTP APIs"),
    INVOCATIONS: Price(0.20, _MILLION, "AWS Lambda pricing, requests"),
    GB_SECONDS: Price(0.0000166667, 1, "AWS Lambda pricing, duration, x86, first tier"),
    TRANSITIONS: Price(25.00, _MILLION, "AWS Step Functions pricing, standard workflows"),
    SCHEDULES: Price(1.00, _MILLION, "Amazon EventBridge pricing, Scheduler"),
    LOGGED: Price(0.50, 1, "Amazon CloudWatch pricing, logs, standard class"),
    SENT: Price(0.09, 1, "Amazon EC2 pricing, data transfer out, first tier"),
}

SANDBOX_CPU = Price(0.000014, 1, "E2B pricing, per vCPU and second")
SANDBOX_MEMORY = Price(0.0000045, 1, "E2B pricing, per GiB and second")
SANDBOX_CPUS, SANDBOX_GIB = 2, 4
"""Of the template that `infra.sandbox_template` builds."""
