"""`outboard prompt`: ask for something, and with `--wait` stay until it is done."""

import asyncio
import sys
from argparse import Namespace
from contextlib import aclosing
from dataclasses import dataclass

from shared.client import outcome, views
from shared.client.api import Api
from shared.client.attach import pictures, upload
from shared.client.author import ask_git, author
from shared.client.commands.events import goes_on
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.environments import find as find_environment
from shared.client.errors import ClientError, Refused
from shared.client.events import ending, pushes
from shared.client.find import find
from shared.client.lines import Line, Tone
from shared.client.live import follow
from shared.client.narration import narrator, telling
from shared.client.repository import targets
from shared.client.requests import build, new_id
from shared.domain.session.state import MAX_PROMPT_CHARS
from shared.protocol.api import NewPrompt, NewSession, PromptAccepted, SessionView
from shared.protocol.events import Pushed

HERE = "."
"""Where one stands: a folder of a repository, mostly."""


@dataclass(frozen=True, slots=True)
class Asked:
    session: SessionView
    accepted: PromptAccepted
    after: int
    """The slot behind which everything about the prompt is."""


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    given = pictures(arguments.attach)
    new = _new_prompt(arguments)
    async with Api(deployment, notice=console.remark) as api:
        if given:
            new = new.model_copy(update={"attachments": await upload(api, given)})
        if arguments.session:
            asked = await _go_on(api, arguments.session, new)
        else:
            asked = await _open(api, arguments, new, console)
        console.say(outcome.accepted(asked.session, asked.accepted), _accepted(asked))
        if not arguments.wait:
            if not console.json:
                console.remark(goes_on(asked.session.id, asked.after))
            return 0
        over = await _wait(api, asked, console)
    console.say(over.result(asked.session), over.lines(asked.session))
    return 0 if over.finished.status == "completed" else 1


def _new_prompt(arguments: Namespace) -> NewPrompt:
    """All that can be wrong with it here is found before anything is asked of the server."""
    if arguments.session and (arguments.branch or arguments.title):
        raise Refused("--branch and --title are for a new session: use them with --repo")
    if arguments.env and arguments.branch:
        raise Refused("an environment says itself on which branches work starts")
    text = _stdin() if arguments.text == "-" else arguments.text
    text = _checked(text, attached=bool(arguments.attach))
    on_session = {"model": arguments.model, "effort": arguments.effort} if arguments.session else {}
    who = author(ask_git)
    return build(NewPrompt, request_id=new_id(), text=text, author=who, **on_session)


def _stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("the prompt on the standard input is not UTF-8") from error


def _checked(text: str, *, attached: bool) -> str:
    if not text.strip() and not attached:
        raise Refused("the prompt is empty")
    if len(text) > MAX_PROMPT_CHARS:
        long = f"the prompt has {len(text):,} characters; {MAX_PROMPT_CHARS:,} is the most"
        raise Refused(long)
    return text


async def _go_on(api: Api, given: str, new: NewPrompt) -> Asked:
    session = await find(api, given)
    page = await api.timeline(session.id, after=0, limit=1)
    return Asked(session, await api.submit(session.id, new), page.tail)


async def _open(api: Api, arguments: Namespace, new: NewPrompt, console: Console) -> Asked:
    about = build(
        NewSession,
        request_id=new_id(),
        **await _place(api, arguments, console),
        title=arguments.title or "",
        model=arguments.model,
        effort=arguments.effort,
    )
    session = await api.create_session(about)
    try:
        return Asked(session, await api.submit(session.id, new), 0)
    except ClientError:
        console.remark(f"session {session.id} is open, without this prompt")
        raise


async def _place(api: Api, arguments: Namespace, console: Console) -> dict[str, object]:
    if arguments.env:
        return {"environment": (await find_environment(api, arguments.env)).id}
    given = [] if arguments.no_repo else arguments.repo or [HERE]
    found = await targets(given, arguments.branch, api.deployment, notice=console.remark)
    return {"repositories": found}


def _accepted(asked: Asked) -> tuple[Line, ...]:
    session, accepted = asked.session, asked.accepted
    waits = f" and waits behind {accepted.position}" if accepted.position else ""
    return (
        views.session_line(session),
        *views.demo(session),
        Line(f"prompt {accepted.number} is taken{waits}", Tone.DIM),
    )


async def _wait(api: Api, asked: Asked, console: Console) -> outcome.Over:
    """Raises `CancelledError` on Ctrl-C, after saying how to go on."""
    prompt, pushed = asked.accepted.number, list[Pushed]()
    told = narrator(console, asked.session, only=prompt, live=True)
    live = follow(api, asked.session.id, after=asked.after, notice=console.remark)
    try:
        async with telling(told), aclosing(live.entries()) as entries:
            async for entry in entries:
                told.hear(entry)
                pushed += pushes(entry, prompt)
                if (finished := ending(entry, prompt)) is not None:
                    return outcome.Over(finished, pushed)
    except asyncio.CancelledError:
        console.remark(goes_on(asked.session.id, live.rules.cursor))
        raise
    raise AssertionError("a session that is followed does not end")
