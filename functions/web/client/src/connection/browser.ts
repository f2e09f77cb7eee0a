/** The world as a browser has it. */

import * as server from "../api";
import { keep, recall } from "./tab";
import type { Hearer, Occasions, Socket, World } from "./world";

export const BROWSER: World = {
  server,
  now: Date.now,
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  random: Math.random,
  newId: server.newRequestId,
  dial,
  isVisible: () => document.visibilityState === "visible",
  isOnline: () => navigator.onLine,
  watch,
  onLogin: (act) => server.signedOut.subscribe((isOut) => act(!isOut)),
  load: recall,
  keep,
};

function dial(url: string, hearer: Hearer): Socket {
  const socket = new WebSocket(url);
  socket.onopen = () => hearer.opened();
  socket.onmessage = ({ data }) => hearer.heard(String(data));
  // An error is always followed by a close.
  socket.onclose = () => hearer.closed();
  return socket;
}

function watch(occasions: Occasions): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  document.addEventListener("visibilitychange", () => occasions.visibility(), { signal });
  window.addEventListener("online", () => occasions.network(), { signal });
  window.addEventListener("offline", () => occasions.network(), { signal });
  window.addEventListener("pageshow", ({ persisted }) => persisted && occasions.shown(), {
    signal,
  });
  return () => ends.abort();
}
