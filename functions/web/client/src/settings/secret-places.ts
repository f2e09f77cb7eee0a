/** Where secrets belong, as one choice of a list: everything, an environment, a repository. */
import type { SecretPlace } from "../api";
import type { Option } from "../design/options";
import type { EnvironmentView, RememberedRepository } from "../protocol";
import { repositoryName } from "../shell/session-names";
import { isRepositoryUrl } from "../targets/repository";

export const EVERYTHING = "everything";

const ENVIRONMENT = "environment:";
const REPOSITORY = "repository:";

export function placeOf(choice: string): SecretPlace {
  if (choice.startsWith(ENVIRONMENT)) {
    return { scope: "environment", target: choice.slice(ENVIRONMENT.length) };
  }
  if (choice.startsWith(REPOSITORY)) {
    return { scope: "repository", target: choice.slice(REPOSITORY.length) };
  }
  return { scope: "global" };
}

export function places(
  environments: readonly Pick<EnvironmentView, "id" | "name">[],
  repositories: readonly Pick<RememberedRepository, "url" | "name" | "label">[],
): Option[] {
  return [
    { value: EVERYTHING, label: "Everything" },
    ...environments.map(({ id, name }) => ({
      value: ENVIRONMENT + id,
      label: name,
      group: "Environments",
    })),
    ...repositories.map((each) => ({
      value: REPOSITORY + each.url,
      label: repositoryName(each),
      detail: each.label || each.url,
      group: "Repositories",
    })),
  ];
}

/** What was typed into the list, or chosen and is in it no more. */
export function typedPlace(text: string): Option | null {
  const url = text.startsWith(REPOSITORY) ? text.slice(REPOSITORY.length) : text;
  if (!isRepositoryUrl(url)) return null;
  const label = repositoryName({ url, name: url, label: "" });
  return { value: REPOSITORY + url, label, detail: url, group: "Repositories" };
}
