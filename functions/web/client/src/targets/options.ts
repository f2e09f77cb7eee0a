/** What can be chosen to work on, as options of a list. */
import type { Option } from "../design/options";
import type { EnvironmentView, ForgeRepositoryView, RememberedRepository } from "../protocol";
import { repositoryName } from "../shell/session-names";
import { chosenOfView, hostOf, isRepositoryUrl, keyOf, nameOf } from "./repository";

/** Each repository once: remembered ones first, then what the code hosts have besides. */
export function repositoryOptions(
  known: readonly RememberedRepository[],
  offered: readonly ForgeRepositoryView[],
): Option[] {
  const keys = new Set(known.map(({ url }) => keyOf(url)));
  const others = offered.filter(({ url }) => !keys.has(keyOf(url)));
  return [...known.map(knownOption), ...others.map(offeredOption)];
}

export function environmentOption(environment: EnvironmentView): Option {
  return {
    value: environmentValue(environment.id),
    label: environment.name,
    detail: namesOf(environment),
    group: "Environments",
  };
}

/** Apart from every address. */
export function environmentValue(id: string): string {
  return `environment ${id}`;
}

export function namesOf({ repositories }: Pick<EnvironmentView, "repositories">): string {
  return repositories.map((each) => nameOf(chosenOfView(each))).join(", ");
}

export function typedRepository(text: string): Option | null {
  if (!isRepositoryUrl(text)) return null;
  return { value: text, label: nameOf({ url: text, label: "" }), detail: hostOf(text) };
}

function knownOption(repository: RememberedRepository): Option {
  const { url, label } = repository;
  const detail = label || hostOf(url);
  return { value: url, label: repositoryName(repository), detail, group: "Used before" };
}

function offeredOption({ url, description, archived }: ForgeRepositoryView): Option {
  const about = description || hostOf(url);
  const detail = archived ? `Archived. ${about}` : about;
  return { value: url, label: nameOf({ url, label: "" }), detail, group: "At the code hosts" };
}
