"""Every webhook that GitHub publishes an example of is acted on or let pass, as decided here."""

from collections.abc import Mapping

import pytest

from shared.app.github_webhooks import HEARD
from tests.forge.deliveries import examples, needs_examples, of_kind
from tests.functions.hooked import Answer, Hooked, as_told, of_our_branch

pytestmark = needs_examples

DECIDED: Mapping[str, str] = {
    "pull_request": """
        assigned auto_merge_disabled auto_merge_enabled closed converted_to_draft dequeued edited
        enqueued labeled locked opened ready_for_review reopened review_request_removed
        review_requested synchronize unassigned unlabeled unlocked
    """,
}
"""The actions that were looked at, of each kind that is heard: is it right to act on them?

Of a pull request all are: whatever was done to it, the payload has it as it then was.
"""

LET_PASS = """
    branch_protection_rule check_run check_suite code_scanning_alert commit_comment create delete
    dependabot_alert deploy_key deployment deployment_review deployment_status discussion
    discussion_comment fork github_app_authorization gollum installation installation_repositories
    issue_comment issues label marketplace_purchase member membership merge_group meta milestone
    org_block organization package page_build ping project project_card project_column
    projects_v2_item public pull_request_review pull_request_review_comment
    pull_request_review_thread push release repository repository_dispatch repository_import
    repository_vulnerability_alert security_advisory sponsorship star status team team_add watch
    workflow_dispatch workflow_job workflow_run
"""
"""Nothing that we keep changes with them."""


def test_each_kind_is_either_heard_or_let_pass():
    kinds = {example.kind for example in examples()}

    assert set(HEARD) == set(DECIDED)
    assert not set(HEARD) & set(LET_PASS.split())
    assert kinds - set(HEARD) - set(LET_PASS.split()) == set(), "decide whether this is to be heard"


@pytest.mark.parametrize("kind", DECIDED)
def test_no_action_is_heard_that_nobody_has_looked_at(kind: str):
    actions = {example.action for example in of_kind(kind)}

    assert actions - set(DECIDED[kind].split()) == set(), "decide whether it may be acted on"


def test_every_published_webhook_is_taken():
    hooked = Hooked()
    answers = [
        (example.kind, example.action, hooked.deliver(example.kind, example.payload))
        for example in examples()
    ]

    taken = Answer(202, {"about": False})
    assert [one for one in answers if one[2] != taken] == []


def test_every_word_of_a_pull_request_of_a_session_is_kept():
    for example in of_kind("pull_request"):
        hooked, payload = Hooked(), of_our_branch(example.payload)

        answer = hooked.deliver(example.kind, payload)

        assert answer == Answer(202, {"about": True})
        assert hooked.known == (as_told(payload),)


def test_an_action_that_github_has_yet_to_think_of_is_heard_all_the_same():
    hooked = Hooked()
    payload = of_our_branch(of_kind("pull_request")[0].payload)

    hooked.deliver("pull_request", {**payload, "action": "sung_about"})

    assert hooked.known == (as_told(payload),)
