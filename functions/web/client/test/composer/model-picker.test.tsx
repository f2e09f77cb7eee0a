import { cleanup, render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";
import { ModelPicker, offeredChoice } from "../../src/composer/model-picker";
import type { ModelList } from "../../src/protocol";

afterEach(cleanup);

test("an effort that nobody has chosen is said to be the model's own", () => {
  const models: ModelList = {
    models: [{ id: "own", label: "Own", efforts: ["low", "high"], defaultEffort: null }],
    default: "own",
    demo: false,
  };

  render(<ModelPicker models={models} choice={offeredChoice(models, null)} onChange={vi.fn()} />);

  expect(screen.getByRole("button", { name: "Effort: Default effort" })).toBeTruthy();
});
