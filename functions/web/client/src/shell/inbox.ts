/** The inbox: polled, with our own changes shown before the server has them. */
import { computed, signal } from "@preact/signals";
import * as api from "../api";
import { announce } from "../design/announce";
import type { Inbox, InboxRow } from "../protocol";
import { applied, type Change, rows } from "./inbox-changes";
import { type Poll, poll } from "./polling";
import { storedFlag } from "./stored";

/** With the time an answer takes, the list is at most 5 s behind. */
const PAUSE_MS = 4_000;
const MOST = 100;

interface Pending {
  change: Change;
  /** The first question that was asked after it was done; null: it is not done. */
  shownFrom: number | null;
}

const answer = signal<Inbox | null>(null);
const pending = signal<readonly Pending[]>([]);
let asked = 0;
let running: Poll | null = null;

/** Of ours alone, or of everybody. */
export const mineOnly = storedFlag("inbox-mine", false);

/** Why the newest question was not answered; null: it was. */
export const inboxError = signal<api.ApiError | null>(null);

/** null: nothing came yet. */
export const inbox = computed<Inbox | null>(() => {
  const changes = pending.value.map((each) => each.change);
  return answer.value && applied(answer.value, changes);
});

export const unreadCount = computed(() => inbox.value?.needsAttention.length ?? 0);

/** As long as the page is there; returns what ends it. */
export function followInbox(): () => void {
  running = poll(ask, PAUSE_MS);
  return () => {
    running?.stop();
    running = null;
  };
}

export function refreshInbox(): void {
  running?.now();
}

export function showMineOnly(mine: boolean): void {
  mineOnly.value = mine;
  refreshInbox();
}

export function rowOf(session: string): InboxRow | null {
  const shown = inbox.value;
  return (shown && rows(shown).find((row) => row.session.id === session)) ?? null;
}

/** Shows `change` at once and takes it off again when `carryOut` rejects, which it passes on. */
export async function optimistically<Value>(
  change: Change,
  carryOut: () => Promise<Value>,
): Promise<Value> {
  const entry: Pending = { change, shownFrom: null };
  pending.value = [...pending.value, entry];
  try {
    const value = await carryOut();
    entry.shownFrom = asked + 1;
    refreshInbox();
    return value;
  } catch (error) {
    drop((each) => each === entry);
    throw error;
  }
}

async function ask(): Promise<void> {
  if (api.signedOut.value) return;
  asked += 1;
  const question = asked;
  try {
    const got = await api.inbox(mineOnly.value, MOST);
    drop((each) => each.shownFrom !== null && each.shownFrom <= question);
    tell(answer.value, got);
    if (JSON.stringify(got) !== JSON.stringify(answer.value)) answer.value = got;
    inboxError.value = null;
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    inboxError.value = error;
  }
}

function drop(gone: (each: Pending) => boolean): void {
  if (pending.value.some(gone)) pending.value = pending.value.filter((each) => !gone(each));
}

/** A turn that finished elsewhere is said; the session's own page says its own. */
function tell(before: Inbox | null, now: Inbox): void {
  const known = new Set(before?.needsAttention.map((row) => row.session.id));
  for (const { session } of before ? now.needsAttention : []) {
    if (known.has(session.id) || location.pathname.endsWith(session.id)) continue;
    announce(`${session.title || "A session"} needs attention`);
  }
}
