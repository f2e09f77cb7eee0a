"""What there is, and who may touch what: every grant of the system is in this file."""

from collections.abc import Mapping
from pathlib import Path

from aws_cdk import CfnOutput, SecretValue, Stack
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_apigatewayv2_integrations as integrations
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra.components.choices import Choices
from infra.components.files_bucket import CHANGES, KEPT, UPLOADS, FilesBucket
from infra.components.layer import Layer
from infra.components.life_machine import LifeMachine
from infra.components.python_function import PythonFunction
from infra.components.secrets_key import SecretsKey
from infra.components.socket_api import STAGE, SocketApi
from infra.components.tables import SessionTable, Table
from infra.components.timers import Timers
from infra.names import CHOSEN, function_output
from infra.sources import LayerSources, staged
from shared import settings

_COMMITS = (
    *("session_table", "life_machine_arn", "clients_api_url", "bridges_api_url"),
    *("timer_group", "timer_role_arn", "inactivity_function_arn"),
    *("connect_watchdog", "sandbox_boot_timeout", "heartbeat_timeout"),
    *("sandbox_inactivity_timeout", "stop_confirmation", "final_snapshot_buffer"),
    "snapshot_interval",
)
"""Whoever commits also performs what the commit asks for, whatever that is."""

_SIGN_IN = ("github_client_id", "sign_in_users", "sign_in_domains", "sign_in_organisations")
"""Who may sign in by way of whom; the App's own secret is among the deployment's."""

_MODELS = ("secrets_arn", "demo_model_url")
"""Which models there are depends on which keys there are."""

_FORGES = ("github_url", "github_api_url", "github_app_id", "gitlab_url")
"""Which code hosts there are; their keys are among the secrets."""


