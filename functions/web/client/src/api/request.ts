/** One request to our own API: JSON, this browser's cookie, and errors as `ApiError`. */

import { errorOf, unreachable } from "./errors";
import { signedOut } from "./signed-out";

export const BASE = "/api";

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
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

export async function requestBytes(path: string, signal?: AbortSignal): Promise<Blob> {
  return (await send("GET", path, { signal })).blob();
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
  const response = await dispatch(url(path, options.query), init(method, options));
  if (response.ok) {
    return response;
  }
  const error = await errorOf(response);
  if (error.code === "unauthenticated" && path !== "/sign-in") {
    signedOut.value = true;
  }
  throw error;
}

async function dispatch(address: string, asked: RequestInit): Promise<Response> {
  try {
    return await fetch(address, asked);
  } catch (error) {
    if (asked.signal?.aborted === true) {
      throw error;
    }
    throw unreachable();
  }
}

function init(method: Method, { body, bytes, signal }: Options): RequestInit {
  // Another site can't send this header, so a request with it comes from our own pages.
  const headers: Record<string, string> = { "x-outboard": "web" };
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
