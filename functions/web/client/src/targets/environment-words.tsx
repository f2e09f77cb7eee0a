/** What an environment is called, and what for; with what the server refuses of it. */
import type { ApiError } from "../api";
import { Field } from "../design/field";

export interface Words {
  name: string;
  description: string;
}

export const NO_WORDS: Words = { name: "", description: "" };

/** What the server takes. */
const MAX_NAME_CHARS = 100;
const MAX_DESCRIPTION_CHARS = 1_000;

interface Props {
  words: Words;
  onChange: (words: Words) => void;
  refused: ApiError | null;
}

export function EnvironmentWords({ words, onChange, refused }: Props) {
  return (
    <>
      <Field
        label="Name"
        value={words.name}
        onInput={(name) => onChange({ ...words, name })}
        maxLength={MAX_NAME_CHARS}
        error={problemOf(refused, "name")}
        hint="There is one of each name, capitals or not."
        autoFocus
      />
      <Field
        label="Description"
        value={words.description}
        onInput={(description) => onChange({ ...words, description })}
        maxLength={MAX_DESCRIPTION_CHARS}
        error={problemOf(refused, "description")}
        placeholder="What it is for"
        spellcheck
      />
    </>
  );
}

/** A name that is taken is a conflict, which is about no field. */
export function isAbout(refused: ApiError, field: keyof Words): boolean {
  if (refused.field !== null) return refused.field.includes(field);
  return field === "name" && refused.code === "conflict";
}

function problemOf(refused: ApiError | null, field: keyof Words): string | null {
  return refused && isAbout(refused, field) ? sentence(refused.message) : null;
}

/** What is about neither. */
export function restOf(refused: ApiError | null): string | null {
  if (!refused || isAbout(refused, "name") || isAbout(refused, "description")) return null;
  return sentence(refused.message);
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
