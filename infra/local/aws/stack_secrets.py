"""Secrets that a stack generates are secret.

MiniStack draws them from Python's `random`, which is not for secrets, and leaves the value empty
where the template says `GenerateSecretString: {}`, which is what the CDK writes by default.
"""

import json
import secrets
import string
from typing import Any

from ministack.services.cloudformation import provisioners

from infra.local.aws import emulator

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

_ALPHABETS = {
    "ExcludeUppercase": string.ascii_uppercase,
    "ExcludeLowercase": string.ascii_lowercase,
    "ExcludeNumbers": string.digits,
    "ExcludePunctuation": string.punctuation,
}


def install() -> None:
    provisioners._sm_secret_string = secret_string


def secret_string(properties: Any) -> str:
    given = properties.get("SecretString")
    wish = properties.get("GenerateSecretString")
    if given is not None or wish is None:
        return given or ""
    drawn = "".join(
        secrets.choice(_alphabet(wish)) for _ in range(int(wish.get("PasswordLength", 32)))
    )
    if "SecretStringTemplate" not in wish:
        return drawn
    return json.dumps(
        {**json.loads(wish["SecretStringTemplate"]), wish["GenerateStringKey"]: drawn}
    )


def _alphabet(wish: Any) -> str:
    allowed = "".join(
        letters for name, letters in _ALPHABETS.items() if not _is_true(wish.get(name))
    )
    return "".join(letter for letter in allowed if letter not in wish.get("ExcludeCharacters", ""))


def _is_true(value: Any) -> bool:
    return value in (True, "true")
