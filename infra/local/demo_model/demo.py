"""What the model does without a script: one small real edit in whatever repository it is in.

The story below is told from its beginning for each request and fed the results that the
conversation holds, so the server remembers nothing and any request may go to any server.
"""

import shlex
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from infra.local.demo_model import python_flag
from infra.local.demo_model.conversation import Conversation
from infra.local.demo_model.hands import Hands, lines_of
from infra.local.demo_model.reply import Reply, ToolCall

type Story[T] = Generator[Reply, str, T]

NOTES: Final = "OUTBOARD_DEMO.md"
_HEADING: Final = (
    "# What the demo model was asked for\n\nIt can't do any of it; it only takes note.\n"
)
WHO: Final = "I am Outboard's scripted demo model, not a language model"

# The repository one stands in, or the first of those that lie in the workspace.
_ROOT: Final = 'git rev-parse --show-toplevel 2>/dev/null || ls -d "$PWD"/*/.git | head -n 1'
_LIST: Final = "git ls-files --cached --others --exclude-standard | head -n 1000"
_PARSERS: Final = "git grep --untracked -l -F 'ArgumentParser(' -- '*.py' | head -n 20"
_STATUS: Final = "git status --short && git diff --stat"


@dataclass(frozen=True, slots=True)
class _Place:
    """A repository, and the names of the files in it."""

    hands: Hands
    root: str
    files: frozenset[str] = frozenset()

    def run(self, command: str, description: str) -> Reply:
        there = f"cd {shlex.quote(self.root)} && {command}"
        return Reply(tools=(self.hands.run(there, description),))

    def path(self, name: str) -> str:
        return f"{self.root}/{name}"


def answer(conversation: Conversation) -> Reply:
    if not conversation.tools:
        return Reply(text="Scripted demo")
    story = _story(conversation.prompt, Hands(conversation.tools))
    try:
        reply = next(story)
        for result in conversation.results:
            reply = story.send(result)
    except StopIteration as end:
        return Reply(text=str(end.value))
    return reply


def _story(prompt: str, hands: Hands) -> Story[str]:
    if not hands.can("bash", "write"):
        return f"{WHO}. I was offered no tools that I know, so I changed nothing."
    where = yield Reply(
        text=f"{WHO}: whatever I am asked, I make one small edit. First I look around.",
        tools=(hands.run(_ROOT, "Find the repository"),),
    )
    place = _Place(hands, _root(where))
    listing = yield place.run(_LIST, "List the files")
    place = replace(place, files=frozenset(listing.split("\n")))
    done = yield from _add_flag(prompt, place)
    if done is None:
        done = yield from _take_note(prompt, place)
    status = yield place.run(_STATUS, "Show what changed")
    return f"{done}\n\n{_fenced(status)}\n\n{WHO}; set a model key to get real work done."


def _add_flag(prompt: str, place: _Place) -> Story[str | None]:
    flag = python_flag.wanted(prompt)
    if flag is None or not place.hands.can("read", "edit"):
        return None
    found = yield place.run(_PARSERS, "Find the command line")
    program = next((name for name in found.split("\n") if name in place.files), "")
    if not program.endswith(".py"):
        return None
    shown = yield _doing(place.hands.read(place.path(program)))
    edit = python_flag.edit(lines_of(shown), flag)
    if edit is None:
        return None
    yield _doing(place.hands.edit(place.path(program), old=edit.old, new=edit.new))
    changed = yield place.run(f"git status --short -- {shlex.quote(program)}", "Check the edit")
    if program not in changed:
        return None
    tested = yield from _test(prompt, place, program, flag)
    return f"`{program}` takes `--{flag}` now.{tested}"


def _test(prompt: str, place: _Place, program: str, flag: str) -> Story[str]:
    if "test" not in prompt.lower():
        return ""
    name, content = python_flag.test_file(program, flag, place.files)
    yield _doing(place.hands.write(place.path(name), content))
    ran = yield place.run(f"python3 {shlex.quote(name)} 2>&1 | tail -n 20", "Run the new test")
    verdict = "passes" if "\nOK" in ran else "does not pass here"
    return f" `{name}` tests it and {verdict}."


def _take_note(prompt: str, place: _Place) -> Story[str]:
    entry = f"- {_excerpt(prompt)}"
    if NOTES in place.files:
        yield place.run(f"printf '%s\\n' {shlex.quote(entry)} >> {NOTES}", "Add an entry")
    else:
        yield _doing(place.hands.write(place.path(NOTES), f"{_HEADING}\n{entry}\n"))
    return f"I noted the request in `{NOTES}`."


def _root(shown: str) -> str:
    """What a command printed that may have found nothing at all."""
    first = shown.strip().split("\n")[0].removesuffix("/.git")
    return first if first.startswith("/") else "."


def _doing(call: ToolCall) -> Reply:
    return Reply(tools=(call,))


def _excerpt(prompt: str) -> str:
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "(nothing)")
    return first if len(first) <= 120 else f"{first[:119]}…"  # noqa: PLR2004 - a line of Markdown


def _fenced(output: str) -> str:
    return f"```\n{output.strip() or 'nothing changed'}\n```"
