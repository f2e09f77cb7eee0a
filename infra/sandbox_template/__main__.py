"""`python -m infra.sandbox_template`: build the sandbox template, print it, or look into one."""

import argparse
import os
import sys

import e2b
import httpx
from e2b import E2B, Template

from infra.local import place
from infra.local.refusal import Refusal
from infra.sandbox_template import inspection
from infra.sandbox_template.context import context
from infra.sandbox_template.recipe import template
from infra.sandbox_template.release import NotWhole, Order, release
from layers.packages import BuildFailed
from shared import settings

_KEY = "E2B_API_KEY"
_FAILURES = (
    *(e2b.SandboxException, e2b.BuildException, e2b.AuthenticationException),
    *(e2b.ServiceBusyException, httpx.HTTPError, BuildFailed, NotWhole, Refusal, OSError),
)


def main() -> int:
    arguments = _parser().parse_args()
    try:
        return arguments.do(arguments)
    except _FAILURES as failure:
        _say(str(failure) or type(failure).__name__)
        return 1


def _build(arguments: argparse.Namespace) -> int:
    order = Order(
        name=arguments.name,
        tags=arguments.tag,
        cpus=arguments.cpus,
        memory_mib=arguments.memory_mib,
    )
    released = release(_provider(), context(), order, _say)
    _say(f"new sandboxes of {order.template!r} are made from {released.tagged!r}")
    sys.stdout.write(f"{released.tagged}\n")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    findings = inspection.inspect(_here() if arguments.local else _provider(), arguments.name)
    sys.stdout.writelines(f"{found}\n" for found in findings)
    sys.stdout.write(f"{inspection.summary(findings)}\n")
    return 0 if all(found.state == "as defined" for found in findings) else 1


def _print(_: argparse.Namespace) -> int:
    sys.stdout.write(Template.to_dockerfile(template(context())))
    return 0


def _provider() -> E2B:
    """Where it is, the SDK knows: from the environment, else it is E2B."""
    if not os.environ.get(_KEY):
        raise Refusal(f"{_KEY} is not set: it is the key of the E2B team that runs the sandboxes")
    return E2B(api_key=os.environ[_KEY])


def _here() -> E2B:
    """The sandbox host of `make run`."""
    here = place.from_environment(os.environ)
    if not here.endpoint.exists():
        raise Refusal("Outboard does not run on this machine: start it with make run")
    key, url = here.sandboxes_key.read_text().strip(), here.sandboxes_url
    return E2B(api_key=key, api_url=url, sandbox_url=url)


def _size(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _say(words: str) -> None:
    sys.stderr.write(f"outboard: {words}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.sandbox_template", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="build | check | print")
    build = _verb(verbs.add_parser("build", help="build it at E2B, try it, and have it used"))
    build.set_defaults(do=_build)
    build.add_argument("--cpus", type=_size, help="a template of this size: its name says so")
    build.add_argument("--memory-mib", type=_size)
    build.add_argument("--tag", action="append", default=[], help="one more; can be repeated")
    check = _verb(verbs.add_parser("check", help="compare a new sandbox with the definition"))
    check.set_defaults(do=_check)
    check.add_argument("--local", action="store_true", help="of this machine's `make run`")
    verbs.add_parser("print", help="as a Dockerfile").set_defaults(do=_print)
    return parser


def _verb(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    variable = settings.variable("sandbox_template")
    name = os.environ.get(variable) or settings.default("sandbox_template")
    parser.add_argument("--name", default=name, help=f"the template's; {variable} is the default")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
