import { cleanup, render, screen } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";
import { Contained } from "../../src/shell/broken";

afterEach(cleanup);
afterEach(() => vi.restoreAllMocks());

test("a page that can't be shown says so, and what is around it stays", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const Page = () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  };

  const { rerender } = render(
    <>
      <nav>Sessions</nav>
      <Contained at="/session/s1">
        <Page />
      </Contained>
    </>,
  );

  expect(screen.getByText("Sessions")).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toContain("This page can't be shown");
  expect(screen.getByRole("button", { name: "Load it again" })).toBeTruthy();
  expect(log).toHaveBeenCalled();
  rerender(
    <>
      <nav>Sessions</nav>
      <Contained at="/">
        <p>Home</p>
      </Contained>
    </>,
  );
  expect(await screen.findByText("Home")).toBeTruthy();
});
