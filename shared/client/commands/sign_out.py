"""`outboard sign-out --everywhere`: every browser that is signed in as whoever asks."""

from argparse import Namespace

from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.protocol.browser import SignOutEverywhere

TOKENS_STAY = "Your personal access tokens stay: `outboard token list` says which there are."
TOKENS_ENDED = "Your personal access tokens are revoked, too."


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    asked = SignOutEverywhere(tokens=arguments.tokens)
    async with Api(deployment, notice=console.remark) as api:
        await api.sign_out_everywhere(asked)
    said = (
        "Every browser of yours is signed out, and what it watched is closed.",
        TOKENS_ENDED if asked.tokens else TOKENS_STAY,
    )
    console.say({"signedOut": True, "tokensRevoked": asked.tokens}, said)
    return 0
