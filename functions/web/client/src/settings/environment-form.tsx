/** One environment, as it is made or changed. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { toast } from "../design/toast";
import type { EnvironmentChange, EnvironmentView } from "../protocol";
import { repositories } from "../shell/workspace";
import { EnvironmentWords, restOf, type Words } from "../targets/environment-words";
import { keepEnvironment } from "../targets/environments";
import { chosenOfView, newRepository } from "../targets/repository";
import type { RepositorySet } from "../targets/repository-set";
import { useSaving } from "../targets/saving";
import { SetEditor } from "../targets/set-editor";

interface Props {
  /** Null: it is a new one. */
  before: EnvironmentView | null;
  /** Somebody else has changed it meanwhile. */
  onAnew: (now: EnvironmentView) => void;
  onDone: () => void;
}

type Content = Omit<EnvironmentChange, "version">;

export function EnvironmentForm({ before, onAnew, onDone }: Props) {
  const [words, setWords] = useState<Words>(wordsOf(before));
  const [set, setSet] = useState<RepositorySet>(before?.repositories.map(chosenOfView) ?? []);
  const { busy, refused, save } = useSaving();
  const submit = async (event: Event) => {
    event.preventDefault();
    const content: Content = {
      name: words.name.trim(),
      description: words.description.trim(),
      repositories: set.map((each) => newRepository(each, repositories.value ?? [])),
    };
    const saved = await save(content, (requestId) => keep(before, content, requestId));
    if (saved === null) return;
    if (saved.kind === "outdated") {
      toast("Somebody else has changed it meanwhile. Here it is.", { tone: "bad" });
      onAnew(saved.now);
      return;
    }
    keepEnvironment(saved.environment);
    toast(`Saved “${saved.environment.name}”`);
    onDone();
  };
  const rest = restOf(refused);
  return (
    <form class="settings-form" onSubmit={submit}>
      <EnvironmentWords {...{ words, refused }} onChange={setWords} />
      <fieldset class="environment-set">
        <legend class="field-label">Repositories</legend>
        <SetEditor set={set} onChange={setSet} />
      </fieldset>
      {rest && (
        <p class="settings-problem" role="alert">
          {rest}
        </p>
      )}
      <div class="settings-actions">
        <Button
          kind="primary"
          type="submit"
          busy={busy}
          disabled={words.name.trim() === "" || set.length === 0}
        >
          {before ? "Save" : "Create"}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}

function wordsOf(before: EnvironmentView | null): Words {
  return { name: before?.name ?? "", description: before?.description ?? "" };
}

type Saved =
  | { kind: "saved"; environment: EnvironmentView }
  | { kind: "outdated"; now: EnvironmentView };

/** A conflict is about the name, unless another version is there than the one that was read. */
async function keep(
  before: EnvironmentView | null,
  content: Content,
  requestId: string,
): Promise<Saved> {
  if (before === null) {
    const environment = await api.createEnvironment({ requestId, ...content });
    return { kind: "saved", environment };
  }
  try {
    const asked = { version: before.version, ...content };
    return { kind: "saved", environment: await api.changeEnvironment(before.id, asked) };
  } catch (error) {
    if (!(error instanceof api.ApiError) || error.code !== "conflict") throw error;
    const now = await api.environment(before.id);
    if (now.version === before.version) throw error;
    return { kind: "outdated", now };
  }
}
