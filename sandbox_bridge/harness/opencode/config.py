"""What OpenCode is told before it starts: its configuration file and its environment."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sandbox_bridge.harness.model_access import ModelAccess
from shared.protocol.models import DEMO, Provider

_FLAGS: Final[Mapping[str, str]] = {
    # The question tool is for "app", "cli" and "desktop" only: nobody is there to answer.
    "OPENCODE_CLIENT": "outboard",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_EMBEDDED_WEB_UI": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_SHARE": "1",
    "OPENCODE_DISABLE_TERMINAL_TITLE": "1",
    # OpenCode installs what a repository's .opencode/ needs. Without a network npm's own retries
    # would hold the first turn for 71 s; the plugin gives the agent's commands npm's defaults back.
    "npm_config_fetch_retries": "0",
    "npm_config_fetch_timeout": "30000",
}
_LOOPBACK: Final = "127.0.0.1,localhost"
_ABLE: Final = {
    "tool_call": True,
    "attachment": True,
    "modalities": {"input": ["text", "image"], "output": ["text"]},
}
"""Of a model that OpenCode does not know: one that sees no images says so when it is given one."""

_CUSTOM_LIMIT: Final = {"context": 128_000, "output": 8_192}
_DEMO_LIMIT: Final = {"context": 200_000, "output": 8_192}


def configuration(access: ModelAccess, plugin: Path) -> dict[str, Any]:
    """Keys are named, never written: this goes into a file that snapshots keep."""
    names = access.providers
    return {
        "autoupdate": False,
        "share": "disabled",
        # Snapshots cost up to 50 s and 290 MB in a large repository; undo is git's business here.
        "snapshot": False,
        "permission": {"*": "allow", "question": "deny"},
        "plugin": [plugin.as_uri()],
        "enabled_providers": list(names),
        "provider": {name: _provider(name, access) for name in names},
        **_small_model(access),
    }


def _small_model(access: ModelAccess) -> dict[str, str]:
    """OpenCode knows a vendor's small model; a provider that it doesn't know has to name one."""
    match access.providers:
        case ("custom", *_):
            return {"small_model": f"custom/{access.custom_model}"}
        case ("demo", *_):
            return {"small_model": DEMO.id}
        case _:
            return {}


def environment(
    given: Mapping[str, str], access: ModelAccess, *, home: Path, config: Path, password: str
) -> dict[str, str]:
    """Of OpenCode and so of every tool: what was given, the keys of its models, no other secret."""
    keys = {"ANTHROPIC_API_KEY": access.anthropic_key, "OPENAI_API_KEY": access.openai_key}
    return {
        **given,
        **{name: key for name, key in keys.items() if key},
        **_FLAGS,
        **_beside_a_proxy(given),
        "HOME": str(home),
        "OPENCODE_CONFIG": str(config),
        "OPENCODE_SERVER_PASSWORD": password,
    }


def _beside_a_proxy(given: Mapping[str, str]) -> dict[str, str]:
    """The bridge and a model on this machine are never asked through a proxy."""
    excepted = given.get("NO_PROXY") or given.get("no_proxy") or ""
    both = ",".join(filter(None, (excepted, _LOOPBACK)))
    return {"NO_PROXY": both, "no_proxy": both}


def _provider(name: Provider, access: ModelAccess) -> dict[str, Any]:
    match name:
        case "anthropic":
            return _vendor("{env:ANTHROPIC_API_KEY}", _versioned(access.anthropic_url))
        case "openai":
            return _vendor("{env:OPENAI_API_KEY}", access.openai_url)
        case "custom":
            key = "{env:OPENAI_API_KEY}" if access.openai_key else "none"
            model = {"name": access.custom_model, "variants": _efforts(), "limit": _CUSTOM_LIMIT}
            return _compatible("Custom", key, access.custom_url, {access.custom_model or "": model})
        case "demo":
            model = {"name": DEMO.label, "limit": _DEMO_LIMIT}
            return _compatible(DEMO.label, "none", _versioned(access.demo_url), {"scripted": model})


def _vendor(key: str, url: str | None) -> dict[str, Any]:
    return {"options": {"apiKey": key, **({"baseURL": url} if url else {})}}


def _compatible(name: str, key: str, url: str | None, models: dict[str, Any]) -> dict[str, Any]:
    return {
        "npm": "@ai-sdk/openai-compatible",
        "name": name,
        "options": {"apiKey": key, "baseURL": url},
        "models": {id_: {**_ABLE, **model} for id_, model in models.items()},
    }


def _efforts() -> dict[str, Any]:
    return {effort: {"reasoningEffort": effort} for effort in ("low", "medium", "high")}


def _versioned(url: str | None) -> str | None:
    """OpenCode wants the version in the address, Anthropic's variable comes without."""
    if url is None or url.rstrip("/").endswith("/v1"):
        return url
    return f"{url.rstrip('/')}/v1"
