/** What the server, or the way to it, refuses. Branch on `code`, show `message`. */

import type { ErrorView } from "../protocol";

/** No answer came: the network, or a server that is being restarted. */
export const UNREACHABLE = "unreachable";

/** Codes after which the same request may succeed, unchanged. */
const TRANSIENT = new Set([UNREACHABLE, "contended", "internal", "unavailable"]);

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** The field of what was sent that is wrong, when it is one. */
  readonly field: string | null;

  constructor(status: number, code: string, message: string, field: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  get transient(): boolean {
    return TRANSIENT.has(this.code) || this.status >= 500;
  }
}

export function unreachable(): ApiError {
  return new ApiError(0, UNREACHABLE, "the server can't be reached");
}

/** For what the page can do without: a refusal is nothing, a bug of ours is still one. */
export function unlessRefused(error: unknown): null {
  if (error instanceof ApiError) {
    return null;
  }
  throw error;
}

/** API Gateway answers some errors itself, with a body that is not ours. */
export async function errorOf(response: Response): Promise<ApiError> {
  const view = await viewOf(response);
  const code = view.code ?? (response.status === 401 ? "unauthenticated" : "internal");
  const message = view.message ?? `the server answered ${response.status}`;
  return new ApiError(response.status, code, message, view.field ?? null);
}

async function viewOf(response: Response): Promise<Partial<ErrorView>> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}
