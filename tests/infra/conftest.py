"""The synthesised template, once for all tests that read it."""

import json
import os
from typing import Any

import pytest

from layers.artifact import BUILD
from tests.web import BUILT


@pytest.fixture(scope="session")
def template(tmp_path_factory) -> dict[str, Any]:
    # jsii fills half a screen about it at each start; docs/adr/0006 says which Node we need.
    os.environ.setdefault("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "20")
    from infra import app, names, sources  # noqa: PLC0415 - starting jsii takes seconds

    out = tmp_path_factory.mktemp("cdk.out")
    pages = sources.pages(BUILT, target=BUILD / "functions" / "web-of-tests")
    app.synthesize(sources.for_this_machine(), pages, str(out))
    return json.loads((out / f"{names.STACK}.template.json").read_text())
