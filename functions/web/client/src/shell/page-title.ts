/** The title of the page that is shown, for the tab and for whoever hears the page. */
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { announce } from "../design/announce";
import { unreadCount } from "./inbox";

const title = signal("");

/** How many sessions need attention stands before it, to be seen from another tab. */
effect(() => {
  const unread = unreadCount.value;
  const mark = unread > 0 ? `(${unread}) ` : "";
  if (title.value) document.title = `${mark}${title.value} · Outboard`;
});

export function usePageTitle(words: string): void {
  useEffect(() => {
    title.value = words;
    if (words) announce(words);
  }, [words]);
}
