/** Time that passes when a test says so. */

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

export class Clock {
  now = Date.UTC(2026, 0, 1);
  private readonly timers = new Set<Timer>();

  after(milliseconds: number, act: () => void): () => void {
    const timer = { at: this.now + Math.max(0, milliseconds), act };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Everything that is due within that time happens, each at its own. */
  async run(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    await settle();
    for (let next = this.next(end); next !== undefined; next = this.next(end)) {
      this.timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.act();
      await settle();
    }
    this.now = Math.max(this.now, end);
  }

  /** The machine sleeps: time passes, and nothing happens. */
  sleep(milliseconds: number): void {
    this.now += milliseconds;
  }

  private next(end: number): Timer | undefined {
    const due = [...this.timers].filter(({ at }) => at <= end);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}

/** Lets promises that are settled be acted upon. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) {
    await Promise.resolve();
  }
}
