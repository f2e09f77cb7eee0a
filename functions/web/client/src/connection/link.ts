/**
 * The rules of one socket, without a socket or a clock: what to send when, and when to give up.
 *
 * Slots are dense, so a frame that is not the next one, or a tail that is further on, means that
 * others are missing. They may still be on their way for a moment, then they are fetched. Every
 * pong carries the tail, so the last frame is missed no longer than until the next ping.
 */

import type { FromClient, ToClient } from "../protocol";
import {
  ANSWER,
  HOLE,
  LIFETIME,
  LIFETIME_SPREAD,
  PING_HIDDEN,
  PING_IDLE,
  PING_RUNNING,
  PROVEN,
} from "./pace";

/** How far the page is. */
export interface Place {
  /** The newest slot it has without a hole. */
  readonly cursor: number;
  /** The newest slot there is, as far as it knows. */
  readonly tail: number;
  readonly isRunning: boolean;
  readonly isVisible: boolean;
}

export interface Link {
  readonly openedAt: number;
  readonly endsAt: number;
  readonly isSubscribed: boolean;
  readonly isRefused: boolean;
  readonly pingedAt: number;
  /** When silence means that it is dead; null: nothing is asked. */
  readonly answerBy: number | null;
  /** When what is missing is to be fetched; null: nothing is missing. */
  readonly fetchAt: number | null;
}

/** Of one answer: 200 is the most that the server gives. */
const FETCHED = 200;

export function dialled(now: number, random: number): Link {
  return {
    openedAt: now,
    endsAt: now + LIFETIME * (1 - LIFETIME_SPREAD * random),
    isSubscribed: false,
    isRefused: false,
    pingedAt: now,
    answerBy: now + ANSWER,
    fetchAt: null,
  };
}

/** `before` and `after`: how far the page was without, and is with, the message. */
export function heard(
  link: Link,
  message: ToClient,
  before: Place,
  after: Place,
  now: number,
): Link {
  const alive = link.isSubscribed ? { ...link, answerBy: null } : link;
  switch (message.type) {
    case "subscribed": {
      const joined = { ...alive, isSubscribed: true, answerBy: null, pingedAt: now };
      return planned({ ...joined, fetchAt: null }, message.more, before, after, now);
    }
    case "page":
      return planned({ ...alive, fetchAt: null }, message.more, before, after, now);
    case "frame":
    case "pong":
      return planned(alive, false, before, after, now);
    case "error":
      return message.requestId === null && refuses(message.code, link)
        ? { ...alive, isRefused: true }
        : alive;
    default:
      return alive;
  }
}

/** This socket is not known any more, or does not let us in: another one may. */
function refuses(code: string, link: Link): boolean {
  return code === "unauthenticated" || !link.isSubscribed;
}

function planned(link: Link, more: boolean, before: Place, after: Place, now: number): Link {
  const hasMoved = after.cursor > before.cursor;
  if (more && hasMoved) {
    return { ...link, fetchAt: now };
  }
  if (after.tail <= after.cursor) {
    return { ...link, fetchAt: null };
  }
  return link.fetchAt === null || hasMoved ? { ...link, fetchAt: now + HOLE } : link;
}

/** What is to be said now, and the link as it is when that is said. */
export function due(link: Link, place: Place, now: number): readonly [Link, readonly FromClient[]] {
  const messages: FromClient[] = [];
  let said = link;
  if (link.isSubscribed && link.fetchAt !== null && now >= link.fetchAt) {
    messages.push({ type: "fetch", after: place.cursor, limit: FETCHED });
    said = { ...said, fetchAt: now + ANSWER };
  }
  if (link.isSubscribed && now >= pingAt(link, place)) {
    messages.push({ type: "ping" });
    said = pinged(said, now, ANSWER);
  }
  return [said, messages];
}

export function pinged(link: Link, now: number, answer: number): Link {
  return { ...link, pingedAt: now, answerBy: Math.min(link.answerBy ?? Infinity, now + answer) };
}

/** Whether it has to be replaced. */
export function isOver(link: Link, now: number): boolean {
  return link.isRefused || now >= link.endsAt || (link.answerBy !== null && now >= link.answerBy);
}

/** When `due` or `isOver` may say something new, if nothing is heard before. */
export function nextLook(link: Link, place: Place): number {
  const over = Math.min(link.endsAt, link.answerBy ?? Infinity);
  return link.isSubscribed ? Math.min(over, pingAt(link, place), link.fetchAt ?? Infinity) : over;
}

export function isProven(link: Link, now: number): boolean {
  return link.isSubscribed && now - link.openedAt >= PROVEN;
}

function pingAt(link: Link, place: Place): number {
  if (!place.isVisible) {
    return link.pingedAt + PING_HIDDEN;
  }
  return link.pingedAt + (place.isRunning ? PING_RUNNING : PING_IDLE);
}
