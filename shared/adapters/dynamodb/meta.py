"""META: the whole session in one item, and what conditions and indexes need of it beside it."""

import json
from dataclasses import replace
from typing import Any

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.writes import (
    ABSENT,
    Attribute,
    Item,
    Put,
    Update,
    assign,
    equals,
    item,
    number,
    text,
)
from shared.domain.listing import shelf
from shared.domain.session.state import Session


def created(session: Session, fingerprint: str) -> Put:
    """The fingerprint stays: commits change the other attributes only."""
    present = {name: value for name, value in _attributes(session).items() if value is not None}
    row = item(keys.session(session.id), keys.META, fingerprint=text(fingerprint), **present)
    return Put(row, ABSENT)


def changed(before: Session, after: Session) -> Update:
    committed = replace(after, version=before.version + 1)
    return Update(
        keys.session(after.id),
        keys.META,
        assign(**_attributes(committed)),
        equals("version", number(before.version)),
    )


def to_session(found: Item) -> Session:
    """Authors are kept once each: one person's fifty prompts repeat a number, not an address."""
    document: dict[str, Any] = json.loads(found["session"]["S"])
    authors = document.pop("authors")
    for prompt in _prompts(document):
        prompt["author"] = authors[prompt["author"]]
    if "pushes" not in document and document.get("branch"):
        document["pushes"] = [_only_push(document)]
    return values.restored(Session, document)


def _only_push(document: dict[str, Any]) -> dict[str, Any]:
    """Of a session from before there could be several repositories."""
    repository, *_ = document["target"]
    names = {name: document[name] for name in ("branch", "commit")}
    return {"repository": repository["name"], **names}


def living(session: Session) -> int | None:
    """The attempt whose bridge may connect."""
    attempt = session.attempt
    return None if attempt is None or attempt.ending else attempt.number


def _attributes(session: Session) -> dict[str, Attribute | None]:
    attempt = living(session)
    on = shelf(session)
    return {
        "session": text(_document(session)),
        "version": number(session.version),
        "living": None if attempt is None else number(attempt),
        "alive_shard": text(keys.alive_shard(session.id)) if session.is_alive else None,
        "alive_attempt": text(f"{session.attempts:06d}") if session.is_alive else None,
        "status": text(session.status),
        "owner": text(session.owner),
        "list_shard": text(keys.list_shard(session.id, on)) if on else None,
        "list_key": text(keys.list_key(session.updated_at, session.id)) if on else None,
    }


def _document(session: Session) -> str:
    document = values.plain(session)
    authors: list[Any] = []
    for prompt in _prompts(document):
        if prompt["author"] not in authors:
            authors.append(prompt["author"])
        prompt["author"] = authors.index(prompt["author"])
    # What only knows one repository reads the branch, and leaves no pushes behind.
    pushed = {"branch": session.branch, "commit": session.commit} if session.pushes else {}
    return values.compact({**document, **pushed, "authors": authors})


def _prompts(document: dict[str, Any]) -> list[dict[str, Any]]:
    running = document.get("running")
    return [*document["queue"], *([running["prompt"]] if running else [])]
