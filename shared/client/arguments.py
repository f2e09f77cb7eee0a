"""The words of the command line."""

import argparse
from collections.abc import Callable
from datetime import timedelta

from shared.client import durations
from shared.client.choices import ALL, CHOICES

DESCRIPTION = """Coding agents in the background: send a prompt, get a branch."""

EPILOG = """exit status: 0 done (with --wait: the run completed), 1 the run failed, was stopped or
cancelled, 2 wrong command or refused, 3 outboard is not running or not reachable, 130 Ctrl-C"""

SCOPES = ("read", "write", "admin")
LIFECYCLES = ("open", "archived", "all")

MAX_BOOTS = 20
"""As many as the server shows."""

SESSION = "a session's id, or the beginning of a recent one's"

_ENVIRONMENT_WORDS = {
    "ENV": "an environment's name or id",
    "NAME": "what to call it",
    "SESSION": SESSION,
}


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
    _compared(command("changes", "changes", "what a session has changed since it began"))
    boots = command("boots", "boots", "how a session's sandboxes came up, newest first")
    _on_session(boots)
    boots.add_argument(
        "--limit",
        metavar="N",
        type=_boots,
        default=5,
        help="the last N (5 if not said, 20 at most)",
    )
    _pull_requests(command("pr", "pull_requests", "the pull requests of a session"))
    pages = command("open", "pages", "a link that signs a browser in, once")
    pages.add_argument("session", metavar="SESSION", nargs="?", help=f"lead to it: {SESSION}")
    pages.add_argument("--print", action="store_true", help="only print it, open no browser")
    _settings(command("settings", "settings", "what is chosen about sandboxes"))
    _secrets(command("secret", "secrets", "what sandboxes get, and nobody reads again"))
    _repositories(command("repo", "repositories", "the repositories that are offered to work on"))
    _environments(command("env", "environments", "named sets of repositories to work on"))
    _user(command("user", "users", "the people of this deployment and their tokens"))
    _tokens(
        command("token", "access_tokens", "tokens of yours, for programs: scoped, and with an end")
    )
    _sign_out(command("sign-out", "sign_out", "end your browsers' logins"))
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


def _compared(parser: argparse.ArgumentParser) -> None:
    newest = f"{SESSION}; your newest one, if not said"
    parser.add_argument("session", metavar="SESSION", nargs="?", help=newest)
    parser.add_argument("--stat", action="store_true", help="only the files, not their lines")
    parser.add_argument("--repo", metavar="NAME", help="only of this repository of the session")
    parser.add_argument("--refresh", action="store_true", help="have its sandbox compare first")


def _everywhere() -> argparse.ArgumentParser:
    """Without defaults of their own, so that a word further left is not forgotten."""
    everywhere = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    everywhere.add_argument("--json", action="store_true", help="one JSON object a line")
    everywhere.add_argument(
        "--as", dest="as_user", metavar="NAME", help="ask as this user of this machine"
    )
    return everywhere


def _prompt(parser: argparse.ArgumentParser) -> None:
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--repo",
        metavar="URL|PATH[#BRANCH]",
        action="append",
        default=[],
        help="open a session on this repository (the one you are in, if not said); up to ten times",
    )
    place.add_argument("--no-repo", action="store_true", help="open a session without a repository")
    place.add_argument("--env", metavar="NAME", help="open a session from this environment")
    place.add_argument("--session", help=f"go on in {SESSION}")
    parser.add_argument("--model", help="see `outboard models`")
    parser.add_argument("--effort", help="how hard the model is to think")
    parser.add_argument(
        "--branch", help="of the only repository: where to start, if not its present branch"
    )
    parser.add_argument("--title", help="the new session's title")
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


