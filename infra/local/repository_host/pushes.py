r"""The head of a push as git sends it: what it would change, and the refusal that git understands.

    <length><old id> <new id> <ref>\0<capabilities>   then one line for each further ref
    0000                                               then the pack, which is git's business

Every line begins with its own length in four hexadecimal digits.
"""

import re
from dataclasses import dataclass

ALLOWED = "refs/heads/outboard/"
MAX_HEAD = 64 * 1024

_LENGTH = 4
_SIDEBAND_CHUNK = 900
_COMMAND = re.compile(rb"[0-9a-f]{40,64} [0-9a-f]{40,64} ([^\0\n]+)\n?(?:\0([^\n]*)\n?)?")
_SHALLOW = re.compile(rb"shallow [0-9a-f]{40,64}\n?")


class Malformed(Exception):
    """Not what a git client sends."""


@dataclass(frozen=True, slots=True)
class Push:
    refs: tuple[str, ...] = ()
    capabilities: frozenset[str] = frozenset()

    @property
    def forbidden(self) -> tuple[str, ...]:
        return tuple(ref for ref in self.refs if not _is_session_branch(ref))


def read(data: bytes) -> Push | None:
    """None: the head is not whole yet. Raises `Malformed`."""
    refs: list[str] = []
    capabilities: frozenset[str] = frozenset()
    position = 0
    while (line := _line(data, position)) is not None:
        position += _LENGTH + len(line)
        if not line:
            return Push(tuple(refs), capabilities)
        if _SHALLOW.fullmatch(line):
            continue
        ref, offered = _command(line)
        refs.append(ref)
        capabilities |= offered
    if len(data) > MAX_HEAD:
        raise Malformed(f"the list of refs is longer than {MAX_HEAD} bytes")
    return None


def refusal(push: Push) -> bytes:
    """The report of a push of which nothing was done."""
    reason = f"only branches {ALLOWED.removeprefix('refs/heads/')}* may be pushed here"
    lines = [f"ng {ref} {reason}\n" for ref in push.refs]
    report = b"".join(map(_packet, (b"unpack ok\n", *(line.encode() for line in lines)))) + b"0000"
    if "side-band-64k" not in push.capabilities:
        return report
    chunks = [
        report[start : start + _SIDEBAND_CHUNK] for start in range(0, len(report), _SIDEBAND_CHUNK)
    ]
    return b"".join(_packet(b"\1" + chunk) for chunk in chunks) + b"0000"


def _line(data: bytes, position: int) -> bytes | None:
    """Empty at the end of the head."""
    prefix = data[position : position + _LENGTH]
    if len(prefix) < _LENGTH:
        return None
    if not re.fullmatch(rb"[0-9a-f]{4}", prefix):
        raise Malformed("a line of no length")
    length = int(prefix, 16)
    if 0 < length <= _LENGTH:
        raise Malformed("a line of impossible length")
    if length == 0:
        return b""
    line = data[position + _LENGTH : position + length]
    return line if len(line) == length - _LENGTH else None


def _command(line: bytes) -> tuple[str, frozenset[str]]:
    """Signed pushes and whatever else there may be is not for us."""
    found = _COMMAND.fullmatch(line)
    if found is None:
        raise Malformed("not a command to update a ref")
    offered = (found[2] or b"").decode(errors="replace").split()
    return found[1].decode(errors="surrogateescape"), frozenset(offered)


def _is_session_branch(ref: str) -> bool:
    return ref.startswith(ALLOWED) and ref != ALLOWED


def _packet(content: bytes) -> bytes:
    return f"{len(content) + _LENGTH:04x}".encode() + content
