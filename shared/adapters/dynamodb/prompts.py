"""A session's prompts for good: what was asked, its text, and what came of it.

A text of up to 64,000 characters is an item of its own. At four bytes each that is 256 KB, below
the 400 KB of an item, and stays in the transaction that queues the prompt.
"""

from dataclasses import dataclass
from datetime import datetime

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.writes import (
    ABSENT,
    PRESENT,
    Item,
    Put,
    Update,
    Write,
    assign,
    item,
    text,
)
from shared.app.ports.sessions import Commit, PromptRecord
from shared.domain.attachment import Attachment
from shared.domain.session.facts import PromptDispatched, PromptFinished, PromptQueued
from shared.domain.session.state import Prompt, PromptStatus
from shared.domain.tokens import NO_TOKENS, Tokens

EXCERPT_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Asked:
    prompt: Prompt
    created_at: datetime
    long: bool
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    status: PromptStatus
    finished_at: datetime | None = None
    error: str | None = None
    branch: str | None = None
    commit: str | None = None
    cost: float = 0.0
    tokens: Tokens = NO_TOKENS


def prompt_writes(commit: Commit) -> list[Write]:
    queued = {fact.prompt.number: fact for fact in commit.facts if isinstance(fact, PromptQueued)}
    outcomes = _outcomes(commit)
    settled = [number for number in outcomes if number not in queued]
    return [
        *(
            write
            for number, fact in queued.items()
            for write in _asked(commit, fact, outcomes.get(number, Outcome(PromptStatus.QUEUED)))
        ),
        *(_settled(commit, number, outcomes[number]) for number in settled),
    ]


def to_record(found: Item, whole: str | None = None) -> PromptRecord:
    asked = values.load(Asked, found["asked"]["S"])
    outcome = values.load(Outcome, found["outcome"]["S"])
    return PromptRecord(
        prompt=asked.prompt,
        text=found["text"]["S"] if whole is None else whole,
        status=outcome.status,
        created_at=asked.created_at,
        attachments=asked.attachments,
        finished_at=outcome.finished_at,
        error=outcome.error,
        branch=outcome.branch,
        commit=outcome.commit,
        cost=outcome.cost,
        tokens=outcome.tokens,
    )


def is_long(found: Item) -> bool:
    return values.load(Asked, found["asked"]["S"]).long


def _outcomes(commit: Commit) -> dict[int, Outcome]:
    """What the commit leaves each prompt in: the last fact about it says it."""
    outcomes: dict[int, Outcome] = {}
    for fact in commit.facts:
        match fact:
            case PromptDispatched(number):
                outcomes[number] = Outcome(PromptStatus.RUNNING)
            case PromptFinished():
                outcomes[fact.number] = _outcome(commit, fact)
            case _:
                pass
    return outcomes


def _outcome(commit: Commit, fact: PromptFinished) -> Outcome:
    return Outcome(
        status=fact.status,
        finished_at=commit.now,
        error=fact.error,
        branch=fact.branch,
        commit=fact.commit,
        cost=fact.cost,
        tokens=fact.tokens,
    )


def _asked(commit: Commit, fact: PromptQueued, outcome: Outcome) -> list[Write]:
    partition = keys.session(commit.after.id)
    number = fact.prompt.number
    whole_too = len(fact.text) > EXCERPT_CHARS
    asked = Asked(fact.prompt, commit.now, long=whole_too, attachments=fact.attachments)
    row = item(
        partition,
        keys.prompt(number),
        asked=text(values.dump(asked)),
        text=text(fact.text[:EXCERPT_CHARS]),
        outcome=text(values.dump(outcome)),
    )
    if not asked.long:
        return [Put(row, ABSENT)]
    whole = item(partition, keys.text(number), text=text(fact.text))
    return [Put(row, ABSENT), Put(whole, ABSENT)]


def _settled(commit: Commit, number: int, outcome: Outcome) -> Update:
    return Update(
        keys.session(commit.after.id),
        keys.prompt(number),
        assign(outcome=text(values.dump(outcome))),
        PRESENT,
    )
