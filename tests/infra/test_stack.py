"""The template by its properties: who may do what, and what has to hold wherever it is deployed."""

import json

import pytest

from shared import settings
from shared.adapters.dynamodb import keys
from shared.adapters.kms import CONTEXT

pytestmark = pytest.mark.slow

FUNCTIONS = {
    "http_api",
    "web",
    "client_auth",
    "client_socket",
    "bridge_auth",
    "bridge_socket",
    "sandbox_task",
    "inactivity",
    "effects_redrive",
    "pull_request_sweep",
    "reaper",
    "workspace_admin",
}
ARNS = {"SECRETS_KEY_ARN"}
"""Which name a key, and are none."""

COMMITTING = {
    "http_api",
    "client_socket",
    "bridge_socket",
    "sandbox_task",
    "inactivity",
    "effects_redrive",
    "pull_request_sweep",
    "reaper",
}


def _of_type(template, kind):
    return {
        name: resource["Properties"]
        for name, resource in template["Resources"].items()
        if resource["Type"] == kind
    }


def _functions(template):
    found = _of_type(template, "AWS::Lambda::Function")
    return {function["Handler"].split(".")[1]: function for function in found.values()}


def _statements(template, function):
    role = _functions(template)[function]["Role"]["Fn::GetAtt"][0]
    for policy in _of_type(template, "AWS::IAM::Policy").values():
        if {"Ref": role} in policy["Roles"]:
            yield from policy["PolicyDocument"]["Statement"]


def _may(template, function):
    """What a function may do: {action: what to, as text}."""
    allowed = {}
    for statement in _statements(template, function):
        actions = statement["Action"]
        for action in [actions] if isinstance(actions, str) else actions:
            allowed[action] = allowed.get(action, "") + json.dumps(statement["Resource"])
    return allowed


def _who_may(template, action):
    return {name for name in FUNCTIONS if action in _may(template, name)}


def test_there_is_a_function_for_each_folder_the_design_names(template):
    assert set(_functions(template)) == FUNCTIONS


def test_every_function_is_built_for_the_same_python(template):
    for function in _functions(template).values():
        assert function["Runtime"] == "python3.13"
        assert function["Architectures"] == ["x86_64"]
        assert function["LoggingConfig"]["LogFormat"] == "JSON"


def test_logs_are_not_kept_for_ever(template):
    groups = _of_type(template, "AWS::Logs::LogGroup")

    assert len(groups) == len(FUNCTIONS)
    assert all(group["RetentionInDays"] == 30 for group in groups.values())


def test_whoever_answers_a_request_is_done_before_the_gateway_gives_up(template):
    seconds = {name: function["Timeout"] for name, function in _functions(template).items()}

    assert all(
        seconds[name] < 29
        for name in (
            "http_api",
            "web",
            "client_socket",
            "bridge_socket",
            "client_auth",
            "bridge_auth",
        )
    )
    assert seconds["effects_redrive"] < 60
    assert seconds["sandbox_task"] <= 300


def test_only_where_sandboxes_are_made_is_their_sdk(template):
    layers = {name: len(function["Layers"]) for name, function in _functions(template).items()}

    assert {layers.pop("sandbox_task"), layers.pop("reaper")} == {3}
    assert layers.pop("web") == 1
    assert set(layers.values()) == {2}


def test_nobody_may_do_everything_anywhere(template):
    for policy in _of_type(template, "AWS::IAM::Policy").values():
        for statement in policy["PolicyDocument"]["Statement"]:
            assert statement["Resource"] != "*"
            assert "*" not in statement["Action"]
    for role in _of_type(template, "AWS::IAM::Role").values():
        assert "ManagedPolicyArns" not in role


def test_items_are_read_and_written_one_by_one(template):
    actions = {action for name in FUNCTIONS for action in _may(template, name)}

    assert not actions & {"dynamodb:Scan", "dynamodb:DeleteTable", "dynamodb:UpdateTable"}


