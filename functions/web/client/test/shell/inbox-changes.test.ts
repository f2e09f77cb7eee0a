import fc from "fast-check";
import { expect, test } from "vitest";
import { applied, type Change, rows } from "../../src/shell/inbox-changes";
import { inbox, row } from "../build";

const EARLY = "2026-11-30T10:00:00Z";
const LATE = "2026-11-30T11:00:00Z";

test("an archived session is in no group", () => {
  const before = inbox({ inProgress: [row("a")], recent: [row("b")] });

  const after = applied(before, [{ kind: "archive", session: "a" }]);

  expect(after).toEqual(inbox({ recent: [row("b")] }));
});

test("a restored session is back among those of its age", () => {
  const [old, middle, young] = [
    row("old", { updatedAt: EARLY }),
    row("middle", { updatedAt: "2026-11-30T10:30:00Z" }),
    row("young", { updatedAt: LATE }),
  ];
  const archived = { kind: "archive", session: "middle" } as const;
  const restored = { kind: "show", session: "middle", row: middle } as const;

  const after = applied(inbox({ recent: [young, middle, old] }), [archived, restored]);

  expect(after).toEqual(inbox({ recent: [young, middle, old] }));
});

test("a read turn leaves the sessions that need attention", () => {
  const before = inbox({ needsAttention: [row("a", { finished: 2 }, true)] });

  const after = applied(before, [{ kind: "read", session: "a", prompt: 2 }]);

  expect(after).toEqual(inbox({ recent: [row("a", { finished: 2 })] }));
});

test("a turn that finished after the one that was read still needs attention", () => {
  const before = inbox({ needsAttention: [row("a", { finished: 3 }, true)] });

  const after = applied(before, [{ kind: "read", session: "a", prompt: 2 }]);

  expect(after).toEqual(before);
});

test("a new title is shown wherever the session is", () => {
  const before = inbox({ inProgress: [row("a")], recent: [row("b")] });

  const after = applied(before, [{ kind: "rename", session: "b", title: "Other" }]);

  expect(after).toEqual(inbox({ inProgress: [row("a")], recent: [row("b", { title: "Other" })] }));
});

test("whatever was asked for, a session is shown at most once", () => {
  const ids = fc.constantFrom("a", "b", "c");
  const change: fc.Arbitrary<Change> = fc.oneof(
    ids.map((session) => ({ kind: "archive", session }) as const),
    ids.map((session) => ({ kind: "show", session, row: row(session) }) as const),
    ids.map((session) => ({ kind: "read", session, prompt: 9 }) as const),
    ids.map((session) => ({ kind: "rename", session, title: "x" }) as const),
  );
  const before = inbox({ needsAttention: [row("a", {}, true)], inProgress: [row("b")] });

  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const shown = rows(applied(before, changes)).map((each) => each.session.id);
      expect(new Set(shown).size).toBe(shown.length);
    }),
  );
});
