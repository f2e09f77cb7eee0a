/** Asks again and again while the page is looked at, and at once when it is looked at again. */

export interface Poll {
  /** Without waiting for the next turn. */
  now: () => void;
  stop: () => void;
}

/** `ask` must not reject. One at a time; the pause is between an answer and the next question. */
export function poll(ask: () => Promise<void>, pauseMs: number): Poll {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let again = false;
  let stopped = false;

  const run = async () => {
    clearTimeout(timer);
    if (stopped || document.hidden) return;
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    again = false;
    await ask();
    asking = false;
    if (again) void run();
    else if (!stopped && !document.hidden) timer = setTimeout(run, pauseMs);
  };
  const onVisible = () => {
    if (document.hidden) clearTimeout(timer);
    else void run();
  };

  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("online", run);
  void run();
  return {
    now: () => void run(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("online", run);
    },
  };
}
