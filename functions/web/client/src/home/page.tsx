/** The home page: one box to ask for something, and nothing else in the way. */
import { useRef } from "preact/hooks";
import { Kbd } from "../design/kbd";
import { SidebarButton } from "../shell/page-header";
import { usePageTitle } from "../shell/page-title";
import { repositories } from "../shell/workspace";
import { Composer } from "./composer";
import { FirstRun } from "./first-run";
import "./page.css";

export function HomePage() {
  const field = useRef<HTMLTextAreaElement>(null);
  usePageTitle("New session");
  return (
    <div class="home">
      <div class="home-bar">
        <SidebarButton />
      </div>
      <div class="home-middle">
        <h1 class="home-title">What should be worked on?</h1>
        <Composer field={field} />
        <p class="home-hint">
          <Kbd keys="enter" /> starts the session, <Kbd keys="shift+enter" /> makes a new line.
          Paste or drop images anywhere in the box.
        </p>
        {repositories.value?.length === 0 && <FirstRun />}
      </div>
    </div>
  );
}
