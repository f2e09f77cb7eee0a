// Runs inside OpenCode. Holds what may write until the bridge lets it, and keeps the bridge's own
// settings from the agent's commands. Plain JavaScript without imports: it loads without npm.

const READS = new Set([
  "glob", "grep", "invalid", "list", "lsp", "question", "read", "skill", "task",
  "todoread", "todowrite", "webfetch", "websearch",
])

const ITS_OWN = {
  OPENCODE_SERVER_PASSWORD: "",
  OUTBOARD_GATE_TOKEN: "",
  OUTBOARD_GATE_URL: "",
  npm_config_fetch_retries: "2",
  npm_config_fetch_timeout: "300000",
}

export const Outboard = async () => {
  const url = process.env.OUTBOARD_GATE_URL
  const token = process.env.OUTBOARD_GATE_TOKEN
  let open = !url

  const pass = async () => {
    // The gate has its own deadline, so this request has none.
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, timeout: false })
    if (!answer.ok) throw new Error(await answer.text())
    open = true
  }

  return {
    "tool.execute.before": async ({ tool }) => {
      if (!open && !READS.has(tool)) await pass()
    },
    "shell.env": async (_, { env }) => {
      Object.assign(env, ITS_OWN)
    },
  }
}
