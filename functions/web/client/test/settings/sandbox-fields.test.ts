import fc from "fast-check";
import { expect, test } from "vitest";
import { problemsOf, settingsOf, type Texts, textsOf } from "../../src/settings/sandbox-fields";

const BLANK: Texts = {
  lifetime: "",
  finalBuffer: "",
  inactivity: "",
  ports: "",
  cpu: "",
  memory: "",
};

function maybe<Value>(values: fc.Arbitrary<Value>) {
  return fc.option(values, { nil: null });
}

test("what is shown is what is saved again", () => {
  const settings = fc.record({
    lifetimeSeconds: maybe(fc.integer({ min: 1, max: 1440 }).map((minutes) => minutes * 60)),
    finalBufferSeconds: maybe(fc.integer({ min: 5, max: 1440 }).map((minutes) => minutes * 60)),
    inactivitySeconds: maybe(fc.integer({ min: 1, max: 720 }).map((minutes) => minutes * 60)),
    tunnelPorts: maybe(fc.array(fc.integer({ min: 1, max: 65_535 }), { maxLength: 10 })),
    cpuCores: maybe(fc.integer({ min: 1, max: 32 })),
    memoryMib: maybe(fc.integer({ min: 512, max: 262_144 })),
  });

  fc.assert(
    fc.property(settings, (chosen) => {
      expect(settingsOf(textsOf(chosen))).toEqual(chosen);
    }),
  );
});

test("no ports are a choice, a blank is none", () => {
  const [none, blank] = ["none", ""].map((ports) => settingsOf({ ...BLANK, ports }).tunnelPorts);

  expect([none, blank]).toEqual([[], null]);
});

test.each([
  [{ lifetime: "0" }, ["lifetime"]],
  [{ lifetime: "1.5" }, ["lifetime"]],
  [{ finalBuffer: "4" }, ["finalBuffer"]],
  [{ lifetime: "30", finalBuffer: "30" }, ["finalBuffer"]],
  [{ inactivity: "721" }, ["inactivity"]],
  [{ ports: "3000, x" }, ["ports"]],
  [{ ports: "5900" }, ["ports"]],
  [{ cpu: "33" }, ["cpu"]],
  [{ memory: "100" }, ["memory"]],
  [{ lifetime: "60", finalBuffer: "10", ports: "3000 8000" }, []],
])("%j is wrong in %j", (texts, wrong) => {
  expect(Object.keys(problemsOf({ ...BLANK, ...texts }))).toEqual(wrong);
});
