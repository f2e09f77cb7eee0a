"""Lists of code hosts as the wire has them."""

from shared.app.forge_lists import Listed, Problem
from shared.app.ports.forges import Branch, ForgeRepository
from shared.app.ports.repository_abouts import About
from shared.domain.repository_url import RepositoryKey
from shared.protocol import forge as wire


def of_repositories(listed: Listed[ForgeRepository]) -> wire.ForgeRepositoryList:
    return wire.ForgeRepositoryList(
        repositories=[_of_repository(one) for one in listed.found],
        as_of=listed.as_of,
        problems=[_of_problem(one) for one in listed.problems],
    )


def of_branches(listed: Listed[Branch]) -> wire.BranchList:
    found = [wire.BranchView(name=one.name, commit=one.commit) for one in listed.found]
    return wire.BranchList(branches=found, as_of=listed.as_of)


def _of_problem(one: Problem) -> wire.ForgeProblem:
    return wire.ForgeProblem(
        host=one.host, message=one.message, listed_at=one.listed_at, retry_at=one.retry_at
    )


def _of_repository(one: ForgeRepository) -> wire.ForgeRepositoryView:
    return wire.ForgeRepositoryView(
        url=one.url,
        full_name=one.full_name,
        description=one.description,
        default_branch=one.default_branch,
        private=one.private,
        archived=one.archived,
    )


def of_about(repository: RepositoryKey, about: About) -> wire.RepositoryAboutView:
    return wire.RepositoryAboutView(
        repository=repository,
        description=about.description,
        aliases=list(about.aliases),
        keywords=list(about.keywords),
        environment=about.environment,
    )


def to_about(asked: wire.NewRepositoryAbout) -> About:
    return About(asked.description, tuple(asked.aliases), tuple(asked.keywords), asked.environment)
