"""Plays an agent for the demo model: its tools, really, in a real directory."""

import json
import subprocess
from pathlib import Path
from typing import Any

from infra.local.demo_model.demo import answer
from infra.local.demo_model.openai_chat import OpenAIChat
from infra.local.demo_model.reply import Reply, ToolCall

MOST_STEPS = 20
OPENCODE = {
    "bash": ["command", "description"],
    "read": ["filePath"],
    "write": ["filePath", "content"],
    "edit": ["filePath", "oldString", "newString"],
}
CLAUDE = {
    "Bash": ["command", "description"],
    "Read": ["file_path"],
    "Write": ["file_path", "content"],
    "Edit": ["file_path", "old_string", "new_string"],
}


class Agent:
    def __init__(self, root: Path, tools: dict[str, list[str]] = OPENCODE) -> None:
        self.root = root
        self.calls: list[str] = []
        self._tools = tools

    def do(self, prompt: str) -> str:
        """The last words of the turn."""
        messages: list[dict[str, Any]] = [{"role": "user", "content": prompt}]
        for _ in range(MOST_STEPS):
            reply = self._ask(messages)
            messages.append(_said(reply))
            if not reply.tools:
                return reply.text
            for call in reply.tools:
                self.calls.append(call.name)
                messages.append({"role": "tool", "content": self._run(call)})
        raise AssertionError("the demo does not come to an end")

    def _ask(self, messages: list[dict[str, Any]]) -> Reply:
        tools = [
            {"function": {"name": name, "parameters": {"properties": {key: {} for key in names}}}}
            for name, names in self._tools.items()
        ]
        return answer(
            OpenAIChat().conversation({"model": "m", "messages": messages, "tools": tools})
        )

    def _run(self, call: ToolCall) -> str:
        given = {name.replace("_", "").lower(): value for name, value in call.args.items()}
        match call.name.lower():
            case "bash":
                return self._bash(given["command"])
            case "read":
                lines = (self.root / given["filepath"]).read_text().splitlines()
                return "\n".join(f"{at}: {line}" for at, line in enumerate(lines, start=1))
            case "write":
                path = self.root / given["filepath"]
                path.parent.mkdir(exist_ok=True)
                path.write_text(given["content"])
                return "Wrote file successfully."
            case "edit":
                path = self.root / given["filepath"]
                text = path.read_text()
                assert text.count(given["oldstring"]) == 1
                path.write_text(text.replace(given["oldstring"], given["newstring"]))
                return "Edit applied successfully."
            case unknown:
                raise AssertionError(f"no tool {unknown}")

    def _bash(self, command: str) -> str:
        ran = subprocess.run(
            ["bash", "-c", command], cwd=self.root, capture_output=True, text=True, check=False
        )
        return ran.stdout + ran.stderr


def _said(reply: Reply) -> dict[str, Any]:
    calls = [{"id": call.id, "args": json.dumps(call.args)} for call in reply.tools]
    return {"role": "assistant", "content": reply.text, "tool_calls": calls}
