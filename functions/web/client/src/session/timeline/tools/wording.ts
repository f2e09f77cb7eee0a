/** A tool call in words: what is done to what, as a person would say it. */

import { lookup } from "../../../design/lookup";
import { firstLine, path, shortCommand, shortPath, type ToolInput, text } from "./input";

export type ToolKind =
  | "command"
  | "read"
  | "edit"
  | "write"
  | "search"
  | "files"
  | "web"
  | "delegate"
  | "plan"
  | "skill"
  | "screenshot"
  | "other";

export interface ToolCall {
  readonly tool: string;
  readonly title: string;
  readonly status: string;
  readonly input: ToolInput;
}

export interface ToolWords {
  readonly kind: ToolKind;
  readonly verb: string;
  readonly target: string;
  /** The target is code (a path, a command) and not words. */
  readonly code: boolean;
  /** Done by an agent that this one has asked for help. */
  readonly subtask: boolean;
}

interface Way {
  readonly kind: ToolKind;
  readonly doing: string;
  readonly done: string;
  readonly code: boolean;
  target(call: ToolCall): string;
}

const SUBTASK = "subtask: ";

const byPath = (call: ToolCall) => path(call.input);

const COMMAND: Way = {
  kind: "command",
  doing: "Running",
  done: "Ran",
  code: true,
  target: ({ input }) => shortCommand(text(input, "command", "cmd")),
};
const READ: Way = { kind: "read", doing: "Reading", done: "Read", code: true, target: byPath };
const EDIT: Way = { kind: "edit", doing: "Editing", done: "Edited", code: true, target: byPath };
const PATCH: Way = { ...EDIT, target: ({ input }) => patched(text(input, "patchText", "patch")) };
const WRITE: Way = { kind: "write", doing: "Writing", done: "Wrote", code: true, target: byPath };
const GREP: Way = {
  kind: "search",
  doing: "Searching for",
  done: "Searched for",
  code: true,
  target: ({ input }) => within(text(input, "pattern", "query"), text(input, "path", "include")),
};
const GLOB: Way = {
  kind: "files",
  doing: "Looking for",
  done: "Looked for",
  code: true,
  target: ({ input }) => within(text(input, "pattern"), text(input, "path")),
};
const LIST: Way = {
  kind: "files",
  doing: "Listing",
  done: "Listed",
  code: true,
  target: ({ input }) => path(input) || "the repository",
};
const FETCH: Way = {
  kind: "web",
  doing: "Fetching",
  done: "Fetched",
  code: true,
  target: ({ input }) => text(input, "url"),
};
const WEB_SEARCH: Way = {
  kind: "web",
  doing: "Searching the web for",
  done: "Searched the web for",
  code: false,
  target: ({ input }) => text(input, "query"),
};
const DELEGATE: Way = {
  kind: "delegate",
  doing: "Delegating",
  done: "Delegated",
  code: false,
  target: ({ input, title }) => text(input, "description") || title,
};
const PLAN: Way = {
  kind: "plan",
  doing: "Planning",
  done: "Updated the plan",
  code: false,
  target: () => "",
};
const SKILL: Way = {
  kind: "skill",
  doing: "Loading skill",
  done: "Loaded skill",
  code: false,
  target: ({ input, title }) => text(input, "name", "skill") || title,
};
const SCREENSHOT: Way = {
  kind: "screenshot",
  doing: "Handing in a screenshot",
  done: "Handed in a screenshot",
  code: false,
  target: ({ input }) => text(input, "title") || path(input),
};

const WAYS: Readonly<Record<string, Way>> = {
  bash: COMMAND,
  shell: COMMAND,
  read: READ,
  edit: EDIT,
  multiedit: EDIT,
  notebookedit: EDIT,
  patch: PATCH,
  apply_patch: PATCH,
  write: WRITE,
  grep: GREP,
  glob: GLOB,
  list: LIST,
  ls: LIST,
  webfetch: FETCH,
  websearch: WEB_SEARCH,
  task: DELEGATE,
  todowrite: PLAN,
  todoread: PLAN,
  skill: SKILL,
  outboard_screenshot: SCREENSHOT,
};

export function wording(call: ToolCall): ToolWords {
  const subtask = call.title.startsWith(SUBTASK);
  const title = subtask ? call.title.slice(SUBTASK.length) : call.title;
  const way = lookup(WAYS, call.tool.toLowerCase()) ?? unknown(call.tool);
  const going = call.status === "pending" || call.status === "running";
  return {
    kind: way.kind,
    verb: going ? way.doing : way.done,
    target: way.target({ ...call, title }),
    code: way.code,
    subtask,
  };
}

function unknown(tool: string): Way {
  const name = tool.replaceAll("_", " ");
  const target = ({ title }: ToolCall) => (title === "" ? name : `${name}: ${firstLine(title)}`);
  return { kind: "other", doing: "Using", done: "Used", code: false, target };
}

function within(pattern: string, place: string): string {
  const where = shortPath(place);
  return where === "" || where === "." ? pattern : `${pattern} in ${where}`;
}

function patched(patch: string): string {
  const names = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)];
  const first = shortPath(names[0]?.[1] ?? "");
  return names.length > 1 ? `${first} and ${names.length - 1} more` : first || "files";
}
