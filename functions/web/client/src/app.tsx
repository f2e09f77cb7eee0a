/** Which page is shown: the one place that knows all of them. */
import { lazy, Suspense } from "preact/compat";
import { Route, Switch } from "wouter-preact";
import { Announcer } from "./design/announce";
import { Skeleton } from "./design/skeleton";
import { Toasts } from "./design/toast";
import { Tooltips } from "./design/tooltip";
import { Frame } from "./shell/frame";

const SessionPage = lazy(() => import("./session/page").then((page) => page.SessionPage));

export function App() {
  return (
    <>
      <Frame>
        <Suspense fallback={<Skeleton />}>
          <Switch>
            <Route path="/session/:id">{({ id }) => <SessionPage id={id} />}</Route>
          </Switch>
        </Suspense>
      </Frame>
      <Announcer />
      <Toasts />
      <Tooltips />
    </>
  );
}
