"""What the template and whoever deploys it call things; free of the CDK, which takes seconds."""

from shared import settings

STACK = "Outboard"

EXECUTE_API_BASE = "ExecuteApiBase"
"""Empty on AWS. On one machine: host, port and path under which its AWS host serves all APIs."""

CHOSEN = (
    "e2b_api_url",
    "e2b_sandbox_url",
    "sandbox_template",
    "default_model",
    "demo_model_url",
    "github_url",
    "github_api_url",
    "github_app_id",
    "github_client_id",
    "gitlab_url",
    "sign_in_users",
    "sign_in_domains",
    "sign_in_organisations",
    "connect_watchdog",
    "sandbox_boot_timeout",
    "heartbeat_timeout",
    "sandbox_inactivity_timeout",
    "sandbox_lifetime",
    "bridge_heartbeat",
    "stop_confirmation",
    "final_snapshot_buffer",
    "snapshot_interval",
    "sandbox_creation_interval",
)
"""The settings that whoever deploys may choose."""


def parameter(setting: str) -> str:
    """The template's parameter: the variable's name, without what a parameter's can't hold."""
    return "".join(part.title() for part in settings.variable(setting).split("_"))


def function_output(name: str) -> str:
    """The output that says what `functions/<name>` is called where it is deployed."""
    return "".join(part.title() for part in name.split("_")) + "Function"
