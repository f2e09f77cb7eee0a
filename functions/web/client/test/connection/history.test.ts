import { describe, expect, it } from "vitest";
import { History } from "../../src/connection/history";
import type { Page } from "../../src/connection/page";
import type { World } from "../../src/connection/world";
import type { FrameMessage, SubscribedMessage } from "../../src/protocol";
import { INITIAL, receive } from "../../src/session/state";
import { VIEW } from "../session/state/story";

describe("reading back", () => {
  it("asks for prompts by number, also before the newest have come", async () => {
    const asked: unknown[] = [];
    const server = {
      timeline: async () => ({ entries: [], tail: 9 }),
      prompts: async (_: string, query: object) => {
        asked.push(query);
        return { prompts: [] };
      },
    };
    const newest: FrameMessage = {
      type: "frame",
      seq: 9,
      at: "2026-01-01T00:00:09Z",
      attempt: 1,
      items: [{ type: "sandbox_event", event: { type: "prompt_started", prompt: 3 } }],
    };
    const joined: SubscribedMessage = {
      type: "subscribed",
      session: { ...VIEW, prompts: 3 },
      user: "ada",
      participants: [],
      frames: [newest],
      tail: 9,
      more: true,
    };
    const page = {
      state: receive(INITIAL, joined),
      tell: () => undefined,
    };
    const world = { server } as unknown as World;
    const history = new History(world, "s1", page as unknown as Page);

    await history.older();

    expect(asked).toEqual([{ after: 0, limit: 100 }]);
  });
});
