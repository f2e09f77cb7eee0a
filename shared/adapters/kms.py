"""Envelope encryption: AES-256-GCM under data keys that KMS alone can unwrap.

A data key is bound to its scope by KMS (the encryption context) and by us; each value to its name,
too. So an item that somebody moves or renames does not open.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import cached_property
from os import urandom
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session as BotocoreSession

from shared.app.ports.sealing import Sealed, SecretsUnavailable, Unsealable

CONTEXT = "outboard:scope"
"""Under which KMS, its log and the grants know a scope."""

_NONCE_BYTES = 12
_CONFIG = Config(connect_timeout=2, read_timeout=5, retries={"max_attempts": 3, "mode": "standard"})
_FOR_GOOD = frozenset(
    {
        *("InvalidCiphertextException", "IncorrectKeyException", "AccessDeniedException"),
        *("NotFoundException", "DisabledException", "KMSInvalidStateException"),
        *("InvalidKeyUsageException", "ValidationException", "InvalidArnException"),
    }
)


class KmsSealer:
    def __init__(self, session: BotocoreSession, key_arn: str) -> None:
        self._session = session
        self._key_arn = key_arn

    @cached_property
    def _client(self) -> Any:
        return self._session.create_client("kms", config=_CONFIG)

    def seal(self, context: str, values: Mapping[str, str]) -> Mapping[str, Sealed]:
        if not values:
            return {}
        answer = self._ask(
            "generate_data_key",
            KeyId=self._key_arn,
            KeySpec="AES_256",
            EncryptionContext={CONTEXT: context},
        )
        cipher = _cipher(answer["Plaintext"])
        wrapped, key_id = _text(answer["CiphertextBlob"]), answer["KeyId"]
        return {
            name: _sealed(cipher, context, name, value, wrapped_key=wrapped, key_id=key_id)
            for name, value in values.items()
        }

    def open(self, context: str, sealed: Mapping[str, Sealed]) -> Mapping[str, str]:
        """Values that were sealed together are opened with one question to KMS."""
        keys = {(one.key_id, one.wrapped_key) for one in sealed.values()}
        ciphers = {(key_id, key): self._unwrapped(context, key_id, key) for key_id, key in keys}
        return {
            name: _opened(ciphers[one.key_id, one.wrapped_key], context, name, one)
            for name, one in sealed.items()
        }

    def _unwrapped(self, context: str, key_id: str, wrapped: str) -> Any:
        answer = self._ask(
            "decrypt",
            KeyId=key_id,
            CiphertextBlob=_bytes(wrapped),
            EncryptionContext={CONTEXT: context},
        )
        return _cipher(answer["Plaintext"])

    def _ask(self, operation: str, **parameters: Any) -> Any:
        """An error of KMS names keys and never a plaintext, but it is ours to say what is wrong."""
        try:
            return getattr(self._client, operation)(**parameters)
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code in _FOR_GOOD:
                raise Unsealable(f"KMS refuses the key of the secrets ({code})") from error
            raise SecretsUnavailable(
                f"KMS does not serve the key of the secrets ({code})"
            ) from error
        except BotoCoreError as error:
            raise SecretsUnavailable("KMS does not answer") from error


def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415  most requests need none
        AESGCM,
    )

    return AESGCM(key)


def _sealed(
    cipher: Any, context: str, name: str, value: str, *, wrapped_key: str, key_id: str
) -> Sealed:
    nonce = urandom(_NONCE_BYTES)
    text = cipher.encrypt(nonce, value.encode(), _place(context, name))
    return Sealed(key_id=key_id, wrapped_key=wrapped_key, nonce=_text(nonce), text=_text(text))


def _opened(cipher: Any, context: str, name: str, sealed: Sealed) -> str:
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415  as above

    nonce, text = _bytes(sealed.nonce), _bytes(sealed.text)
    try:
        return cipher.decrypt(nonce, text, _place(context, name)).decode()
    except (InvalidTag, ValueError):
        raise Unsealable(f"the secret {name} cannot be opened") from None


def _place(context: str, name: str) -> bytes:
    """What a value is bound to, in a form that no two places share."""
    return json.dumps([context, name]).encode()


def _text(content: bytes) -> str:
    return b64encode(content).decode()


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise Unsealable("a secret is not as it was kept") from None
