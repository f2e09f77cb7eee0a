import { expect, test } from "vitest";
import { addressOf, readAsked } from "../../src/sessions/query";

test.each([
  ["/sessions", { query: "", lifecycle: "open" }],
  ["/sessions?q=a+b", { query: "a b", lifecycle: "open" }],
  ["/sessions?q=x&lifecycle=archived", { query: "x", lifecycle: "archived" }],
] as const)("%s asks for %j, and is its address", (address, asked) => {
  const search = address.split("?")[1] ?? "";

  expect([readAsked(search), addressOf(asked)]).toEqual([asked, address]);
});

test("an unknown lifecycle shows the open ones", () => {
  expect(readAsked("lifecycle=deleted").lifecycle).toBe("open");
});
