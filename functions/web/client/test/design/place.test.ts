import fc from "fast-check";
import { expect, test } from "vitest";
import { position, type Side } from "../../src/design/place";

const ROOM = { width: 400, height: 800 };

function button(left: number, top: number) {
  return { left, top, right: left + 40, bottom: top + 28 };
}

test("a layer is below its button, in line with it", () => {
  expect(position(button(100, 100), { width: 200, height: 300 }, ROOM, "below-start")).toEqual({
    left: 100,
    top: 132,
  });
});

test("where there is no room below it goes above", () => {
  expect(position(button(100, 700), { width: 200, height: 300 }, ROOM, "below-start")).toEqual({
    left: 100,
    top: 396,
  });
});

test("a layer that fits is always inside the window", () => {
  const sides = fc.constantFrom<Side>("below-start", "below-end", "above-start", "above-end");
  const size = fc.record({ width: fc.nat(384), height: fc.nat(784) });

  fc.assert(
    fc.property(fc.nat(400), fc.nat(800), size, sides, (x, y, layer, side) => {
      const { left, top } = position(button(x, y), layer, ROOM, side);
      expect(left).toBeGreaterThanOrEqual(8);
      expect(top).toBeGreaterThanOrEqual(8);
      expect(left + layer.width).toBeLessThanOrEqual(ROOM.width);
      expect(top + layer.height).toBeLessThanOrEqual(ROOM.height);
    }),
  );
});
