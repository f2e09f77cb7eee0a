"""Text that a sandbox may have written, made safe for a terminal.

Whatever an agent prints (a file it read, a script's output) can hold escape sequences that move the
cursor, set the window's title or fill the clipboard. None of it reaches the terminal.
"""

import re

# CSI and the strings (OSC, DCS, SOS, PM, APC) first: their parameters are printable and would stay
# behind if only the ESC were taken. A string that never ends is taken to the end of its line.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# C0 but tab and newline, DEL, C1, and what reorders or separates lines behind the reader's back.
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    """Printable text, tabs and newlines; of a line that was drawn over, what was drawn last."""
    lines = _SEQUENCES.sub("", text).split("\n")
    shown = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
    return without_surrogates(_CONTROLS.sub("", shown))


def clean_line(text: str) -> str:
    """`clean`, and on one line."""
    return " ".join(clean(text).split())


def without_surrogates(text: str) -> str:
    """Halves of a character that no encoding can carry become U+FFFD."""
    return _SURROGATES.sub("\ufffd", text)