@pytest.mark.parametrize(
    ("action", "who"),
    [
        ("states:StartExecution", COMMITTING),
        ("states:SendTaskSuccess", COMMITTING),
        ("states:SendTaskHeartbeat", {"bridge_socket"}),
        ("states:DescribeExecution", {"reaper"}),
        ("scheduler:CreateSchedule", COMMITTING),
        ("iam:PassRole", COMMITTING),
        ("execute-api:ManageConnections", COMMITTING),
        (
            "secretsmanager:GetSecretValue",
            {"http_api", "client_socket", "sandbox_task", "reaper", "pull_request_sweep"},
        ),
        ("dynamodb:PutItem", COMMITTING | {"workspace_admin"}),
        ("dynamodb:GetItem", FUNCTIONS - {"web"}),
        ("kms:GenerateDataKey", {"http_api"}),
        ("kms:Decrypt", {"http_api", "sandbox_task"}),
        ("s3:GetObject", {"http_api", "client_socket"}),
        ("s3:PutObject", {"http_api", "client_socket"}),
    ],
)
def test_an_action_is_allowed_to_those_who_need_it(template, action, who):
    assert _who_may(template, action) == who


def test_who_serves_pages_may_do_nothing_but_write_its_log(template):
    assert set(_may(template, "web")) == {"logs:CreateLogStream", "logs:PutLogEvents"}


def test_each_table_is_written_by_its_writers(template):
    session, workspace = _tables(template)
    writers = {
        table: {
            name
            for name in FUNCTIONS
            if f'"{table}"' in _may(template, name).get("dynamodb:PutItem", "")
        }
        for table in (session, workspace)
    }

    assert writers[session] == COMMITTING
    assert writers[workspace] == {
        "http_api",
        "client_socket",
        "workspace_admin",
        "sandbox_task",
        "pull_request_sweep",
    }


def test_only_the_scheduler_may_be_handed_the_timers_role(template):
    passed = {_may(template, name)["iam:PassRole"] for name in COMMITTING}
    (role,) = {json.loads(resource)["Fn::GetAtt"][0] for resource in passed}

    trusted = _of_type(template, "AWS::IAM::Role")[role]["AssumeRolePolicyDocument"]["Statement"]
    assert [statement["Principal"] for statement in trusted] == [
        {"Service": "scheduler.amazonaws.com"}
    ]


def _tables(template):
    tables = _of_type(template, "AWS::DynamoDB::Table")
    (session,) = [name for name, table in tables.items() if "GlobalSecondaryIndexes" in table]
    (workspace,) = tables.keys() - {session}
    return session, workspace


def test_both_tables_outlive_the_stack_and_every_mistake(template):
    for name, table in _of_type(template, "AWS::DynamoDB::Table").items():
        assert template["Resources"][name]["DeletionPolicy"] == "Retain"
        assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True
        assert table["TimeToLiveSpecification"] == {
            "AttributeName": "expires_at",
            "Enabled": True,
        }
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert "LocalSecondaryIndexes" not in table


def test_the_key_of_secrets_outlives_the_stack_and_is_renewed_by_kms(template):
    ((name, key),) = _of_type(template, "AWS::KMS::Key").items()

    assert template["Resources"][name]["DeletionPolicy"] == "Retain"
    assert template["Resources"][name]["UpdateReplacePolicy"] == "Retain"
    assert key["EnableKeyRotation"] is True


@pytest.mark.parametrize("function", ["http_api", "sandbox_task"])
def test_nothing_is_sealed_or_opened_without_its_scope(template, function):
    granted = [
        statement
        for statement in _statements(template, function)
        if "kms:Decrypt" in json.dumps(statement["Action"])
    ]

    assert [statement["Condition"] for statement in granted] == [
        {
            "Null": {f"kms:EncryptionContext:{CONTEXT}": "false"},
            "ForAllValues:StringEquals": {"kms:EncryptionContextKeys": [CONTEXT]},
        }
    ]


def test_the_tables_are_as_the_adapter_wants_them(template):
    session, _ = _tables(template)
    table = _of_type(template, "AWS::DynamoDB::Table")[session]
    wanted = keys.definition("any", *keys.SESSION_INDEXES)

    assert table["KeySchema"] == wanted["KeySchema"]
    assert table["GlobalSecondaryIndexes"] == wanted["GlobalSecondaryIndexes"]
    assert sorted(map(json.dumps, table["AttributeDefinitions"])) == sorted(
        map(json.dumps, wanted["AttributeDefinitions"])
    )
    assert table["TimeToLiveSpecification"]["AttributeName"] == keys.EXPIRES_AT


