"""Short paths for deployed APIs: `/...` instead of `/_aws/execute-api/<id>/$default/...`."""

from urllib.parse import quote

from infra.local.aws.ledger import Ledger

DATA_PLANE = "/_aws/execute-api/"


class Aliases:
    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        rows = ledger.read("SELECT prefix, target FROM alias")
        self._targets = {str(prefix): str(target) for prefix, target in rows}

    def replace(self, targets: dict[str, str]) -> None:
        """`{"/api": "/_aws/execute-api/<id>/$default"}`; the longest prefix wins."""
        for prefix, target in targets.items():
            if not prefix.startswith("/") or not target.startswith(DATA_PLANE):
                raise ValueError(f"not an alias: {prefix!r} -> {target!r}")
        with self._ledger.transaction():
            self._ledger.write("DELETE FROM alias")
            for prefix, target in targets.items():
                self._ledger.write("INSERT INTO alias VALUES (?, ?)", prefix.rstrip("/"), target)
        self._targets = {prefix.rstrip("/"): target for prefix, target in targets.items()}

    def resolve(self, path: str, raw_path: bytes) -> tuple[str, bytes]:
        """The path that the emulator understands, decoded and as sent; a long one is one."""
        if path.startswith(DATA_PLANE):
            return path, raw_path
        for prefix in sorted(self._targets, key=len, reverse=True):
            if path == prefix or path.startswith(f"{prefix}/"):
                target = self._targets[prefix]
                raw_target = quote(target, safe="/$").encode()
                return target + path[len(prefix) :], raw_target + raw_path[len(prefix) :]
        return path, raw_path
