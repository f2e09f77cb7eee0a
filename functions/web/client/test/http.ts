/** A server for `fetch`: answers by method and path, and remembers what it was asked. */

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

type Answer = (asked: Asked) => unknown;

/** What an answer throws: the status and the error of the wire. */
export class Refusal {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    this.status = status;
    this.code = code;
  }
}

export class Server {
  readonly asked: Asked[] = [];
  readonly #answers = new Map<string, Answer>();

  constructor() {
    globalThis.fetch = (address, asked) => this.#answer(String(address), asked ?? {});
  }

  /** `what` is like `GET /inbox`. */
  on(what: string, answer: Answer): this {
    this.#answers.set(what, answer);
    return this;
  }

  times(what: string): number {
    return this.asked.filter((each) => `${each.method} ${each.path}` === what).length;
  }

  bodies(what: string): unknown[] {
    const asked = this.asked.filter((each) => `${each.method} ${each.path}` === what);
    return asked.map((each) => each.body);
  }

  async #answer(address: string, { method = "GET", body }: RequestInit): Promise<Response> {
    const url = new URL(address, "http://localhost");
    const path = url.pathname.replace(/^\/api/, "");
    const read = typeof body === "string" ? JSON.parse(body) : null;
    const asked = { method, path, query: url.searchParams, body: read };
    this.asked.push(asked);
    try {
      const answer = await this.#answers.get(`${method} ${path}`)?.(asked);
      return answer === undefined
        ? Response.json({ code: "not_found", message: "nothing" }, { status: 404 })
        : Response.json(answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const view = { code: error.code, message: "refused" };
      return Response.json(view, { status: error.status });
    }
  }
}
