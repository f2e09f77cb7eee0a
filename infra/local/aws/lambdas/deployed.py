"""What a worker needs to know of a deployed function, read from the emulator's record of it."""

import functools
import hashlib
import io
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from ministack.services import lambda_svc

from infra.local.aws import emulator
from infra.local.aws.access import AccessKey

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    arn: str
    revision: str
    """Changes with the code and with the configuration."""
    handler: str
    timeout: timedelta
    memory: int
    log_group: str
    path: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Machine:
    """What is the same for all functions of this host."""

    port: int
    key: AccessKey
    code: Path
    """Where functions and layers are unpacked."""
    borrowed: tuple[str, ...]
    """On the path of functions without layers."""

    def function(self, record: Any) -> Function:
        config = record.get("config") or record
        unpacked = self._unpacked(record["code_zip"], config["CodeSha256"])
        layers = [self._layer(layer) for layer in config.get("Layers") or ()]
        path = (str(unpacked), *(layers or self.borrowed))
        return Function(
            name=config["FunctionName"],
            arn=config["FunctionArn"],
            revision=f"{config['CodeSha256']} {config['RevisionId']}",
            handler=config["Handler"],
            timeout=timedelta(seconds=config.get("Timeout", 3)),
            memory=config.get("MemorySize", 128),
            log_group=(config.get("LoggingConfig") or {}).get("LogGroup", ""),
            path=path,
            environment=self._environment(config, path[0]),
        )

    def _layer(self, layer: Any) -> str:
        content = lambda_svc._resolve_layer_zip(layer) or b""
        return str(self._unpacked(content, _digest(content)) / "python")

    def _unpacked(self, archive: bytes, digest: str) -> Path:
        """Unpacked once, whatever the number of workers and restarts."""
        target = self.code / hashlib.sha256(digest.encode()).hexdigest()[:32]
        if target.exists():
            return target
        draft = Path(tempfile.mkdtemp(dir=self.code))
        with zipfile.ZipFile(io.BytesIO(archive)) as content:
            content.extractall(draft)
        try:
            draft.rename(target)
        except OSError:  # another worker of this function was faster
            shutil.rmtree(draft)
        return target

    def _environment(self, config: Any, root: str) -> dict[str, str]:
        own = (config.get("Environment") or {}).get("Variables") or {}
        name = config["FunctionName"]
        return {
            **{key: os.environ[key] for key in emulator.PASSED_ON if key in os.environ},
            "NO_PROXY": ",".join(filter(None, [os.environ.get("NO_PROXY"), "127.0.0.1,localhost"])),
            "AWS_ENDPOINT_URL": emulator.endpoint(self.port),
            **{key: emulator.local_url(str(value), self.port) for key, value in own.items()},
            "AWS_ACCESS_KEY_ID": self.key.id,
            "AWS_SECRET_ACCESS_KEY": self.key.secret,
            "AWS_REGION": emulator.REGION,
            "AWS_DEFAULT_REGION": emulator.REGION,
            "AWS_EXECUTION_ENV": f"AWS_Lambda_{config.get('Runtime', '')}",
            "AWS_LAMBDA_FUNCTION_NAME": name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(config.get("MemorySize", 128)),
            "AWS_LAMBDA_FUNCTION_VERSION": config.get("Version", "$LATEST"),
            "AWS_LAMBDA_LOG_GROUP_NAME": (config.get("LoggingConfig") or {}).get("LogGroup", ""),
            "AWS_LAMBDA_LOG_STREAM_NAME": name,
            "LAMBDA_TASK_ROOT": root,
            "_HANDLER": config["Handler"],
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
        }


def machine(port: int, key: AccessKey, code: Path, checkout: Path | None) -> Machine:
    """Empties `code`: it is a cache, and what it held may be of an older deployment."""
    shutil.rmtree(code, ignore_errors=True)
    code.mkdir(parents=True)
    if checkout is None:
        return Machine(port, key, code, borrowed=())
    borrowed = code / "borrowed"
    borrowed.mkdir()
    # `shared`, and nothing else of the checkout: the functions themselves come from their assets.
    (borrowed / "shared").symlink_to(checkout / "shared")
    return Machine(port, key, code, borrowed=(str(borrowed),))


@functools.lru_cache(maxsize=32)
def _digest(content: bytes) -> str:
    """Of a layer: 60 MB, the same object at every invocation."""
    return hashlib.sha256(content).hexdigest()
