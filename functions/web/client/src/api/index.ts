/** The server's API, one function for each thing that can be asked. `import * as api from "…/api"`. */

export * from "./access-tokens";
export * from "./accounts";
export * from "./attachments";
export * from "./changes";
export * from "./environments";
export { ApiError, UNREACHABLE, unlessRefused } from "./errors";
export * from "./forge";
export * from "./repository-settings";
export { newRequestId } from "./request-id";
export * from "./secrets";
export * from "./sessions";
export * from "./settings";
export { signedOut } from "./signed-out";
export * from "./workspace";
