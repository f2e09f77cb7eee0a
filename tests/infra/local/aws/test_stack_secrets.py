"""A secret that a stack generates: as long as asked for, of the characters allowed, never twice."""

import json

import pytest

from infra.local.aws.stack_secrets import secret_string


def test_an_empty_wish_is_a_wish() -> None:
    drawn = {secret_string({"GenerateSecretString": {}}) for _ in range(5)}

    assert len(drawn) == 5
    assert {len(secret) for secret in drawn} == {32}


def test_exclusions_and_length_are_kept() -> None:
    wish = {"PasswordLength": 200, "ExcludePunctuation": True, "ExcludeCharacters": "abc"}

    drawn = secret_string({"GenerateSecretString": wish})

    assert len(drawn) == 200
    assert drawn.isalnum()
    assert not set(drawn) & set("abc")


def test_a_template_gets_its_generated_key() -> None:
    wish = {"SecretStringTemplate": '{"user": "u"}', "GenerateStringKey": "password"}

    drawn = json.loads(secret_string({"GenerateSecretString": wish}))

    assert drawn["user"] == "u"
    assert len(drawn["password"]) == 32


@pytest.mark.parametrize(("properties", "value"), [({"SecretString": "given"}, "given"), ({}, "")])
def test_what_is_given_is_kept(properties: dict[str, str], value: str) -> None:
    assert secret_string(properties) == value
