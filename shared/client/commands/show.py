"""`outboard show`: one session as it is now, with what was asked of it."""

from argparse import Namespace

from shared.client import views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.find import find
from shared.protocol.api import PromptView

PAGE = 100


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        session = await find(api, arguments.session)
        if session.environment is not None and session.environment.deleted is None:
            session = await api.session(session.id)  # which looks what became of it
        prompts = await _prompts(api, session.id)
        artifacts = (await api.artifacts(session.id)).artifacts
    value = session.model_dump(mode="json", by_alias=True) | {
        "history": [prompt.model_dump(mode="json", by_alias=True) for prompt in prompts],
        "artifacts": [found.model_dump(mode="json", by_alias=True) for found in artifacts],
    }
    console.say(value, views.session(session, prompts, artifacts))
    return 0


async def _prompts(api: Api, session_id: str) -> list[PromptView]:
    found: list[PromptView] = []
    after: int | None = 0
    while after is not None:
        page = await api.prompts(session_id, after=after, limit=PAGE)
        found += page.prompts
        after = page.next
    return found
