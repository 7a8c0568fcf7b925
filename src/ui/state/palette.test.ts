import { describe, expect, it } from "vitest";
import { isColor } from "./color.ts";
import { contrastOf, paletteCss, paletteOf } from "./palette.ts";

/** Colours at all brightnesses, the two ends included. */
const COLORS = ["#000000", "#ffffff", "#ffff00", "#1890ff", "#f5222d", "#13c2c2", "#7f7f7f"];

describe("A palette", () => {
  it.each(COLORS)(
    "of %s has readable text on the surfaces, and white is readable on its fill",
    (color) => {
      const { light, dark } = paletteOf(color);
      expect(contrastOf(light["--brand-text"]!, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(light["--brand-text"]!, light["--brand-soft"]!)).toBeGreaterThanOrEqual(
        4.5,
      );
      expect(contrastOf(dark["--brand-text"]!, "#171b22")).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(dark["--brand-text"]!, dark["--brand-soft"]!)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf("#687080", light["--brand-soft"]!)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf("#929cab", dark["--brand-soft"]!)).toBeGreaterThanOrEqual(4.5);
      for (const { "--brand-fill": fill } of [light, dark]) {
        expect(contrastOf(fill!, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it("has the colour itself as its sixth shade", () => {
    expect(paletteOf("#13c2c2").light["--arcoblue-6"]).toBe("19, 194, 194");
    expect(paletteOf("#13c2c2").dark["--arcoblue-6"]).toBe("19, 194, 194");
  });

  it("is a stylesheet for both themes", () => {
    expect(paletteCss("#13c2c2")).toMatch(
      /^body \{ .*--brand: #13c2c2;.*\} body\[arco-theme="dark"\] \{/,
    );
  });
});

it.each([
  ["#1890ff", true],
  ["#1890FF", true],
  ["1890ff", false],
  ["#18f", false],
  ["#1890ff; } body { display: none", false],
  [null, false],
])("isColor(%s) is %s", (value, is) => {
  expect(isColor(value)).toBe(is);
});
