"""Which calls change state, told from the request alone."""

import pytest

from infra.local.aws.snapshots import action, changes_state


@pytest.mark.parametrize(
    ("service", "method", "path", "operation", "changes"),
    [
        ("dynamodb", "POST", "/", "CreateTable", True),
        ("dynamodb", "POST", "/", "PutItem", False),
        ("dynamodb", "POST", "/", "DescribeTable", False),
        ("states", "POST", "/", "CreateStateMachine", True),
        ("states", "POST", "/", "SendTaskHeartbeat", False),
        ("secretsmanager", "POST", "/", "GetSecretValue", False),
        ("secretsmanager", "POST", "/", "PutSecretValue", True),
        ("cloudformation", "POST", "/", "CreateStack", False),
        ("scheduler", "POST", "/schedules/a", "", True),
        ("scheduler", "GET", "/schedules/a", "", False),
        ("scheduler", "DELETE", "/schedules/a", "", True),
        ("lambda", "POST", "/2015-03-31/functions", "", True),
        ("lambda", "POST", "/2015-03-31/functions/f/invocations", "", False),
        ("s3", "PUT", "/bucket/key", "", True),
        ("s3", "HEAD", "/bucket/key", "", False),
    ],
)
def test_a_question_writes_nothing_and_a_change_is_written(
    service: str, method: str, path: str, operation: str, changes: bool
) -> None:
    assert changes_state(service, method, path, operation) is changes


def test_the_operation_is_read_from_each_protocol() -> None:
    form = {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}

    named = [
        action({"x-amz-target": "DynamoDB_20120810.PutItem"}, b"{}", {}),
        action(form, b"Action=CreateStack&StackName=x", {}),
        action({}, b"", {"Action": ["CreateRole"]}),
        action({}, b"", {}),
    ]

    assert named == ["PutItem", "CreateStack", "CreateRole", ""]
