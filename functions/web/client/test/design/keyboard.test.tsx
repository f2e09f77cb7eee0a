import "../layers";
import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";
import { Combobox } from "../../src/design/combobox";
import { Menu } from "../../src/design/menu";
import { Select } from "../../src/design/select";

const OPTIONS = [
  { value: "a", label: "Apple" },
  { value: "b", label: "Banana" },
  { value: "c", label: "Cherry" },
];

afterEach(cleanup);

function press(...keys: string[]): void {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

test("a menu is walked by arrows and letters, and Enter is a click", () => {
  const chosen = vi.fn();
  const items = OPTIONS.map(({ label }) => ({ label, run: () => chosen(label) }));
  render(
    <Menu label="Fruit" items={items}>
      {(trigger) => <button {...trigger}>Open</button>}
    </Menu>,
  );

  fireEvent.click(screen.getByRole("button", { name: "Open" }));
  const first = document.activeElement?.textContent;
  press("ArrowUp");
  const last = document.activeElement?.textContent;
  press("b");
  fireEvent.click(document.activeElement ?? document.body);

  expect([first, last, chosen.mock.calls]).toEqual(["Apple", "Cherry", [["Banana"]]]);
  expect(document.activeElement?.textContent).toBe("Open");
});

test("a select opens at its value and is changed by keyboard", () => {
  const onChange = vi.fn();
  render(<Select label="Fruit" options={OPTIONS} value="b" onChange={onChange} />);

  fireEvent.click(screen.getByRole("button", { name: "Fruit: Banana" }));
  press("ArrowDown", "Enter");

  expect(onChange.mock.calls).toEqual([["c"]]);
});

test("a combobox narrows its list and offers what was typed", () => {
  const onChange = vi.fn();
  const typed = (text: string) => ({ value: text, label: `Use ${text}` });
  render(
    <Combobox
      label="Fruit"
      hint="Search"
      none="None"
      {...{ options: OPTIONS, value: "a", onChange, typed }}
    />,
  );

  fireEvent.click(screen.getByRole("button", { name: "Fruit: Apple" }));
  fireEvent.input(screen.getByRole("combobox"), { target: { value: "rry" } });
  const shown = screen.getAllByRole("option").map((option) => option.textContent);
  press("ArrowDown", "Enter");

  expect(shown).toEqual(["Cherry", "Use rry"]);
  expect(onChange.mock.calls).toEqual([["rry"]]);
});