def test_the_api_and_its_pages_have_one_origin_and_no_other_site_may_ask(template):
    apis = _of_type(template, "AWS::ApiGatewayV2::Api")
    (http,) = [name for name, api in apis.items() if api["ProtocolType"] == "HTTP"]
    reached = {key: _invoked(template, route) for key, route in _routes(template, http).items()}

    assert set(reached) == {"$default", "ANY /api/{proxy+}"}
    assert "httpapi" in reached["ANY /api/{proxy+}"]
    assert "web" in reached["$default"]
    assert "CorsConfiguration" not in apis[http]


def _invoked(template, route):
    (integration,) = [part["Ref"] for part in route["Target"]["Fn::Join"][1] if "Ref" in part]
    return json.dumps(template["Resources"][integration]["Properties"]["IntegrationUri"])


def test_who_deployed_is_told_where_the_pages_and_the_api_are(template):
    urls = {name: template["Outputs"][name]["Value"] for name in ("WebUrl", "HttpUrl")}

    assert urls["WebUrl"]["Fn::Join"][1][0] == urls["HttpUrl"]["Fn::Join"][1][0]
    assert [url["Fn::Join"][1][1] for url in urls.values()] == ["/", "/api"]


@pytest.mark.parametrize(
    ("api", "who", "authorizer"),
    [
        ("Clients", "route.request.querystring.ticket", "client_auth"),
        ("Bridges", "route.request.header.Authorization", "bridge_auth"),
    ],
)
def test_a_socket_is_opened_by_its_authorizer_alone(template, api, who, authorizer):
    ref = _socket_api(template, api)
    (found,) = [
        (name, made)
        for name, made in _of_type(template, "AWS::ApiGatewayV2::Authorizer").items()
        if made["ApiId"] == {"Ref": ref}
    ]
    routes = _routes(template, ref)

    assert found[1]["AuthorizerType"] == "REQUEST"
    assert found[1]["IdentitySource"] == [who]
    assert authorizer.replace("_", "") in json.dumps(found[1]["AuthorizerUri"])
    assert routes["$connect"]["AuthorizationType"] == "CUSTOM"
    assert routes["$connect"]["AuthorizerId"] == {"Ref": found[0]}


@pytest.mark.parametrize("api", ["Clients", "Bridges"])
def test_whatever_a_socket_sends_reaches_the_default_route(template, api):
    ref = _socket_api(template, api)
    selection = template["Resources"][ref]["Properties"]["RouteSelectionExpression"]
    routes = _routes(template, ref)

    assert set(routes) == {"$connect", "$disconnect", "$default"}
    assert not any(
        selection.replace("${request.body.type}", sent) in routes for sent in ("", *routes)
    )


def test_answers_never_go_by_the_response_of_a_route(template):
    assert not _of_type(template, "AWS::ApiGatewayV2::RouteResponse")


def test_every_stage_is_throttled_and_deploys_itself(template):
    stages = _of_type(template, "AWS::ApiGatewayV2::Stage").values()

    assert len(stages) == 3
    for stage in stages:
        assert stage["AutoDeploy"] is True
        assert stage["DefaultRouteSettings"]["ThrottlingRateLimit"] > 0


def _socket_api(template, name):
    (found,) = [
        ref
        for ref, api in _of_type(template, "AWS::ApiGatewayV2::Api").items()
        if api["Name"] == name
    ]
    return found


def _routes(template, ref):
    return {
        route["RouteKey"]: route
        for route in _of_type(template, "AWS::ApiGatewayV2::Route").values()
        if route["ApiId"] == {"Ref": ref}
    }


@pytest.mark.parametrize(
    ("rate", "function"),
    [
        ("1 minute", "effectsredrive"),
        ("5 minutes", "reaper"),
        ("10 minutes", "pullrequestsweep"),
    ],
)
def test_what_nobody_asks_for_runs_again_and_again(template, rate, function):
    schedules = _of_type(template, "AWS::Scheduler::Schedule").values()
    (schedule,) = [each for each in schedules if function in json.dumps(each["Target"]["Arn"])]

    assert schedule["ScheduleExpression"] == f"rate({rate})"


