"""What came of a session: the branch in each repository that has its work, and screenshots."""

import json
from datetime import datetime

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.keys import SK
from shared.adapters.dynamodb.writes import Item, Put, Update, Write, assign, item, text
from shared.app.ports.sessions import Artifact, Commit
from shared.domain.attachment import Attachment
from shared.domain.session.facts import BRANCH, BranchPushed, ScreenshotHandedIn


def artifact_writes(commit: Commit) -> list[Write]:
    pushes = {fact.artifact: fact for fact in commit.facts if isinstance(fact, BranchPushed)}
    shots = [fact for fact in commit.facts if isinstance(fact, ScreenshotHandedIn)]
    return [
        *(_branch(commit, push) for push in pushes.values()),
        *(_screenshot(commit, shot) for shot in shots),
    ]


def _branch(commit: Commit, push: BranchPushed) -> Update:
    """The newest commit of the branch; the time it was made stays."""
    metadata = {"repository": push.repository, "branch": push.branch, "commit": push.commit}
    actions = assign(
        kind=text(BRANCH),
        title=text(push.branch),
        metadata=text(values.compact(metadata)),
    )
    made = Path("created_at").set(Path("created_at") | text(commit.now.isoformat()))
    return Update(keys.session(commit.after.id), keys.artifact(push.artifact), [*actions, made])


def _screenshot(commit: Commit, shot: ScreenshotHandedIn) -> Put:
    metadata = {} if shot.prompt is None else {"prompt": str(shot.prompt)}
    row = item(
        keys.session(commit.after.id),
        keys.artifact(shot.id),
        kind=text("screenshot"),
        title=text(shot.title),
        metadata=text(values.compact(metadata)),
        file=text(values.dump(shot.file)),
        created_at=text(commit.now.isoformat()),
    )
    return Put(row, None)


def to_artifact(found: Item) -> Artifact:
    return Artifact(
        id=found[SK]["S"].removeprefix(keys.artifact("")),
        kind=found["kind"]["S"],
        title=found["title"]["S"],
        url=found["url"]["S"] if "url" in found else None,
        metadata=tuple(json.loads(found["metadata"]["S"]).items()),
        created_at=datetime.fromisoformat(found["created_at"]["S"]),
        file=values.load(Attachment, found["file"]["S"]) if "file" in found else None,
    )
