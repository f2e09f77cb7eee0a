import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { SessionActions } from "../../src/session/actions";
import { Closed } from "../../src/session/composer/closed";
import { Queue } from "../../src/session/queue/queue";
import { queue } from "../../src/session/state";
import { heard } from "../fixtures/heard";
import { SESSION } from "../fixtures/session";

afterEach(cleanup);

const waiting = queue(heard());

function actions(some: Partial<SessionActions>): SessionActions {
  return some as SessionActions;
}

describe("the queue", () => {
  test("shows what waits, and takes it back", () => {
    const cancelPrompt = vi.fn();
    render(<Queue session={SESSION} waiting={waiting} actions={actions({ cancelPrompt })} />);

    fireEvent.click(screen.getByRole("button", { name: /^Cancel queued prompt: Then write/ }));

    expect(screen.getByText("1 prompt queued")).toBeTruthy();
    expect(cancelPrompt).toHaveBeenCalledWith(4);
  });

  test("that is held says why, and goes on when somebody says so", () => {
    const resumeQueue = vi.fn();
    const held = { ...SESSION, held: true };
    render(<Queue session={held} waiting={waiting} actions={actions({ resumeQueue })} />);

    fireEvent.click(screen.getByRole("button", { name: "Resume queued work" }));

    expect(screen.getByRole("status").textContent).toContain("1 prompt waits");
    expect(resumeQueue).toHaveBeenCalledOnce();
  });

  test("is not there when nothing waits", () => {
    const { container } = render(<Queue session={SESSION} waiting={[]} actions={actions({})} />);

    expect(container.textContent).toBe("");
  });
});

describe("a session that takes no prompts", () => {
  test("can be restored when it is archived", () => {
    const onRestore = vi.fn();
    render(<Closed session={{ ...SESSION, status: "archived" }} onRestore={onRestore} />);

    fireEvent.click(screen.getByRole("button", { name: "Restore" }));

    expect(onRestore).toHaveBeenCalledOnce();
  });

  test("says that another one is needed when it was cancelled", () => {
    render(<Closed session={{ ...SESSION, status: "cancelled" }} onRestore={vi.fn()} />);

    expect(screen.getByText(/takes no prompts/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "New session" })).toBeTruthy();
  });
});
