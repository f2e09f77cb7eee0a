// Runs inside OpenCode. Holds what may write until the bridge lets it, hands the agent's screenshots
// to the bridge, and keeps the bridge's own settings from the agent's commands. Plain JavaScript
// without imports: it loads without npm.

const READS = new Set([
  "glob", "grep", "invalid", "list", "lsp", "outboard_screenshot", "question", "read", "skill",
  "task", "todoread", "todowrite", "webfetch", "websearch",
])

const ITS_OWN = {
  OPENCODE_SERVER_PASSWORD: "",
  OUTBOARD_GATE_TOKEN: "",
  OUTBOARD_GATE_URL: "",
  OUTBOARD_PULL_REQUEST_URL: "",
  OUTBOARD_SCREENSHOT_URL: "",
  npm_config_fetch_retries: "2",
  npm_config_fetch_timeout: "300000",
}

// Arguments that are no Zod types are taken as the properties of a JSON schema, all required.
const screenshot = (url, authorization) => ({
  description:
    "Show the user an image: a screenshot of what you built, or a picture that you made. " +
    "It is kept with the session. PNG, JPEG, WebP or GIF, at most 10 MiB.",
  args: {
    path: { type: "string", description: "The image file, absolute or from the project's directory" },
    title: { type: "string", description: "What it shows, in a few words" },
  },
  execute: async ({ path, title }, { abort }) => {
    const body = JSON.stringify({ path, title: title ?? "" })
    const headers = { authorization, "content-type": "application/json" }
    const answer = await fetch(url, { method: "POST", headers, body, signal: abort, timeout: false })
    const said = await answer.text()
    if (!answer.ok) throw new Error(said)
    return { title, output: said, metadata: {} }
  },
})

const pullRequest = (url, authorization) => ({
  description:
    "Open a pull request with your work, in the name of whoever asked. What is not committed is " +
    "committed and pushed first. Asked again while it is open, it gets the title and the text that are given. " +
    "Only when the user wants one.",
  args: {
    title: { type: "string", description: "What it does, in a line" },
    body: { type: "string", description: "Why and how, in Markdown" },
    repository: { type: "string", description: "The repository's directory; empty if there is one only" },
    base: { type: "string", description: "The branch to merge into; empty: where the work began" },
    draft: { type: "boolean", description: "Whether it is not ready for review" },
  },
  execute: async (asked, { abort }) => {
    const headers = { authorization, "content-type": "application/json" }
    const body = JSON.stringify(asked)
    const answer = await fetch(url, { method: "POST", headers, body, signal: abort, timeout: false })
    const said = await answer.text()
    if (!answer.ok) throw new Error(said)
    return { title: asked.title, output: said, metadata: {} }
  },
})

export const Outboard = async () => {
  const url = process.env.OUTBOARD_GATE_URL
  const screenshots = process.env.OUTBOARD_SCREENSHOT_URL
  const pullRequests = process.env.OUTBOARD_PULL_REQUEST_URL
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
    tool: {
      ...(screenshots && { outboard_screenshot: screenshot(screenshots, `Bearer ${token}`) }),
      ...(pullRequests && { outboard_pull_request: pullRequest(pullRequests, `Bearer ${token}`) }),
    },
  }
}
