/** What came before the newest page: older slots, and the prompts of what is loaded. */

import { unlessRefused } from "../api";
import type { EntryView, FrameMessage } from "../protocol";
import { hasOlder, newestPrompt, oldestTurn } from "../session/state";
import type { Page } from "./page";
import type { World } from "./world";

/** Of slots, at once. */
const SLOTS = 200;

/** Of prompts, at once. No session has more unfinished ones than half of it. */
const PROMPTS = 100;

export class History {
  private loading: Promise<void> | null = null;
  /** All prompts from that number on are known. */
  private promptsFrom = Number.POSITIVE_INFINITY;

  constructor(
    private readonly world: World,
    private readonly sessionId: string,
    private readonly page: Page,
  ) {}

  /** The slots in front of what is loaded, if there are any. Raises `ApiError`. */
  older(): Promise<void> {
    this.loading ??= this.load().finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  /** The newest prompts. Those whose list can't be had are known from the timeline, for now. */
  async newestPrompts(): Promise<void> {
    await this.promptsBefore(newestPrompt(this.page.state) + 1).catch(unlessRefused);
  }

  private async load(): Promise<void> {
    const { loaded } = this.page.state;
    if (loaded === null || !hasOlder(this.page.state)) {
      return;
    }
    const asked = { before: loaded.first, limit: SLOTS };
    const { entries, tail } = await this.world.server.timeline(this.sessionId, asked);
    this.page.tell({ type: "page", frames: entries.map(frameOf), tail, more: false });
    const oldest = oldestTurn(this.page.state);
    if (oldest !== null && oldest < this.promptsFrom) {
      // Whoever reads back at once is here before the newest prompts are.
      await this.promptsBefore(Math.min(this.promptsFrom, newestPrompt(this.page.state) + 1));
    }
  }

  private async promptsBefore(number: number): Promise<void> {
    const after = Math.max(0, number - 1 - PROMPTS);
    const asked = { after, limit: PROMPTS };
    const { prompts } = await this.world.server.prompts(this.sessionId, asked);
    this.promptsFrom = Math.min(this.promptsFrom, after + 1);
    this.page.tell({ type: "prompts", prompts });
  }
}

/** The same slot as the socket would bring it. */
function frameOf({ seq, at, attempt, events }: EntryView): FrameMessage {
  const items = events.map((event) => ({ type: String(event.type), event }));
  return { type: "frame", seq, at, attempt, items };
}