def _secrets(parser: argparse.ArgumentParser) -> None:
    where = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    place = where.add_mutually_exclusive_group()
    place.add_argument("--repo", metavar="URL|PATH", help="of this repository, not of everything")
    place.add_argument("--env", metavar="NAME|ID", help="of this environment, not of everything")
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")
    parents = [_everywhere(), where]
    verbs.add_parser("list", parents=parents, help="their names; nobody is told the values")
    words = "set one; its value is read from standard input, or typed unseen"
    verbs.add_parser("set", parents=parents, help=words).add_argument("name", metavar="NAME")
    imported = verbs.add_parser("import", parents=parents, help="set all of a .env file")
    imported.add_argument("file", metavar="FILE.env")
    words = "a repository's to an environment that has it, without showing them"
    copied = verbs.add_parser("copy", parents=[_everywhere()], help=words)
    copied.add_argument("names", metavar="NAME", nargs="+")
    copied.add_argument("--repo", metavar="URL|PATH", required=True, help="whose they are")
    copied.add_argument("--env", metavar="NAME|ID", required=True, help="which gets them")
    removed = verbs.add_parser("remove", parents=parents, help="take one back")
    removed.add_argument("name", metavar="NAME")
    rotated = verbs.add_parser("rotate", parents=parents, help="seal them anew; the owner may")
    rotated.add_argument("--all", action="store_true", help="of every scope there is")


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
    _about(verbs.add_parser("about", parents=[everywhere], help="what people say about one"))


def _about(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("repository", metavar="URL|PATH")
    parser.add_argument("--description", metavar="TEXT", help="what it is")
    words = "all of its %s, each with one of these; `none` alone: it has none"
    for name, plural in (("alias", "other names"), ("keyword", "keywords")):
        parser.add_argument(f"--{name}", metavar="WORD", action="append", help=words % plural)
    parser.add_argument("--env", metavar="ENV", help="its default environment; `none`: no such")


def _pull_requests(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")
    parents = [_everywhere()]
    _on_session(verbs.add_parser("list", parents=parents, help="as last told"))
    _on_session(verbs.add_parser("refresh", parents=parents, help="as their hosts have them now"))
    new = verbs.add_parser("open", parents=parents, help="open one as yourself, or renew its text")
    _on_session(new)
    new.add_argument("--repository", metavar="NAME", help="which of the session's")
    new.add_argument("--title", default="", help="if not the session's")
    new.add_argument("--body", metavar="TEXT", default="", help="why and how, in Markdown")
    new.add_argument("--base", metavar="BRANCH", help="to merge into, if not where work began")
    new.add_argument("--draft", action="store_true", help="it is not ready for review")


def _environments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")

    def verb(name: str, words: str, *given: str) -> argparse.ArgumentParser:
        added = verbs.add_parser(name, parents=[_everywhere()], help=words, description=words)
        for one in given:
            added.add_argument(one.lower(), metavar=one, help=_ENVIRONMENT_WORDS[one])
        return added

    verb("list", "all there are")
    verb("show", "one of them", "ENV")
    _contents(verb("create", "a new one", "NAME"), required=True)
    edit = verb("edit", "change it, for sessions that are opened later", "ENV")
    edit.add_argument("--name", help="what to call it from now on")
    _contents(edit, required=False)
    verb("delete", "forget it; its sessions go on", "ENV")
    save = verb("save", "the repositories of a session, under a name", "SESSION", "NAME")
    save.add_argument("--description", metavar="TEXT", help="what it is for")


def _contents(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument("--description", metavar="TEXT", help="what it is for")
    parser.add_argument(
        "--repo",
        metavar="URL|PATH[#BRANCH]",
        action="append",
        required=required,
        help="one of its repositories, up to ten times, the primary one first",
    )


def _user(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")
    everywhere = _everywhere()
    add = verbs.add_parser("add", parents=[everywhere], help="add somebody, with a token")
    add.add_argument("name", metavar="NAME")
    verbs.add_parser("list", parents=[everywhere], help="who there is")
    token = verbs.add_parser("token", parents=[everywhere], help="a new token; the old one is dead")
    token.add_argument("name", metavar="NAME")


def _tokens(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")
    everywhere = _everywhere()
    verbs.add_parser("list", parents=[everywhere], help="those that are good, without secrets")
    create = verbs.add_parser("create", parents=[everywhere], help="a new one, shown this once")
    create.add_argument("name", metavar="NAME", help="what it is for")
    create.add_argument("--scope", choices=SCOPES, default="write", help="write if not said")
    create.add_argument(
        "--days", metavar="N", type=_positive, default=90, help="its life: 90 days, 365 at most"
    )
    revoke = verbs.add_parser("revoke", parents=[everywhere], help="end one now")
    revoke.add_argument("id", metavar="ID", help="as `token list` has it")


def _sign_out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--everywhere",
        action="store_true",
        required=True,
        help="of every browser; there is no other",
    )
    parser.add_argument(
        "--tokens", action="store_true", help="revoke your personal access tokens, too"
    )


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
