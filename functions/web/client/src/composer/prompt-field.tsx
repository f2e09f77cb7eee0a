/** The text of a prompt: grows with it, sends on Enter, takes images that are pasted. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { filesOf } from "./drop";

interface Props {
  label: string;
  placeholder: string;
  text: string;
  field: RefObject<HTMLTextAreaElement>;
  autoFocus: boolean;
  onText: (text: string) => void;
  onSubmit: () => void;
  onFiles: (files: File[]) => void;
}

const MAX_PROMPT_CHARS = 64_000;

/** On a screen keyboard Enter is the only way to a new line. */
const touch = window.matchMedia("(pointer: coarse)");

export function PromptField({ label, text, field, autoFocus, ...on }: Props) {
  useGrowth(field, text);
  useEffect(() => {
    if (autoFocus && !touch.matches) field.current?.focus();
  }, [autoFocus, field]);
  return (
    <textarea
      ref={field}
      class="prompt-field"
      rows={1}
      aria-label={label}
      placeholder={on.placeholder}
      maxLength={MAX_PROMPT_CHARS}
      value={text}
      onInput={(event) => on.onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (!sends(event)) return;
        event.preventDefault();
        on.onSubmit();
      }}
      onPaste={(event) => {
        const files = filesOf(event.clipboardData?.files);
        if (files.length === 0) return;
        event.preventDefault();
        on.onFiles(files);
      }}
    />
  );
}

/** Not while a word is being composed: there, Enter takes the suggestion. */
function sends(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.isComposing) return false;
  if (event.metaKey || event.ctrlKey) return true;
  return !event.shiftKey && !event.altKey && !touch.matches;
}

/** Where the browser can't size a field by its content itself. */
function useGrowth(field: RefObject<HTMLTextAreaElement>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another height.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || globalThis.CSS?.supports?.("field-sizing", "content")) return;
    element.style.setProperty("height", "auto");
    element.style.setProperty("height", `${element.scrollHeight}px`);
  }, [text]);
}
