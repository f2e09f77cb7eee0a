/** What people say about a repository, so that it is found, and what sessions on it start from. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Field } from "../design/field";
import { Select } from "../design/select";
import type { EnvironmentView, RepositoryAboutView } from "../protocol";
import { useLoaded } from "./loaded";
import "./repository-settings.css";
import { RepositoryPicker } from "./repository-picker";
import { useSaving } from "./saving";
import { Unloaded } from "./unloaded";
import { joined, split } from "./words";

export function RepositoriesSection() {
  const [url, setUrl] = useState("");
  return (
    <>
      <p class="settings-text">Everybody here may say what a repository is, and by which words.</p>
      <RepositoryPicker label="Repository" value={url} onChange={setUrl} />
      {url && <About key={url} url={url} />}
    </>
  );
}

interface Known {
  about: RepositoryAboutView;
  environments: EnvironmentView[];
}

async function known(url: string): Promise<Known> {
  const [about, { environments }] = await Promise.all([
    api.aboutRepository(url),
    api.environments(),
  ]);
  return { about, environments };
}

function About({ url }: { url: string }) {
  const { value, error, again, show } = useLoaded(known, url);
  if (!value) return <Unloaded error={error} onAgain={again} />;
  return (
    <AboutForm
      key={JSON.stringify(value.about)}
      url={url}
      {...value}
      onSaved={(about) => show({ ...value, about })}
    />
  );
}

interface FormProps extends Known {
  url: string;
  onSaved: (about: RepositoryAboutView) => void;
}

const NO_ENVIRONMENT = "";

function AboutForm({ url, about, environments, onSaved }: FormProps) {
  const [description, setDescription] = useState(about.description);
  const [aliases, setAliases] = useState(joined(about.aliases));
  const [keywords, setKeywords] = useState(joined(about.keywords));
  const [environment, setEnvironment] = useState(about.environment ?? NO_ENVIRONMENT);
  const { busy, save } = useSaving();
  const said = {
    description: description.trim(),
    aliases: split(aliases),
    keywords: split(keywords),
    environment: environment || null,
  };
  const same = JSON.stringify({ repository: about.repository, ...said }) === JSON.stringify(about);
  const submit = (event: Event) => {
    event.preventDefault();
    void save("Repository saved", async () => onSaved(await api.sayAboutRepository(url, said)));
  };
  return (
    <form class="settings-form" onSubmit={submit}>
      <Field label="Description" value={description} onInput={setDescription} maxLength={2000} />
      <Field
        label="Aliases"
        value={aliases}
        onInput={setAliases}
        hint="What people call it, separated by commas. Up to 20."
      />
      <Field
        label="Keywords"
        value={keywords}
        onInput={setKeywords}
        hint="What it is about, separated by commas. Up to 50."
      />
      <Select
        kind="boxed"
        label="Default environment"
        value={environment}
        onChange={setEnvironment}
        options={choices(environments, about.environment)}
      />
      <div class="settings-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={same}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** One that was deleted since is still what is chosen, until another is. */
function choices(environments: EnvironmentView[], chosen: string | null) {
  const known = environments.map(({ id, name }) => ({ value: id, label: name }));
  const gone = chosen !== null && !environments.some(({ id }) => id === chosen);
  return [
    { value: NO_ENVIRONMENT, label: "None" },
    ...known,
    ...(gone ? [{ value: chosen, label: "One that was deleted" }] : []),
  ];
}
