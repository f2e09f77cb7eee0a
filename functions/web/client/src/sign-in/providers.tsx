/** A button for each provider by way of whom one may sign in here. */
import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { providerName } from "./provider-name";
import "./providers.css";
import { keepWanted } from "./wanted";

type Offered = readonly string[] | "loading" | "failed";

export function Providers() {
  const [offered, setOffered] = useState<Offered>("loading");
  const ask = () => {
    setOffered("loading");
    api.signInProviders().then(
      ({ providers }) => setOffered(providers),
      () => setOffered("failed"),
    );
  };
  useEffect(ask, []);
  if (offered === "failed") return <Failed onAgain={ask} />;
  if (offered === "loading" || offered.length === 0) return null;
  return (
    <div class="providers">
      {offered.map((provider) => (
        <a
          key={provider}
          class="button button-primary"
          href={`/api/sign-in/${provider}`}
          onClick={keepWanted}
        >
          <span class="button-label">Continue with {providerName(provider)}</span>
        </a>
      ))}
      <p class="providers-or">or by a link</p>
    </div>
  );
}

function Failed({ onAgain }: { onAgain: () => void }) {
  return (
    <div class="providers">
      <p class="providers-failed" role="alert">
        Which other ways to sign in there are could not be asked.
      </p>
      <Button onClick={onAgain}>Ask again</Button>
    </div>
  );
}
