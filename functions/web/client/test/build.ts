/** Values of the wire, so that a test says only what matters to it. */
import type {
  EnvironmentView,
  ForgeRepositoryView,
  Inbox,
  InboxRow,
  Me,
  ModelList,
  RememberedRepository,
  SessionView,
} from "../src/protocol";

const AT = "2026-11-30T12:00:00Z";

const NOTHING_CHOSEN = {
  lifetimeSeconds: null,
  finalBufferSeconds: null,
  inactivitySeconds: null,
  tunnelPorts: null,
  cpuCores: null,
  memoryMib: null,
};

export function session(id: string, part: Partial<SessionView> = {}): SessionView {
  return {
    id,
    title: `Session ${id}`,
    owner: "ada",
    status: "completed",
    sandbox: {
      status: "stopped",
      attempt: 1,
      phase: null,
      repository: null,
      error: null,
      expiresAt: null,
      tunnels: {},
      savedAt: null,
    },
    repositories: [
      {
        url: "https://github.com/acme/api.git",
        name: "api",
        branch: null,
        label: "",
        pushedBranch: null,
        pushedCommit: null,
      },
    ],
    environment: null,
    model: "demo",
    effort: null,
    settings: NOTHING_CHOSEN,
    demo: true,
    pullRequests: [],
    offers: [],
    prompts: 1,
    unfinished: 0,
    running: null,
    held: false,
    retryAt: null,
    branch: null,
    commit: null,
    cost: 0,
    createdAt: AT,
    updatedAt: AT,
    finished: 1,
    outcome: "completed",
    tokens: { input: 0, output: 0, cached: 0 },
    ...part,
  };
}

export function row(id: string, part: Partial<SessionView> = {}, unread = false): InboxRow {
  return { session: session(id, part), unread };
}

export function inbox(part: Partial<Inbox> = {}): Inbox {
  return { needsAttention: [], inProgress: [], recent: [], more: false, ...part };
}

export function me(part: Partial<Me> = {}): Me {
  return {
    name: "ada",
    role: "owner",
    displayName: "Ada Lovelace",
    email: null,
    createdAt: AT,
    via: "cookie",
    ...part,
  };
}

export const MODELS: ModelList = {
  models: [
    { id: "demo", label: "Demo", efforts: ["low", "high"], defaultEffort: "low" },
    { id: "plain", label: "Plain", efforts: [], defaultEffort: null },
  ],
  default: "demo",
  demo: true,
};

export function repository(
  name: string,
  part: Partial<RememberedRepository> = {},
): RememberedRepository {
  const url = `https://github.com/acme/${name}.git`;
  return { url, name, label: "", branch: null, usedAt: AT, ...part };
}

/** Of repositories that are called so, on their default branches. */
export function environment(
  name: string,
  repositories: readonly string[],
  part: Partial<EnvironmentView> = {},
): EnvironmentView {
  return {
    id: `env_${name}`,
    name,
    description: "",
    repositories: repositories.map((each) => {
      const { url } = repository(each);
      const pushed = { pushedBranch: null, pushedCommit: null };
      return { url, name: each, branch: null, label: url, ...pushed };
    }),
    version: "1",
    createdAt: AT,
    createdBy: "ada",
    updatedAt: AT,
    updatedBy: "ada",
    ...part,
  };
}

export function offeredRepository(name: string): ForgeRepositoryView {
  return {
    url: `https://github.com/acme/${name}.git`,
    fullName: `acme/${name}`,
    description: "",
    defaultBranch: "main",
    private: false,
    archived: false,
  };
}
