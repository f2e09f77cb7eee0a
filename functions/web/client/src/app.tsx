/** Which page is shown: the one place that knows all of them. */
import { lazy, Suspense } from "preact/compat";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { Redirect, Route, Switch, useLocation } from "wouter-preact";
import { Announcer } from "./design/announce";
import { Toasts } from "./design/toast";
import { Tooltips } from "./design/tooltip";
import { HomePage } from "./home/page";
import { SessionsPage } from "./sessions/page";
import { Contained } from "./shell/broken";
import { CommandMenu } from "./shell/command-menu";
import { ExpiredLogin } from "./shell/expired";
import { Frame } from "./shell/frame";
import { Gate } from "./shell/gate";
import { useGlobalShortcuts } from "./shell/global-shortcuts";
import { followInbox } from "./shell/inbox";
import { NotFound } from "./shell/not-found";
import { PageLoading } from "./shell/page-loading";
import { SessionDialogs } from "./shell/session-dialogs";
import { ShortcutSheet } from "./shell/shortcut-sheet";
import { listenForShortcuts } from "./shell/shortcuts";
import { destination } from "./sign-in/wanted";

const sessionPage = () => import("./session/page").then((page) => page.SessionPage);
const SessionPage = lazy(sessionPage);
const SettingsPage = lazy(() => import("./settings/page").then((page) => page.SettingsPage));

export function App() {
  return (
    <>
      <Gate>
        <SignedIn />
      </Gate>
      <Announcer />
      <Toasts />
      <Tooltips />
    </>
  );
}

function SignedIn() {
  useEffect(followInbox, []);
  useLayoutEffect(listenForShortcuts, []);
  useEffect(loadAhead, []);
  useGlobalShortcuts();
  const [path] = useLocation();
  return (
    <>
      <Frame>
        <Contained at={path}>
          <Suspense fallback={<PageLoading />}>
            <Pages />
          </Suspense>
        </Contained>
      </Frame>
      <SessionDialogs />
      <CommandMenu />
      <ShortcutSheet />
      <ExpiredLogin />
    </>
  );
}

/** A session that is opened is there at once. Unless asked for then, it need not come. */
function loadAhead(): () => void {
  const timer = setTimeout(() => sessionPage().catch(() => {}), 1_000);
  return () => clearTimeout(timer);
}

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <HomePage />
      </Route>
      <Route path="/session/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
      <Route path="/sessions">
        <SessionsPage />
      </Route>
      <Route path="/settings/:section?">
        {({ section }) => <SettingsPage section={section} />}
      </Route>
      <Route path="/sign-in">
        <Redirect to={destination()} replace />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
