"""The contract of `Sealer`, kept by the fake and by KMS as this machine has it."""

from collections.abc import Generator
from dataclasses import replace

import pytest
from botocore.session import Session as BotocoreSession

from shared.adapters.kms import KmsSealer
from shared.app.ports.sealing import Sealed, Sealer, SecretsUnavailable, Unsealable
from tests.fakes.sealing import FakeSealer
from tests.local_aws import LocalAws

VALUES = {"TOKEN": "canary-5d2f", "KEY": "-----BEGIN é\n-----\n"}
SCOPE, OTHER = "repository:https://git.example.com/acme/tool", "global"


@pytest.fixture(scope="module")
def aws() -> Generator[LocalAws]:
    with LocalAws(checkout=None) as running:
        yield running


@pytest.fixture
def session(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> BotocoreSession:
    monkeypatch.setenv("AWS_ENDPOINT_URL", aws.target.endpoint)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", aws.key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", aws.key.secret)
    return BotocoreSession()


@pytest.fixture(scope="module")
def key(aws: LocalAws) -> str:
    return aws.client("kms").create_key()["KeyMetadata"]["Arn"]


@pytest.fixture(params=["fake", pytest.param("kms", marks=pytest.mark.local_aws)])
def sealer(request: pytest.FixtureRequest) -> Sealer:
    if request.param == "fake":
        return FakeSealer()
    return KmsSealer(request.getfixturevalue("session"), request.getfixturevalue("key"))


@pytest.fixture
def kms(session: BotocoreSession, key: str) -> KmsSealer:
    return KmsSealer(session, key)


def test_what_was_sealed_opens_where_it_belongs(sealer: Sealer):
    sealed = sealer.seal(SCOPE, VALUES)

    assert sealer.open(SCOPE, sealed) == VALUES
    assert sealer.open(SCOPE, {"KEY": sealed["KEY"]}) == {"KEY": VALUES["KEY"]}
    assert all(value not in str(sealed) for value in VALUES.values())


def test_nothing_is_sealed_and_opened_as_nothing(sealer: Sealer):
    assert sealer.seal(SCOPE, {}) == {}
    assert sealer.open(SCOPE, {}) == {}


def test_what_was_moved_to_another_scope_does_not_open(sealer: Sealer):
    with pytest.raises(Unsealable):
        sealer.open(OTHER, sealer.seal(SCOPE, VALUES))


def test_what_was_given_another_name_does_not_open(sealer: Sealer):
    sealed = sealer.seal(SCOPE, VALUES)

    with pytest.raises(Unsealable, match="TOKEN"):
        sealer.open(SCOPE, {"TOKEN": sealed["KEY"]})


def test_what_was_altered_does_not_open(sealer: Sealer):
    sealed = sealer.seal(SCOPE, VALUES)["TOKEN"]

    for text in (f"AAAA{sealed.text[4:]}", "no base64", ""):
        with pytest.raises(Unsealable):
            sealer.open(SCOPE, {"TOKEN": replace(sealed, text=text)})


def test_one_that_does_not_open_keeps_all_closed(sealer: Sealer):
    sealed = sealer.seal(SCOPE, VALUES)
    elsewhere = sealer.seal(OTHER, {"ALIEN": "x"})

    with pytest.raises(Unsealable):
        sealer.open(SCOPE, {**sealed, **elsewhere})


def test_each_sealing_has_a_key_of_its_own(sealer: Sealer):
    first, second = sealer.seal(SCOPE, VALUES), sealer.seal(SCOPE, VALUES)

    assert first["TOKEN"].wrapped_key == first["KEY"].wrapped_key
    assert first["TOKEN"].wrapped_key != second["TOKEN"].wrapped_key
    assert sealer.open(SCOPE, {"TOKEN": first["TOKEN"], "KEY": second["KEY"]}) == VALUES


@pytest.mark.local_aws
def test_even_a_known_data_key_does_not_open_another_scope(kms: KmsSealer):
    """The scope is in what is authenticated, and not only in what KMS asks for."""
    ours, theirs = kms.seal(SCOPE, VALUES)["TOKEN"], kms.seal(OTHER, VALUES)["TOKEN"]
    moved = replace(ours, wrapped_key=theirs.wrapped_key)

    with pytest.raises(Unsealable):
        kms.open(OTHER, {"TOKEN": moved})


@pytest.mark.local_aws
def test_a_key_that_is_disabled_opens_nothing_until_it_is_enabled(
    aws: LocalAws, session: BotocoreSession
):
    key = aws.client("kms").create_key()["KeyMetadata"]["Arn"]
    kms = KmsSealer(session, key)
    sealed = kms.seal(SCOPE, VALUES)

    aws.client("kms").disable_key(KeyId=key)
    with pytest.raises(Unsealable, match="DisabledException"):
        kms.open(SCOPE, sealed)
    aws.client("kms").enable_key(KeyId=key)

    assert kms.open(SCOPE, sealed) == VALUES


@pytest.mark.local_aws
def test_what_an_earlier_key_of_the_deployment_has_sealed_still_opens(
    aws: LocalAws, session: BotocoreSession, kms: KmsSealer
):
    newer = aws.client("kms").create_key()["KeyMetadata"]["Arn"]

    assert KmsSealer(session, newer).open(SCOPE, kms.seal(SCOPE, VALUES)) == VALUES


@pytest.mark.local_aws
def test_a_wrapped_key_that_is_none_opens_nothing(kms: KmsSealer):
    sealed = kms.seal(SCOPE, VALUES)["TOKEN"]

    for wrapped in ("AAAA", "no base64"):
        with pytest.raises(Unsealable):
            kms.open(SCOPE, {"TOKEN": replace(sealed, wrapped_key=wrapped)})


@pytest.mark.slow
def test_a_service_that_does_not_answer_may_do_so_later(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    kms = KmsSealer(BotocoreSession(), "arn:aws:kms:us-east-1:000000000000:key/none")

    with pytest.raises(SecretsUnavailable, match="does not answer"):
        kms.seal(SCOPE, VALUES)


def test_a_sealed_value_does_not_show_itself():
    sealed = Sealed(key_id="k", wrapped_key="w", nonce="n", text="ciphertext")

    assert "ciphertext" not in repr(sealed)