def test_the_machine_may_call_the_one_function_it_is_made_of(template):
    (machine,) = _of_type(template, "AWS::StepFunctions::StateMachine").values()
    role = machine["RoleArn"]["Fn::GetAtt"][0]
    (policy,) = [
        policy
        for policy in _of_type(template, "AWS::IAM::Policy").values()
        if {"Ref": role} in policy["Roles"]
    ]
    (statement,) = policy["PolicyDocument"]["Statement"]

    assert machine.get("StateMachineType", "STANDARD") == "STANDARD"
    assert statement["Action"] == "lambda:InvokeFunction"
    assert "sandboxtask" in json.dumps(statement["Resource"])


def test_names_that_a_circle_needs_are_made_of_the_stacks_name(template):
    (machine,) = _of_type(template, "AWS::StepFunctions::StateMachine").values()
    named = [
        function["FunctionName"]
        for function in _functions(template).values()
        if "FunctionName" in function
    ]

    assert machine["StateMachineName"] == {
        "Fn::Join": ["", [{"Ref": "AWS::StackName"}, "-sandbox-life"]]
    }
    assert named == [{"Fn::Join": ["", [{"Ref": "AWS::StackName"}, "-inactivity"]]}]


def test_every_variable_of_a_function_is_a_setting(template):
    known = {settings.variable(name) for name in settings.names()}
    for function in _functions(template).values():
        told = function["Environment"]["Variables"].keys() - {"POWERTOOLS_SERVICE_NAME"}
        assert told <= known


def test_every_setting_is_some_functions_variable(template):
    told = {
        variable
        for function in _functions(template).values()
        for variable in function["Environment"]["Variables"]
    }

    assert {settings.variable(name) for name in settings.names()} <= told


def test_no_secret_is_in_an_environment(template):
    (secret,) = _of_type(template, "AWS::SecretsManager::Secret").values()

    assert secret["SecretString"] == "{}"
    for function in _functions(template).values():
        assert not any("KEY" in name for name in function["Environment"]["Variables"].keys() - ARNS)


def test_a_parameter_left_alone_means_the_products_default(template):
    parameters = template["Parameters"]

    assert parameters["SandboxInactivityTimeoutMs"] == {"Type": "Number", "Default": "600000"}
    assert parameters["ExecuteApiBase"]["Default"] == ""


def test_the_functions_can_be_found_by_whoever_deployed(template):
    outputs = template["Outputs"].keys()

    assert {"HttpUrl", "SecretsArn", "WorkspaceAdminFunction", "LifeMachineArn"} <= outputs
    assert len([name for name in outputs if name.endswith("Function")]) == len(FUNCTIONS)


def test_files_are_private_encrypted_and_those_that_nobody_named_expire(template):
    (bucket,) = _of_type(template, "AWS::S3::Bucket").values()

    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert bucket["OwnershipControls"]["Rules"] == [{"ObjectOwnership": "BucketOwnerEnforced"}]
    assert bucket["LifecycleConfiguration"]["Rules"] == [
        {"ExpirationInDays": 1, "Id": "uploads", "Prefix": "uploads/", "Status": "Enabled"}
    ]
    (policy,) = _of_type(template, "AWS::S3::BucketPolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Condition"]) == (
        "Deny",
        {"Bool": {"aws:SecureTransport": "false"}},
    )


def test_nobody_lists_or_deletes_files(template):
    actions = {action for name in FUNCTIONS for action in _may(template, name)}

    assert {action for action in actions if action.startswith("s3:")} == {
        "s3:DeleteObject",
        "s3:GetObject",
        "s3:PutObject",
    }


def test_only_what_sessions_have_changed_is_ever_deleted(template):
    deletes = [name for name in FUNCTIONS if "s3:DeleteObject" in _may(template, name)]

    assert deletes == ["http_api"]
    deleted = _may(template, "http_api")["s3:DeleteObject"]
    assert "changes/*" in deleted
    assert "kept/*" not in deleted


def test_a_socket_only_keeps_what_was_uploaded(template):
    may = _may(template, "client_socket")

    assert "uploads/*" in may["s3:GetObject"]
    assert "kept/*" not in may["s3:GetObject"]
    assert "kept/*" in may["s3:PutObject"]
    assert "uploads/*" not in may["s3:PutObject"]


def test_sandboxes_are_told_where_the_api_is(template):
    told = _functions(template)["sandbox_task"]["Environment"]["Variables"]

    assert "API_URL" in told