class ControlPlane(Stack):
    def __init__(self, scope: Construct, name: str, *, layers: LayerSources, pages: Path) -> None:
        super().__init__(
            scope, name, description="Outboard: coding agents that work in the background"
        )
        self._choices = Choices(self, "Choices")
        self._sessions = SessionTable(self, "Sessions")
        self._workspace = Table(self, "Workspace")
        self._files = FilesBucket(self, "Files")
        self._secrets = secretsmanager.Secret(
            self,
            "Secrets",
            description="A JSON object: E2B_API_KEY, the keys of model providers and of code hosts",
            secret_string_value=SecretValue.unsafe_plain_text("{}"),
        )
        self._secrets_key = SecretsKey(self, "SecretsKey")
        self._clients = SocketApi(self, "Clients", throttle=500)
        self._bridges = SocketApi(self, "Bridges", throttle=1_000)
        self._life = LifeMachine(self, "Life")
        self._timers = Timers(self, "Timers")
        self._layers = {
            "dependencies": Layer(self, "Dependencies", layers.dependencies),
            "sandboxes": Layer(self, "Sandboxes", layers.sandboxes),
            "shared": Layer(self, "Shared", layers.shared),
        }
        self._pages = pages
        self._values = self._settings()
        self._functions = self._all_functions()
        self._http = self._http_api()
        self._connect()
        self._grant()
        self._outputs()

    def _all_functions(self) -> Mapping[str, PythonFunction]:
        """What each is told is what it needs; see `_grant` for what it may do."""
        client = (
            *(*_COMMITS, *_MODELS, "default_model"),
            *("workspace_table", "files_bucket", "sandbox_lifetime"),
        )
        launch = ("bridges_socket_url", "e2b_api_url", "e2b_sandbox_url", "sandbox_template")
        life = ("sandbox_lifetime", "bridge_heartbeat", "sandbox_creation_interval")
        return {
            "http_api": self._function(
                "http_api",
                *client,
                *_FORGES,
                *_SIGN_IN,
                "clients_socket_url",
                "loopback",
                "secrets_key_arn",
                seconds=25,
                memory_mb=1024,
            ),
            "web": self._function(
                "web", "clients_socket_url", "loopback", seconds=10, memory_mb=512
            ),
            "client_auth": self._function(
                "client_auth", "workspace_table", seconds=10, memory_mb=512
            ),
            "client_socket": self._function("client_socket", *client, seconds=25, memory_mb=1024),
            "bridge_auth": self._function(
                "bridge_auth", "session_table", seconds=10, memory_mb=512
            ),
            "bridge_socket": self._function("bridge_socket", *_COMMITS, seconds=25, memory_mb=1024),
            "sandbox_task": self._function(
                "sandbox_task",
                *(*_COMMITS, *_MODELS, *launch, *life, "workspace_table", "secrets_key_arn"),
                seconds=300,
                memory_mb=1024,
            ),
            "inactivity": self._function("inactivity", *_COMMITS, seconds=30, memory_mb=512),
            "effects_redrive": self._function(
                "effects_redrive", *_COMMITS, seconds=55, memory_mb=512
            ),
            "pull_request_sweep": self._function(
                "pull_request_sweep",
                *(*_COMMITS, *_FORGES, "secrets_arn", "workspace_table"),
                seconds=240,
                memory_mb=512,
            ),
            "reaper": self._function(
                "reaper", *_COMMITS, *_MODELS, *launch, seconds=240, memory_mb=512
            ),
            "workspace_admin": self._function(
                "workspace_admin", "workspace_table", seconds=25, memory_mb=256
            ),
        }

    def _grant(self) -> None:
        of = self._functions
        committing = ("http_api", "client_socket", "bridge_socket")
        working = ("sandbox_task", "inactivity", "effects_redrive", "pull_request_sweep", "reaper")
        for function in (of[name] for name in (*committing, *working)):
            self._sessions.grant_reads_and_writes(function)
            self._life.grant(function, "StartExecution", "SendTaskSuccess")
            self._timers.grant_arming(function)
            self._clients.stage.grant_management_api_access(function)
            self._bridges.stage.grant_management_api_access(function)
        self._life.grant(of["bridge_socket"], "SendTaskHeartbeat")
        self._life.grant_looking(of["reaper"])

        self._sessions.grant_reads(of["bridge_auth"])
        self._workspace.grant_reads(of["client_auth"])
        for name in (
            "http_api",
            "client_socket",
            "workspace_admin",
            "sandbox_task",
            "pull_request_sweep",
        ):
            self._workspace.grant_reads_and_writes(of[name])
        for name in ("http_api", "client_socket", "sandbox_task", "reaper", "pull_request_sweep"):
            self._secrets.grant_read(of[name])
        self._secrets_key.grant_sealing(of["http_api"])
        self._secrets_key.grant_opening(of["sandbox_task"])
        everything = (UPLOADS, KEPT, CHANGES)
        self._files.grant_objects(
            of["http_api"], read=everything, written=everything, deleted=(CHANGES,)
        )
        self._files.grant_objects(of["client_socket"], read=(UPLOADS,), written=(KEPT,))

    def _settings(self) -> Mapping[str, str]:
        """Every setting's value, wherever it comes from."""
        chosen = {name: self._choices.value(name) for name in CHOSEN}
        return chosen | {
            "session_table": self._sessions.table_name,
            "workspace_table": self._workspace.table_name,
            "clients_api_url": self._socket_url(self._clients, "http"),
            "bridges_api_url": self._socket_url(self._bridges, "http"),
            "clients_socket_url": self._socket_url(self._clients, "ws"),
            "bridges_socket_url": self._socket_url(self._bridges, "ws"),
            "files_bucket": self._files.bucket_name,
            "life_machine_arn": self._life.arn,
            "timer_group": self._timers.group,
            "timer_role_arn": self._timers.role.role_arn,
            "inactivity_function_arn": self._timers.poked_arn,
            "secrets_arn": self._secrets.secret_arn,
            "secrets_key_arn": self._secrets_key.key_arn,
            "loopback": self._choices.loopback,
        }

    def _function(self, name: str, *told: str, seconds: int, memory_mb: int) -> PythonFunction:
        layers = ["shared"] if name == "web" else ["dependencies", "shared"]
        if name in {"sandbox_task", "reaper"}:
            layers.insert(1, "sandboxes")
        return PythonFunction(
            self,
            name,
            code=self._pages if name == "web" else staged(name),
            layers=[self._layers[layer] for layer in layers],
            environment={settings.variable(setting): self._values[setting] for setting in told},
            seconds=seconds,
            memory_mb=memory_mb,
            physical_name=self._timers.poked_name if name == "inactivity" else None,
        )

    def _http_api(self) -> apigateway.HttpApi:
        """The API and the pages that use it have one origin: no other site's are let in (no CORS).

        What there is under either is its function's business.
        """
        pages = integrations.HttpLambdaIntegration("pages", self._functions["web"])
        api = apigateway.HttpApi(
            self, "Http", default_integration=pages, create_default_stage=False
        )
        api.add_routes(
            path="/api/{proxy+}",
            methods=[apigateway.HttpMethod.ANY],
            integration=integrations.HttpLambdaIntegration("http", self._functions["http_api"]),
        )
        apigateway.HttpStage(
            self,
            "HttpStage",
            http_api=api,
            auto_deploy=True,
            throttle=apigateway.ThrottleSettings(rate_limit=500, burst_limit=500),
        )
        return api

    def _connect(self) -> None:
        of = self._functions
        # Said now: the API and its functions are made before they know of each other.
        of["sandbox_task"].add_environment(settings.variable("api_url"), self._http_url)
        of["http_api"].add_environment(settings.variable("web_url"), self._web_url)
        self._clients.serve(
            of["client_socket"], admitted_by=of["client_auth"], who="querystring.ticket"
        )
        self._bridges.serve(
            of["bridge_socket"], admitted_by=of["bridge_auth"], who="header.Authorization"
        )
        self._life.run_by(of["sandbox_task"])
        self._timers.every(1, "minute", of["effects_redrive"])
        self._timers.every(5, "reaping", of["reaper"])
        self._timers.every(10, "sweeping", of["pull_request_sweep"])

    def _socket_url(self, api: SocketApi, scheme: str) -> str:
        return self._choices.api_url(scheme=scheme, host=api.host, api=api.api_id, stage=STAGE)

    @property
    def _web_url(self) -> str:
        host = f"{self._http.http_api_id}.execute-api.{self.region}.{self.url_suffix}"
        return self._choices.api_url(scheme="http", host=host, api=self._http.http_api_id, stage="")

    @property
    def _http_url(self) -> str:
        return f"{self._web_url}/api"

    def _outputs(self) -> None:
        outputs = {
            "WebUrl": f"{self._web_url}/",
            "HttpUrl": self._http_url,
            "HttpApiId": self._http.http_api_id,
            "ClientsApiId": self._clients.api_id,
            "ClientsSocketUrl": self._values["clients_socket_url"],
            "BridgesApiId": self._bridges.api_id,
            "BridgesSocketUrl": self._values["bridges_socket_url"],
            "SessionTable": self._sessions.table_name,
            "WorkspaceTable": self._workspace.table_name,
            "LifeMachineArn": self._life.arn,
            "TimerGroup": self._timers.group,
            "SecretsArn": self._secrets.secret_arn,
        }
        for name, function in self._functions.items():
            outputs[function_output(name)] = function.function_name
        for name, value in outputs.items():
            CfnOutput(self, f"{name}Output", value=value).override_logical_id(name)
