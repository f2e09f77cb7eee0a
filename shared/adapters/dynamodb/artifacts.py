"""What came of a session: for now the one branch that its work is pushed to."""

import json
from datetime import datetime

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.keys import SK
from shared.adapters.dynamodb.writes import Item, Update, assign, text
from shared.app.ports.sessions import Artifact, Commit
from shared.domain.session.facts import BranchPushed

BRANCH = "branch"


def artifact_writes(commit: Commit) -> list[Update]:
    """The newest commit of the branch; the time it was made stays."""
    pushes = [fact for fact in commit.facts if isinstance(fact, BranchPushed)]
    if not pushes:
        return []
    push = pushes[-1]
    metadata = {"repository": push.repository, "branch": push.branch, "commit": push.commit}
    actions = assign(
        kind=text("branch"),
        title=text(push.branch),
        metadata=text(values.compact(metadata)),
    )
    made = Path("created_at").set(Path("created_at") | text(commit.now.isoformat()))
    return [Update(keys.session(commit.after.id), keys.artifact(BRANCH), [*actions, made])]


def to_artifact(found: Item) -> Artifact:
    return Artifact(
        id=found[SK]["S"].removeprefix(keys.artifact("")),
        kind=found["kind"]["S"],
        title=found["title"]["S"],
        url=found["url"]["S"] if "url" in found else None,
        metadata=tuple(json.loads(found["metadata"]["S"]).items()),
        created_at=datetime.fromisoformat(found["created_at"]["S"]),
    )
