/** One request to our own API: JSON, this browser's cookie, and errors as `ApiError`. */

import { errorOf, unreachable } from "./errors";
import { pageKey } from "./page-key";
import { signedOut } from "./signed-out";

const BASE = "/api";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type QueryValue = string | number | boolean | null | undefined;

export interface Options {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly bytes?: Blob;
  readonly signal?: AbortSignal | undefined;
}

/** Raises `ApiError`, and the browser's own `AbortError` when `signal` says so. */
export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) {
    return undefined as T;
  }
  return reached<T>(() => response.json(), options.signal);
}

export async function requestBytes(path: string, signal?: AbortSignal): Promise<Blob> {
  const response = await send("GET", path, { signal });
  return reached(() => response.blob(), signal);
}

export function get<T>(path: string, options?: Options): Promise<T> {
  return request("GET", path, options);
}

export function post<T>(path: string, body?: unknown, options?: Options): Promise<T> {
  return request("POST", path, { ...options, body });
}

export function put<T>(path: string, body?: unknown, options?: Options): Promise<T> {
  return request("PUT", path, { ...options, body });
}

export function patch<T>(path: string, body?: unknown, options?: Options): Promise<T> {
  return request("PATCH", path, { ...options, body });
}

export function remove<T>(path: string, options?: Options): Promise<T> {
  return request("DELETE", path, options);
}

async function send(method: Method, path: string, options: Options): Promise<Response> {
  const asked = init(method, options);
  const response = await reached(() => fetch(url(path, options.query), asked), options.signal);
  if (response.ok) {
    return response;
  }
  const error = await errorOf(response);
  if (error.code === "unauthenticated" && path !== "/sign-in") {
    signedOut.value = true;
  }
  throw error;
}

/** An answer may break off in its middle, too, and be no answer of ours. */
async function reached<T>(act: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
    throw unreachable();
  }
}

function init(method: Method, { body, bytes, signal }: Options): RequestInit {
  // Another site can't send this header, so a request with it comes from our own pages.
  const key = pageKey();
  const headers: Record<string, string> = { "x-outboard": key === null ? "web" : `web ${key}` };
  const asked: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (bytes !== undefined) {
    headers["content-type"] = "application/octet-stream";
    asked.body = bytes;
  } else if (body !== undefined) {
    headers["content-type"] = "application/json";
    asked.body = JSON.stringify(body);
  }
  return signal === undefined ? asked : { ...asked, signal };
}

function url(path: string, query: Options["query"]): string {
  const known = Object.entries(query ?? {}).filter(([, value]) => value != null);
  const words = new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
  return words.size === 0 ? BASE + path : `${BASE}${path}?${words}`;
}
