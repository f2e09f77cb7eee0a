"""What the model does without a script: one small real edit in whatever repository it is in.

The story below is told from its beginning for each request and fed the results that the
conversation holds, so the server remembers nothing and any request may go to any server.
"""

import shlex
from collections.abc import Generator
from typing import Final

from infra.local.demo_model import python_flag
from infra.local.demo_model.conversation import Conversation
from infra.local.demo_model.hands import Hands, lines_of
from infra.local.demo_model.reply import Reply, ToolCall

type Story[T] = Generator[Reply, str, T]

NOTES: Final = "OUTBOARD_DEMO.md"
WHO: Final = "I am Outboard's scripted demo model, not a language model"

_LIST: Final = "git ls-files --cached --others --exclude-standard | head -n 1000"
_PARSERS: Final = "git grep --untracked -l -F 'ArgumentParser(' -- '*.py' | head -n 20"
_STATUS: Final = "git status --short && git diff --stat"


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
    listing = yield Reply(
        text=f"{WHO}: whatever I am asked, I make one small edit. First I look around.",
        tools=(hands.run(_LIST, "List the files"),),
    )
    files = frozenset(listing.split("\n"))
    done = yield from _add_flag(prompt, hands, files)
    if done is None:
        done = yield from _take_note(prompt, hands, files)
    status = yield _doing(hands.run(_STATUS, "Show what changed"))
    return f"{done}\n\n{_fenced(status)}\n\n{WHO}; set a model key to get real work done."


def _add_flag(prompt: str, hands: Hands, files: frozenset[str]) -> Story[str | None]:
    flag = python_flag.wanted(prompt)
    if flag is None or not hands.can("read", "edit"):
        return None
    found = yield _doing(hands.run(_PARSERS, "Find the command line"))
    program = next((path for path in found.split("\n") if path in files and path), None)
    if program is None:
        return None
    shown = yield _doing(hands.read(program))
    edit = python_flag.edit(lines_of(shown), flag)
    if edit is None:
        return None
    yield _doing(hands.edit(program, old=edit.old, new=edit.new))
    changed = yield _doing(
        hands.run(f"git status --short -- {shlex.quote(program)}", "Check the edit")
    )
    if program not in changed:
        return None
    tested = yield from _test(prompt, hands, files, program, flag)
    return f"`{program}` takes `--{flag}` now.{tested}"


def _test(prompt: str, hands: Hands, files: frozenset[str], program: str, flag: str) -> Story[str]:
    if "test" not in prompt.lower():
        return ""
    path, content = python_flag.test_file(program, flag, files)
    yield _doing(hands.write(path, content))
    ran = yield _doing(hands.run(f"python3 {path} 2>&1 | tail -n 20", "Run the new test"))
    verdict = "passes" if "\nOK" in ran else "does not pass here"
    return f" `{path}` tests it and {verdict}."


def _take_note(prompt: str, hands: Hands, files: frozenset[str]) -> Story[str]:
    entry = f"- {_excerpt(prompt)}"
    if NOTES in files:
        append = f"printf '%s\\n' {shlex.quote(entry)} >> {NOTES}"
        yield _doing(hands.run(append, "Add an entry"))
    else:
        heading = (
            "# What the demo model was asked for\n\nIt can't do any of it; it only takes note.\n"
        )
        yield _doing(hands.write(NOTES, f"{heading}\n{entry}\n"))
    return f"I noted the request in `{NOTES}`."


def _doing(call: ToolCall) -> Reply:
    return Reply(tools=(call,))


def _excerpt(prompt: str) -> str:
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "(nothing)")
    return first if len(first) <= 120 else f"{first[:119]}…"  # noqa: PLR2004 - a line of Markdown


def _fenced(output: str) -> str:
    return f"```\n{output.strip() or 'nothing changed'}\n```"
