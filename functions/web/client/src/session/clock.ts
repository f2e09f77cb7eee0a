/** The time, once a second, for as long as something on the page runs. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const now = signal(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(running: boolean): number {
  useEffect(() => (running ? watch() : undefined), [running]);
  return running ? now.value : now.peek();
}

function watch(): () => void {
  watchers += 1;
  now.value = Date.now();
  timer ??= setInterval(() => {
    now.value = Date.now();
  }, 1_000);
  return () => {
    watchers -= 1;
    if (watchers === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}
