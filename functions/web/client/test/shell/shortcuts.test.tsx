import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenForShortcuts, useShortcuts } from "../../src/shell/shortcuts";

let done: string[];
let end: () => void;

function Keys() {
  const group = "Test";
  useShortcuts([
    { keys: "c", label: "Compose", group, run: () => done.push("c") },
    { keys: "g s", label: "Go", group, run: () => done.push("g s") },
    { keys: "mod+k", label: "Menu", group, run: () => done.push("mod+k"), everywhere: true },
  ]);
  return <input aria-label="Field" />;
}

beforeEach(() => {
  done = [];
  end = listenForShortcuts();
});

afterEach(() => {
  end();
  cleanup();
});

test("keys work alone, together, and one after the other", () => {
  render(<Keys />);

  fireEvent.keyDown(document.body, { key: "c" });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  fireEvent.keyDown(document.body, { key: "g" });
  fireEvent.keyDown(document.body, { key: "s" });
  fireEvent.keyDown(document.body, { key: "s" });

  expect(done).toEqual(["c", "mod+k", "g s"]);
});

test("who is writing writes, and still reaches the command menu", () => {
  const { getByRole } = render(<Keys />);
  const field = getByRole("textbox");

  fireEvent.keyDown(field, { key: "c" });
  fireEvent.keyDown(field, { key: "k", metaKey: true });

  expect(done).toEqual(["mod+k"]);
});

test("what is not shown any more has no keys", () => {
  const { unmount } = render(<Keys />);

  unmount();
  fireEvent.keyDown(document.body, { key: "c" });

  expect(done).toEqual([]);
});
