"""MiniStack, the emulator this host is built around: its version, and what it reads at import."""

import re
from importlib.metadata import version
from pathlib import Path

from infra.local.aws.access import AccessKey

# The adapters beside this module replace private names of MiniStack, so each asserts its version.
VERSION = version("ministack")

REGION = "us-east-1"
ACCOUNT = "000000000000"

# Of the environment the host is started in. Anything else could be a switch of MiniStack's (it has
# a hundred) or a secret of the user's, and functions get no more than this either.
PASSED_ON = (
    "PATH",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "http_proxy",
    "https_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
)

_SERVICES = (
    "apigateway cloudformation dynamodb events iam kms lambda logs monitoring s3 scheduler "
    "secretsmanager sns sqs ssm states sts tagging"
)

_EXECUTE_API = re.compile(r"(http|ws)s?://([a-z0-9]+)\.execute-api\.[^/\s\"']+")


def endpoint(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def environment(state: Path, port: int, key: AccessKey) -> dict[str, str]:
    """What has to be in the environment before `ministack` is imported: it reads it then."""
    return {
        "GATEWAY_PORT": str(port),
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_ACCOUNT_ID": ACCOUNT,
        "MINISTACK_REGION": REGION,
        "SERVICES": ",".join(_SERVICES.split()),
        "STATE_DIR": str(state / "emulator"),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(state / "s3"),
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LOG_LEVEL": "WARNING",
        "AWS_ACCESS_KEY_ID": key.id,
        "AWS_SECRET_ACCESS_KEY": key.secret,
        "AWS_DEFAULT_REGION": REGION,
    }


def local_url(text: str, port: int) -> str:
    """With each API Gateway address in it replaced by where this host serves that API.

    The template says https://{api}.execute-api.{region}.amazonaws.com/{stage}, as on AWS; no name
    server would send that here.
    """
    return _EXECUTE_API.sub(rf"\1://127.0.0.1:{port}/_aws/execute-api/\2", text)
