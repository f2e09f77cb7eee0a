"""`/attachments`: images on their way into prompts, and all that a session keeps on the way out."""

from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.attachments import Asker, user_asks
from shared.edge.http.parts import add_attachments
from shared.edge.http.resolver import user_of

router = APIGatewayHttpRouter()


def _asker() -> Asker:
    return user_asks(user_of(router).id)


add_attachments(router, "/attachments", _asker, tag="attachments")
