"""The words of the command line."""

import argparse
from collections.abc import Callable
from datetime import timedelta

from shared.client import durations
from shared.client.choices import ALL, CHOICES

DESCRIPTION = """Coding agents in the background: send a prompt, get a branch."""

EPILOG = """exit status: 0 done (with --wait: the run completed), 1 the run failed, was stopped or
cancelled, 2 wrong command or refused, 3 outboard is not running or not reachable, 130 Ctrl-C"""

LIFECYCLES = ("open", "archived", "all")

MAX_BOOTS = 20
"""As many as the server shows."""

SESSION = "a session's id, or the beginning of a recent one's"


def parser() -> argparse.ArgumentParser:
    everywhere = _everywhere()
    top = argparse.ArgumentParser(
        prog="outboard", parents=[_everywhere()], description=DESCRIPTION, epilog=EPILOG
    )
    # Sets them in the very options that a parent has lent, so these are nobody else's.
    top.set_defaults(json=False, as_user=None)
    commands = top.add_subparsers(required=True, metavar="COMMAND", dest="command")

    def command(name: str, module: str, words: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, parents=[everywhere], help=words, description=words)
        added.set_defaults(module=module)
        return added

    _prompt(command("prompt", "prompt", "ask for something, in a new session or in one there is"))
    _events(command("events", "events", "what happened in a session, and what happens"))
    _sessions(command("sessions", "sessions", "the sessions, newest first"))
    _on_session(command("show", "show", "one session: its state, prompts and artifacts"))
    _changes(command)
    boots = command("boots", "boots", "how a session's sandboxes came up, newest first")
    _on_session(boots)
    boots.add_argument(
        "--limit",
        metavar="N",
        type=_boots,
        default=5,
        help="the last N (5 if not said, 20 at most)",
    )
    pages = command("open", "pages", "a link that signs a browser in, once")
    pages.add_argument("session", metavar="SESSION", nargs="?", help=f"lead to it: {SESSION}")
    pages.add_argument("--print", action="store_true", help="only print it, open no browser")
    _settings(command("settings", "settings", "what is chosen about sandboxes"))
    _repositories(command("repo", "repositories", "the repositories that are offered to work on"))
    _user(command("user", "users", "the people of this deployment and their tokens"))
    command("models", "models", "the models to choose from; * is the default")
    return top


def _changes(command: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    _on_session(command("stop", "change", "stop the prompt that runs"))
    unqueue = command("unqueue", "change", "take back a prompt that waits")
    _on_session(unqueue)
    unqueue.add_argument("prompt", metavar="N", type=_positive, help="the prompt's number")
    rename = command("rename", "change", "give a session another title")
    _on_session(rename)
    rename.add_argument("title", metavar="TITLE")
    _on_session(command("archive", "change", "put a session away; its files and branch stay"))
    _on_session(command("unarchive", "change", "take a session back from the archive"))
    _on_session(command("resume", "change", "let a queue go on that was held after a cut-off turn"))
    _on_session(command("anew", "change", "leave its files; the next sandbox has what was pushed"))
    _on_session(command("save", "change", "keep a copy of a sandbox's files now"))
    _on_session(command("cancel", "change", "end a session for good; its branch stays"))


def _everywhere() -> argparse.ArgumentParser:
    """Without defaults of their own, so that a word further left is not forgotten."""
    everywhere = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    everywhere.add_argument("--json", action="store_true", help="one JSON object a line")
    everywhere.add_argument(
        "--as", dest="as_user", metavar="NAME", help="ask as this user of this machine"
    )
    return everywhere


def _prompt(parser: argparse.ArgumentParser) -> None:
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--repo", metavar="URL|PATH", help="open a session on this repository")
    place.add_argument("--session", help=f"go on in {SESSION}")
    parser.add_argument("--model", help="see `outboard models`")
    parser.add_argument("--effort", help="how hard the model is to think")
    parser.add_argument("--branch", help="with --repo: where to start, if not its present branch")
    parser.add_argument("--title", help="with --repo: the session's title")
    parser.add_argument(
        "--attach",
        metavar="FILE",
        action="append",
        default=[],
        help="show the agent an image: PNG, JPEG, WebP or GIF, 10 MiB at most; up to six times",
    )
    parser.add_argument("--wait", action="store_true", help="tell what happens until it is done")
    parser.add_argument("text", metavar="TEXT", help="what to do; - reads it from standard input")


def _events(parser: argparse.ArgumentParser) -> None:
    _on_session(parser)
    parser.add_argument(
        "--after", metavar="N", type=_natural, default=0, help="only what follows slot N"
    )
    parser.add_argument("--follow", action="store_true", help="stay, and tell what happens next")


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="all there are, archived ones too")
    parser.add_argument("--status", help="only those of this status")
    parser.add_argument(
        "--lifecycle", choices=LIFECYCLES, help="open (if not said), archived, or all"
    )
    parser.add_argument(
        "--query", metavar="WORDS", help="only those whose title, id or repository has these words"
    )
    parser.add_argument("--mine", action="store_true", help="only those that are yours")
    parser.add_argument(
        "--limit", metavar="N", type=_positive, default=20, help="at most N (20 if not said)"
    )


