"""GitHub's published description of its API: the part that we use, and what breaks it.

`python -m tests.forge.published FROM TO` cuts that part out, as JSON Schema.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

CUT = Path(__file__).parents[2] / ".build" / "github-openapi.json"

_REPOSITORY = "/repos/{owner}/{repo}"
USED = (
    ("get", "/app"),
    ("get", "/app/installations"),
    ("post", "/app/installations/{installation_id}/access_tokens"),
    ("get", "/installation/repositories"),
    ("get", _REPOSITORY),
    ("get", f"{_REPOSITORY}/installation"),
    ("get", f"{_REPOSITORY}/branches"),
    ("get", f"{_REPOSITORY}/git/ref/{{ref}}"),
    ("get", f"{_REPOSITORY}/pulls"),
    ("post", f"{_REPOSITORY}/pulls"),
    ("get", f"{_REPOSITORY}/pulls/{{pull_number}}"),
    ("patch", f"{_REPOSITORY}/pulls/{{pull_number}}"),
    ("post", f"{_REPOSITORY}/issues/{{issue_number}}/labels"),
    ("get", "/user"),
    ("get", "/user/emails"),
    ("get", "/user/memberships/orgs/{org}"),
)


@dataclass(frozen=True, slots=True)
class Published:
    """`document` is what was cut out."""

    document: Mapping[str, Any]

    def template(self, method: str, path: str) -> tuple[str, Mapping[str, str]] | None:
        for name in self.document["paths"]:
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(name))
            pattern = pattern.replace("(?P<ref>[^/]+)", "(?P<ref>.+)")
            if (found := re.fullmatch(pattern, path)) and method in self.document["paths"][name]:
                return name, found.groupdict()
        return None

    def wrong_request(
        self, method: str, template: str, query: Mapping[str, str], body: Any
    ) -> Iterator[str]:
        operation = self.document["paths"][template][method]
        known = {one["name"]: one for one in map(self._resolved, operation.get("parameters", []))}
        for name, value in query.items():
            if known.get(name, {}).get("in") != "query":
                yield f"no query parameter {name}"
            else:
                yield from self._wrong(known[name]["schema"], _typed(value, known[name]["schema"]))
        asked = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if body is not None and asked is None:
            yield "no body"
        elif body is not None:
            yield from self._wrong(asked["schema"], body)
            yield from _unknown(self._resolved(asked["schema"]), body)

    def wrong_answer(self, method: str, template: str, status: int, content: Any) -> Iterator[str]:
        answers = self.document["paths"][template][method]["responses"]
        if str(status) not in answers:
            if status < 400:
                yield f"never answers {status}"
            return  # any call may be refused
        answer = self._resolved(answers[str(status)])
        if schema := answer.get("content", {}).get("application/json", {}).get("schema"):
            yield from self._wrong(schema, content)

    def example(self, name: str) -> Any:
        return json.loads(json.dumps(self.document["components"]["examples"][name]["value"]))

    def _resolved(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in part:
            part = _at(self.document, part["$ref"])
        return part

    def _wrong(self, schema: Any, value: Any) -> Iterator[str]:
        whole = {"allOf": [schema], "components": self.document["components"]}
        for error in Draft202012Validator(whole).iter_errors(value):
            yield f"{error.json_path}: {error.message[:200]}"


@cache
def published() -> Published:
    return Published(json.loads(CUT.read_text()))


def cut(whole: Mapping[str, Any]) -> dict[str, Any]:
    """What is used, and all that it refers to."""
    paths: dict[str, Any] = {}
    for method, path in USED:
        paths.setdefault(path, {})[method] = whole["paths"][path][method]
    components: dict[str, Any] = {}
    wanted = list(_references(paths))
    while wanted:
        _, _, kind, name = wanted.pop().split("/")
        if name not in components.setdefault(kind, {}):
            found = components[kind][name] = whole["components"][kind][name]
            wanted += [] if kind == "examples" else _references(found)
    examples = components.pop("examples")
    translated = _translated({"paths": paths, "components": components})
    translated["components"]["examples"] = examples
    return translated


def _references(part: Any) -> Iterator[str]:
    match part:
        case dict():
            if isinstance(part.get("$ref"), str):
                yield part["$ref"]
            for value in part.values():
                yield from _references(value)
        case list():
            for value in part:
                yield from _references(value)
        case _:
            return


def _translated(part: Any) -> Any:
    """OpenAPI 3.0 says `nullable` where JSON Schema has a type for it."""
    match part:
        case {"nullable": True, **rest}:
            return {"anyOf": [_translated(rest), {"type": "null"}]}
        case dict():
            return {name: _translated(value) for name, value in part.items()}
        case list():
            return [_translated(value) for value in part]
        case _:
            return part


def _unknown(schema: Mapping[str, Any], body: Any) -> Iterator[str]:
    if isinstance(body, dict) and "properties" in schema:
        for name in body.keys() - schema["properties"].keys():
            yield f"no property {name}"


def _typed(value: str, schema: Mapping[str, Any]) -> Any:
    return int(value) if schema.get("type") == "integer" and value.isdecimal() else value


def _at(document: Any, reference: str) -> Any:
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(json.dumps(cut(json.loads(source.read_text()))))
