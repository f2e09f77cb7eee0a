"""How pull requests are wanted: one item of the workspace table for all, and one a repository."""

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.keys import SETTINGS
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import Put, item, text
from shared.app.ports.pull_request_policies import Policy
from shared.domain.repository_url import RepositoryKey


class DynamoPolicies:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def get(self, repository: RepositoryKey | None) -> Policy | None:
        found = self._workspace.get(SETTINGS, keys.pull_request_policy(repository))
        return (
            None
            if found is None or "policy" not in found
            else values.load(Policy, found["policy"]["S"])
        )

    def put(self, repository: RepositoryKey | None, policy: Policy | None) -> None:
        """An empty item stands for none: a deletion that comes late would undo a later choice."""
        key = keys.pull_request_policy(repository)
        kept = None if policy is None else text(values.dump(policy))
        self._workspace.write(Put(item(SETTINGS, key, policy=kept), None))
