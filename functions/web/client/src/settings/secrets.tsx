/** What sandboxes get as environment variables: for everything, an environment, or a repository. */
import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Combobox } from "../design/combobox";
import type { EnvironmentView } from "../protocol";
import { repositories } from "../shell/workspace";
import { EVERYTHING, placeOf, places, typedPlace } from "./secret-places";
import { Secrets } from "./secrets-of-place";
import "./vault.css";

export function SecretsSection() {
  const [chosen, setChosen] = useState(EVERYTHING);
  const environments = useEnvironments();
  return (
    <>
      <p class="settings-text">
        A secret is an environment variable of every sandbox that starts from then on. Its value is
        given here and shown to nobody again.
      </p>
      <div class="settings-form vault-place">
        <Combobox
          kind="boxed"
          label="Applies to"
          hint="Search, or paste the address of a repository"
          options={places(environments, repositories.value ?? [])}
          value={chosen}
          onChange={setChosen}
          typed={typedPlace}
          none="Nothing matches."
        />
      </div>
      <Secrets key={chosen} place={placeOf(chosen)} />
      <WhichWins />
    </>
  );
}

/** Without them there is everything and the repositories to choose from. */
function useEnvironments(): EnvironmentView[] {
  const [found, setFound] = useState<EnvironmentView[]>([]);
  useEffect(() => {
    void api
      .environments()
      .catch(api.unlessRefused)
      .then((answer) => setFound(answer?.environments ?? []));
  }, []);
  return found;
}

function WhichWins() {
  return (
    <>
      <h3 class="settings-subtitle">Where a name is set more than once</h3>
      <ul class="vault-rules">
        <li>On one repository, the repository's own wins over the one for everything.</li>
        <li>On several repositories, the one of the repository that is named first wins.</li>
        <li>
          From an environment, the environment's own wins over the one for everything; those of its
          repositories are left out.
        </li>
      </ul>
      <h3 class="settings-subtitle">Model keys</h3>
      <p class="settings-text">
        <code>ANTHROPIC_API_KEY</code>, <code>OPENAI_API_KEY</code>, <code>ANTHROPIC_BASE_URL</code>{" "}
        and <code>OPENAI_BASE_URL</code> win over the deployment's own. A key that is set for
        everything also has its models offered, to pages that are opened a minute later. Set for a
        repository or an environment, it is used in those sessions alone and offers no more models.
      </p>
    </>
  );
}
