import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import * as Brand from "../../src/domain/brand.ts";
import {
  contrast,
  contrastMin,
  contrastWithWhite,
  paletteOf,
  parseColour,
} from "../../src/lib/image/colour.ts";

const rgb = (text: string) => parseColour(text) ?? [0, 0, 0];

describe("parse", () => {
  test("takes a name and a colour on which white can be read", () => {
    const { brand, faults } = Brand.parse({ name: "Acme Pay", color: "#0F766E" });
    expect(faults).toEqual([]);
    expect(brand.name).toBe("Acme Pay");
    expect(brand.palette?.accent).toBe("#0f766e");
    expect(Brand.parse({ name: null, color: null })).toEqual({
      brand: { name: null, palette: null },
      faults: [],
    });
  });

  test("says the contrast that it found, the one it needs, and a colour that has it", () => {
    const { brand, faults } = Brand.parse({ name: null, color: "#ff9900" });
    expect(brand.palette).toBeNull();
    expect(faults).toHaveLength(1);
    expect(faults[0]?.sentence).toStartWith(
      "TILL_BRAND_COLOR is #ff9900; white text on it has a contrast of 2.14:1 and needs 4.5:1 to be read. ",
    );
    const advised = /(#[\da-f]{6}) is the same/.exec(faults[0]?.sentence ?? "")?.[1] ?? "";
    expect(Brand.parse({ name: null, color: advised }).faults).toEqual([]);
  });

  test.each(["red", "#12345", "#1d4ed8;}", "1d4ed8", "#gggggg"])("refuses the colour %p", (color) => {
    expect(Brand.parse({ name: null, color }).faults[0]?.sentence).toContain('such as "#1d4ed8"');
  });

  test.each(["Acme\nBcc: x", "Acme\u202e", "a".repeat(61)])("refuses the name %p", (name) => {
    expect(Brand.parse({ name, color: null }).faults[0]?.sentence).toContain(
      "TILL_BRAND_NAME must be one line",
    );
  });
});

describe("a palette", () => {
  test("can be read on every ground, light and dark, whatever the colour", () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        fc.pre(contrastWithWhite([red, green, blue]) >= contrastMin);
        const { accent, text, strong, tint, dark } = paletteOf([red, green, blue]);
        expect(contrastWithWhite(rgb(accent))).toBeGreaterThanOrEqual(contrastMin);
        for (const ground of ["#ffffff", "#f4f5f8", "#e3f5ec", "#fdf3dd", tint])
          for (const colour of [text, strong])
            expect(contrast(rgb(colour), rgb(ground))).toBeGreaterThanOrEqual(contrastMin);
        for (const ground of ["#0c0f14", "#161a21", "#1f2530", "#12301f", dark.tint])
          for (const colour of [dark.accent, dark.strong])
            expect(contrast(rgb(colour), rgb(ground))).toBeGreaterThanOrEqual(contrastMin);
        expect(contrast(rgb(dark.ink), rgb(dark.accent))).toBeGreaterThanOrEqual(contrastMin);
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
