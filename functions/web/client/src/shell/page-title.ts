/** The title of the page that is shown, for the tab and for whoever hears the page. */
import { useEffect } from "preact/hooks";
import { announce } from "../design/announce";

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Outboard` : "Outboard";
    if (title) announce(title);
  }, [title]);
}
