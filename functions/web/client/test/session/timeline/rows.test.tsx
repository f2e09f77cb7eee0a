import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ShowChanges } from "../../../src/session/show-changes";
import { allRows, type Row, turn } from "../../../src/session/state";
import { RowView } from "../../../src/session/timeline/rows/row-view";
import { SeveralRepositories } from "../../../src/session/timeline/session-id";
import { heard } from "../../fixtures/heard";

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no pictures here")));
});
afterEach(cleanup);
afterEach(vi.unstubAllGlobals);

const state = heard();
const all = [...allRows(state)];

function show(row: Row, { open = false, onToggle = vi.fn() } = {}) {
  const of = "turn" in row ? turn(state, row.turn) : null;
  return render(<RowView row={row} turn={of} open={open} last={false} onToggle={onToggle} />);
}

function find(wanted: (row: Row) => boolean): Row {
  const row = all.find(wanted);
  if (row === undefined) {
    throw new Error("the fixture has no such row");
  }
  return row;
}

const tool = (call: string) => find((row) => row.kind === "tool" && row.call === call);

test("every row of a rich session can be shown, folded and open", () => {
  for (const row of all) {
    show(row);
    show(row, { open: true });
  }

  expect(all.length).toBeGreaterThan(25);
});

test("a row that can't be shown says so and leaves the others alone", () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = { ...tool("c5"), title: null } as unknown as Row;

  show(broken);

  expect(screen.getByText("This part can't be shown")).toBeTruthy();
  error.mockRestore();
});

describe("a prompt", () => {
  test("has its author and its pictures", () => {
    show(find((row) => row.kind === "prompt" && row.turn === 1));

    expect(screen.getByRole("article", { name: "Prompt 1 by Ada Lovelace" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Open invoice.png" })).toBeTruthy();
  });
});

describe("a tool", () => {
  test("that failed says with what", () => {
    show(tool("c5"));

    expect(screen.getByRole("button", { name: /^Ran make test +exit 1/ })).toBeTruthy();
  });

  test("that edits says how much", () => {
    show(tool("c3"), { open: true });

    expect(screen.getByRole("button", { name: /money.py \+3 added −2 removed/ })).toBeTruthy();
    expect(screen.getByRole("table").textContent).toContain("rounding=ROUND_HALF_EVEN");
  });

  test("opens with a press", () => {
    const onToggle = vi.fn();
    show(tool("c5"), { onToggle });

    fireEvent.click(screen.getByRole("button"));

    expect(onToggle).toHaveBeenCalledWith(tool("c5"));
  });

  test("shows its command and what it printed, without colours", () => {
    show(tool("c5"), { open: true });

    expect(screen.getByRole("group", { name: "Output" }).textContent).toContain("PASSED [0%]");
    expect(screen.getByText("cd /workspace/ledger && make test")).toBeTruthy();
    expect(screen.getByRole("button", { name: /Show all 61 lines/ })).toBeTruthy();
  });

  test("without a result whose turn is over does not look as if it ran", () => {
    const row = { ...tool("d3"), turn: 1 } as Row;
    const { container } = show(row);

    expect(container.querySelector(".spinner")).toBeNull();
  });
});

describe("a comparison of the files", () => {
  const COMPARED: Row = {
    ...{ kind: "compared", key: "9/0", at: "2026-01-01T00:00:00Z", attempt: 1, turn: 1 },
    ...{ files: 3, additions: 10, deletions: 2, repositories: 2 },
  };

  test("says how much is changed in how many repositories, and shows it", () => {
    const shows = vi.fn();
    render(
      <ShowChanges.Provider value={shows}>
        <RowView row={COMPARED} turn={null} open={false} last={false} onToggle={vi.fn()} />
      </ShowChanges.Provider>,
    );

    fireEvent.click(
      screen.getByRole("button", {
        name: "3 files changed so far in 2 repositories +10 added −2 removed Show changes",
      }),
    );

    expect(shows).toHaveBeenCalledOnce();
  });

  test("that finds nothing any more says so", () => {
    show({ ...COMPARED, files: 0, additions: 0, deletions: 0, repositories: 0 });

    expect(screen.getByRole("button", { name: /^Nothing is changed any more/ })).toBeTruthy();
  });
});

test("a push says to which repository where there are several", () => {
  const push = find((row) => row.kind === "pushed");
  const words = (several: boolean) => {
    cleanup();
    const { container } = render(
      <SeveralRepositories.Provider value={several}>
        <RowView row={push} turn={null} open={false} last={false} onToggle={vi.fn()} />
      </SeveralRepositories.Provider>,
    );
    return container.textContent;
  };

  expect(words(false)).toBe("Pushed outboard/byajohj3g7r4");
  expect(words(true)).toBe("Pushed acme/ledger to outboard/byajohj3g7r4");
});

describe("a boot", () => {
  test("that failed says in which phase, and shows the end of the script's output", () => {
    show(
      find((row) => row.kind === "boot" && row.attempt === 2),
      { open: true },
    );

    expect(screen.getByText("Starting services for acme/ledger failed")).toBeTruthy();
    expect(screen.getByText(".outboard/start.sh exited with 7")).toBeTruthy();
    expect(screen.getByText(/No space left on device/)).toBeTruthy();
  });

  test("with a warning says so while it is folded", () => {
    show(find((row) => row.kind === "boot" && row.attempt === 1));

    expect(screen.getByText("Sandbox ready")).toBeTruthy();
    expect(screen.getByText("1 warning")).toBeTruthy();
  });
});

describe("an outcome", () => {
  test("is told with time, money, tokens and branch", () => {
    show(find((row) => row.kind === "outcome" && row.turn === 1));

    expect(screen.getByText("Completed")).toBeTruthy();
    expect(screen.getByText("$0.142")).toBeTruthy();
    expect(screen.getByText("160k tokens")).toBeTruthy();
    expect(screen.getByText("outboard/byajohj3g7r4")).toBeTruthy();
  });

  test("that is a failure says why and what to do", () => {
    show(find((row) => row.kind === "outcome" && row.turn === 2));

    expect(screen.getByText(/fix the script and push it, then send the prompt again/)).toBeTruthy();
  });
});
