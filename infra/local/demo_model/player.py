"""Which reply a conversation gets: the next step of its script, or the demo's next move."""

from collections import Counter
from dataclasses import dataclass

from infra.local.demo_model import demo, reply
from infra.local.demo_model.conversation import Conversation
from infra.local.demo_model.reply import Reply
from infra.local.demo_model.script import Step, scripted

EXHAUSTED = Reply(text="(the script has no more steps)")


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    message: str
    retry_after: float | None = None


class Player:
    """Remembers only how often a step has gone wrong; everything else is in the conversation."""

    def __init__(self) -> None:
        self._gone_wrong = Counter[tuple[str, int]]()

    def answer(self, conversation: Conversation) -> Reply | Refusal:
        """Raises ValueError for a script that can't be read."""
        # Without tools it is a side question, for a title or a summary, which may quote a script.
        steps = scripted(conversation.prompt) if conversation.tools else None
        if steps is None:
            return demo.answer(conversation)
        if conversation.replies >= len(steps):
            return EXHAUSTED
        return self._play(steps[conversation.replies], conversation)

    def _play(self, step: Step, conversation: Conversation) -> Reply | Refusal:
        wrong = (step.status is not None or step.cut) and self._is_still_wrong(step, conversation)
        if wrong and step.status is not None:
            return Refusal(step.status, step.message, step.retry_after)
        return reply.of(step, cut=wrong)

    def _is_still_wrong(self, step: Step, conversation: Conversation) -> bool:
        # Not the whole conversation, which is another one after it was summed up.
        asked = (conversation.prompt, conversation.replies)
        self._gone_wrong[asked] += 1
        return step.times is None or self._gone_wrong[asked] <= step.times