def _settings(parser: argparse.ArgumentParser) -> None:
    which = "of this repository, instead of everywhere"
    parser.add_argument("--repository", metavar="URL|PATH", help=which)
    somewhere = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    somewhere.add_argument("--repository", metavar="URL|PATH", help=which)
    parents = [_everywhere(), somewhere]
    verbs = parser.add_subparsers(metavar="VERB", dest="verb")
    _choices(verbs.add_parser("set", parents=parents, help="choose; the owner may"))
    unset = verbs.add_parser("unset", parents=parents, help="inherit again; the owner may")
    names = (*(choice.name for choice in CHOICES), ALL)
    unset.add_argument("names", metavar="NAME", nargs="+", choices=names, help=", ".join(names))


def _choices(parser: argparse.ArgumentParser) -> None:
    for choice in CHOICES:
        parser.add_argument(
            f"--{choice.name}",
            dest=choice.field,
            metavar=choice.metavar,
            type=_KINDS[choice.metavar],
            help=choice.words,
        )


def _repositories(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")
    everywhere = _everywhere()
    add = verbs.add_parser("add", parents=[everywhere], help="offer one in the browser")
    add.add_argument("repository", metavar="URL|PATH")
    add.add_argument("--branch", help="where to start, if not its present branch")
    add.add_argument("--label", help="what to call it, if not as it is given")
    verbs.add_parser("list", parents=[everywhere], help="those that were added or worked on")
    find = verbs.add_parser("find", parents=[everywhere], help="what the code hosts have for us")
    find.add_argument("words", metavar="WORDS", nargs="*", help="in its name or description")
    branches = verbs.add_parser("branches", parents=[everywhere], help="the branches of one")
    branches.add_argument("url", metavar="URL")


def _user(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")
    everywhere = _everywhere()
    add = verbs.add_parser("add", parents=[everywhere], help="add somebody, with a token")
    add.add_argument("name", metavar="NAME")
    verbs.add_parser("list", parents=[everywhere], help="who there is")
    token = verbs.add_parser("token", parents=[everywhere], help="a new token; the old one is dead")
    token.add_argument("name", metavar="NAME")


def _on_session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", help=SESSION)


def _positive(text: str) -> int:
    return _at_least(1, text)


def _natural(text: str) -> int:
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text[:11])):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} on")
    return int(text[:11])


def _boots(text: str) -> int:
    if (number := _positive(text)) > MAX_BOOTS:
        raise argparse.ArgumentTypeError(f"{number} are more than {MAX_BOOTS}")
    return number


def _duration(text: str) -> timedelta:
    try:
        return durations.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _ports(text: str) -> tuple[int, ...]:
    return () if text == "none" else tuple(_positive(port) for port in text.split(","))


_KINDS: dict[str, Callable[[str], object]] = {
    "TIME": _duration,
    "PORTS": _ports,
    "CORES": _positive,
    "MIB": _positive,
}
