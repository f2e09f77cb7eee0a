/** Requests over the socket with their answers, or over HTTP when there is none to be had. */

import { ApiError } from "../api";
import type { FromClient, ToClient } from "../protocol";
import { ANSWER } from "./pace";
import type { World } from "./world";

type Request = Extract<FromClient, { requestId: string }>;

/** No answer: whether it was carried out is not known, so it is asked again with the same id. */
const UNANSWERED = new ApiError(0, "unavailable", "the socket did not answer");

/** A message of more than 32 KB is not taken on a socket. */
const MAX_BYTES = 30 * 1024;

interface Awaited {
  resolve(prompt: number | null): void;
  reject(error: ApiError): void;
}

export class Requests {
  private readonly awaited = new Map<string, Awaited>();

  constructor(
    private readonly world: World,
    private readonly send: (message: FromClient) => boolean,
  ) {}

  /** Raises `ApiError`. `overHttp` asks for the same, so that asking twice is asking once. */
  async ask<T>(request: Request, overHttp: () => Promise<T>): Promise<T | number | null> {
    try {
      return await this.overSocket(request);
    } catch (error) {
      if (error instanceof ApiError && error.transient) {
        return await overHttp();
      }
      throw error;
    }
  }

  /** An answer, or something else. */
  heard(message: ToClient): void {
    switch (message.type) {
      case "prompt_accepted":
        this.awaited.get(message.requestId)?.resolve(message.prompt);
        break;
      case "done":
        this.awaited.get(message.requestId)?.resolve(null);
        break;
      case "error":
        this.awaited.get(message.requestId ?? "")?.reject(refusal(message.code, message.message));
        break;
    }
  }

  /** The socket is gone. */
  lost(): void {
    for (const { reject } of [...this.awaited.values()]) {
      reject(UNANSWERED);
    }
  }

  private overSocket(request: Request): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (isTooLong(request) || !this.send(request)) {
        reject(UNANSWERED);
        return;
      }
      const cancel = this.world.after(ANSWER, () =>
        this.awaited.get(request.requestId)?.reject(UNANSWERED),
      );
      const over = () => {
        cancel();
        this.awaited.delete(request.requestId);
      };
      this.awaited.set(request.requestId, {
        resolve: (prompt) => [over(), resolve(prompt)],
        reject: (error) => [over(), reject(error)],
      });
    });
  }
}

function refusal(code: string, message: string): ApiError {
  return new ApiError(409, code, message);
}

function isTooLong(request: Request): boolean {
  return new TextEncoder().encode(JSON.stringify(request)).length > MAX_BYTES;
}
