import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { create } from "qrcode";
import { qrSvg, qrTerminal } from "../../src/document/qr.ts";
import { sample } from "./sample.ts";

const data = new TextEncoder().encode(sample.paymentUri);
const { modules } = create([{ data, mode: "byte" }], { errorCorrectionLevel: "M" });

/** The code as rows of `#` and ` `, with `margin` light modules around it. */
function expected(margin: number): string[] {
  const side = Array.from({ length: modules.size + 2 * margin }, (_, index) => index - margin);
  const inside = (at: number) => at >= 0 && at < modules.size;
  const isDark = (row: number, column: number) =>
    inside(row) && inside(column) && modules.get(row, column) === 1;
  return side.map((row) => side.map((column) => (isDark(row, column) ? "#" : " ")).join(""));
}

describe("qrSvg", () => {
  test("draws every dark module once, inside a quiet zone of four", () => {
    const [, side = "", path = ""] =
      /viewBox="0 0 (\d+) \1".*stroke="#000000" d="([^"]*)"/.exec(qrSvg(sample.paymentUri)) ?? [];
    const rows = Array.from({ length: Number(side) }, () => Array.from({ length: Number(side) }, () => 0));
    for (const [, x, y, strokes = ""] of path.matchAll(/M(\d+) (\d+)\.5((?:h\d+(?:m\d+ 0)?)+)/g)) {
      const row = rows[Number(y)] ?? [];
      let column = Number(x);
      for (const [, kind, length] of strokes.matchAll(/([hm])(\d+)/g)) {
        const end = column + Number(length);
        for (; column < end; column++) if (kind === "h") row[column] = (row[column] ?? 0) + 1;
      }
    }
    expect(rows.map((row) => row.map((count) => " #2"[count]).join(""))).toEqual(expected(4));
  });

  test("is black on white whatever surrounds it, and has no size of its own", () => {
    const svg = qrSvg("https://pay.example/i/abc");
    expect(svg).toContain('fill="#ffffff" d="M0 0h');
    expect(svg).not.toMatch(/currentColor| width=| height=|<style|<script/);
  });

  test("carries none of the text as markup", () => {
    expect(qrSvg('"/><script>alert(1)</script>')).not.toContain("script");
  });

  test("keeps the codes of many texts in little memory", () => {
    const codes = 100;
    Bun.gc(true);
    const before = heapStats().heapSize;
    for (let i = 0; i < codes; i++) qrSvg(`${sample.paymentUri}${i}`);
    Bun.gc(true);
    expect((heapStats().heapSize - before) / codes).toBeLessThan(10_000);
  });

  test("refuses a text that no code can hold", () => {
    expect(() => qrSvg("x".repeat(5_000))).toThrow();
  });
});

describe("qrTerminal", () => {
  test("shows every module in half blocks, black on white, inside a quiet zone of two", () => {
    const lines = qrTerminal(sample.paymentUri).split("\n");
    const rows = lines.flatMap((line) => {
      expect([line.startsWith("\x1b[30;107m"), line.endsWith("\x1b[0m")]).toEqual([true, true]);
      const cells = line.slice("\x1b[30;107m".length, -"\x1b[0m".length);
      const half = (dark: string) => Array.from(cells, (cell) => (dark.includes(cell) ? "#" : " ")).join("");
      return [half("█▀"), half("█▄")];
    });
    expect(rows.slice(0, modules.size + 4)).toEqual(expected(2));
  });
});
