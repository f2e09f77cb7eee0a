/** The secrets of one place: their names, one to set, and many out of a `.env` file. */
import { CloudOff, KeyRound } from "lucide-preact";
import { useRef, useState } from "preact/hooks";
import type { SecretPlace } from "../api";
import { Badge } from "../design/badge";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { Skeleton } from "../design/skeleton";
import type { SecretView } from "../protocol";
import { me } from "../shell/workspace";
import { EnvPaste } from "./env-paste";
import { SecretForm } from "./secret-form";
import { SecretRows } from "./secret-rows";
import { useSecrets } from "./use-secrets";

export function Secrets({ place }: { place: SecretPlace }) {
  const { loaded, error, reload, show } = useSecrets(place);
  if (error !== null) {
    return (
      <Empty
        title="The secrets could not be loaded"
        icon={CloudOff}
        tone="bad"
        action={<Button onClick={() => void reload()}>Try again</Button>}
      >
        {error}
      </Empty>
    );
  }
  if (!loaded) return <Skeleton shape="row" lines={4} label="Loading secrets" />;
  return <Loaded {...{ place, show, ...loaded }} />;
}

interface LoadedProps {
  place: SecretPlace;
  secrets: readonly SecretView[];
  everywhere: ReadonlySet<string>;
  show: (secrets: readonly SecretView[]) => void;
}

function Loaded({ place, secrets, everywhere, show }: LoadedProps) {
  const [name, setName] = useState("");
  const value = useRef<HTMLInputElement>(null);
  const locked = place.scope === "global" && me.value?.role !== "owner";
  const names = new Set(secrets.map((each) => each.name));
  const replace = (known: string) => {
    setName(known);
    value.current?.focus();
  };
  return (
    <>
      {locked && <Badge>Only the owner may change those for everything</Badge>}
      {secrets.length === 0 && <Empty title="No secrets here yet" icon={KeyRound} />}
      <SecretRows {...{ place, secrets, everywhere, locked, show }} onReplace={replace} />
      {!locked && (
        <>
          <SecretForm {...{ place, name, setName, names, value, show }} />
          <EnvPaste {...{ place, show }} />
        </>
      )}
    </>
  );
}
