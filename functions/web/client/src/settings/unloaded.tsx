/** What a section shows while it has nothing: that it loads, or why it could not. */
import { Button } from "../design/button";
import { Skeleton } from "../design/skeleton";

export function Unloaded({ error, onAgain }: { error: string | null; onAgain: () => void }) {
  if (error === null) return <Skeleton lines={3} shape="block" label="Loading" />;
  return (
    <div class="settings-form">
      <p class="settings-problem" role="alert">
        This could not be loaded: {error}.
      </p>
      <Button onClick={onAgain}>Try again</Button>
    </div>
  );
}
