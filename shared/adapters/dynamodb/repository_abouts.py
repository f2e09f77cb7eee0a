"""What people say about repositories: one item of the workspace table each."""

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import Update, assign, text
from shared.app.ports.repository_abouts import About
from shared.domain.repository_url import RepositoryKey


class DynamoRepositoryAbouts:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def get(self, repository: RepositoryKey) -> About:
        found = self._workspace.get(keys.ABOUTS, keys.repository_item(repository))
        return About() if found is None else values.load(About, found["about"]["S"])

    def put(self, repository: RepositoryKey, about: About) -> None:
        said = assign(about=text(values.dump(about)))
        self._workspace.write(Update(keys.ABOUTS, keys.repository_item(repository), said))
