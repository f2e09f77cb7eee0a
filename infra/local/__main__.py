"""`python -m infra.local`: Outboard on this machine, in the foreground, until Ctrl-C.

What it needs is built first, then its programs are started, then the template is deployed to them.
Everything that users made is in the state directory and is there again at the next start.
"""

import json
import os
import signal
import sys
import time
from contextlib import suppress
from typing import NoReturn

from infra.local import deployment, models, pages, place, private, programs, requirements
from infra.local.assembly import ASSEMBLY
from infra.local.builds import build_all
from infra.local.crew import Crew
from infra.local.deployment import Deployed
from infra.local.models import Models
from infra.local.place import Place
from infra.local.refusal import Refusal
from infra.local.sandbox_template import TEMPLATE


def main() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # `nohup` asks for that
            signal.signal(number, _interrupt)
    _only_this_machine()
    try:
        _run(place.from_environment(os.environ))
    except KeyboardInterrupt:
        _say("stopped")
    except Refusal as reason:
        sys.exit(f"outboard: {reason}")


def _run(here: Place) -> None:
    began = time.monotonic()
    here.make()
    with requirements.alone(here.state / "lock"):
        here.endpoint.unlink(missing_ok=True)  # of a run that had no time to say goodbye
        for note in requirements.check():
            _say(note)
        requirements.check_ports(here.ports)
        available = models.from_environment(os.environ)
        build_all(_say)
        with Crew(_say) as crew:
            _start(crew, here, available)
            _say("deploying")
            deployed = deployment.set_up(here, ASSEMBLY, available, os.environ)
            try:
                _tell(here, deployed, available, began)
                crew.watch()
            finally:
                here.endpoint.unlink(missing_ok=True)
                _say("stopping")


def _start(crew: Crew, here: Place, available: Models) -> None:
    for file in (here.sandboxes_key, here.repositories_key):
        deployment.key(file)
    crewed = [
        programs.aws_host(here, os.environ),
        programs.sandbox_host(here, os.environ, TEMPLATE),
        programs.repository_host(here, os.environ),
    ]
    if available.demo:
        crewed.append(programs.demo_model(here, os.environ))
    _say(f"starting {', '.join(program.name for program in crewed)}")
    crew.start(crewed)


def _tell(here: Place, deployed: Deployed, available: Models, began: float) -> None:
    endpoint = {
        "web": deployed.web,
        "http": deployed.http,
        "user": deployed.user,
        "repositories": here.repositories_url,
        "repositoriesKey": deployment.key(here.repositories_key),
        "demo": available.demo,
        "pid": os.getpid(),
    }
    private.write(here.endpoint, json.dumps(endpoint))
    _say(f"up after {time.monotonic() - began:.0f} s at {deployed.http}, user {deployed.user!r}")
    _say(f"model: {available.words}")
    _say(f"sandboxes: {programs.isolation(here)}")
    _say('try: ./outboard prompt --repo . "add a --version flag and a test for it" --wait')
    link = pages.sign_in_link(deployed, here.token(deployed.user).read_text())
    _say(f"open {link}  (once, 10 minutes; ./outboard open makes another)")
    _say("Ctrl-C stops it; sessions stay")


def _only_this_machine() -> None:
    """Other clouds' credentials, profiles and proxies are not about the AWS that is here."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ |= programs.beside_a_proxy(os.environ)


def _interrupt(number: int, _: object) -> NoReturn:
    raise KeyboardInterrupt(number)


def _say(words: str) -> None:
    with suppress(BrokenPipeError):  # nobody reads any more, and there is still work to do
        print(f"outboard: {words}", flush=True)  # noqa: T201 - the user's progress


if __name__ == "__main__":
    main()
