import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { create } from "qrcode";
import { qrImage, qrTerminal } from "../../src/document/qr.ts";
import { startBrowser } from "../support/browser/browser.ts";
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

/** What a browser draws, as rows like those of `expected`; runs in the page. */
const drawnRows = `async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  const mark = { "0,0,0,255": "#", "255,255,255,255": " " };
  const pixel = (at) => mark[data.slice(4 * at, 4 * at + 4).join()] ?? "?";
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => pixel(y * width + x)).join(""));
}`;

describe("qrImage", () => {
  test("shows every module as a pixel, black on white, inside a quiet zone of four", async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      expect(await page.evaluate(`(${drawnRows})("${qrImage(sample.paymentUri)}")`)).toEqual(expected(4));
    } finally {
      await browser.close();
    }
  });

  test("is small", () => {
    expect(qrImage(sample.paymentUri).length).toBeLessThan(1_000);
  });

  test("keeps the codes of many texts in little memory", () => {
    const codes = 100;
    Bun.gc(true);
    const before = heapStats().heapSize;
    for (let i = 0; i < codes; i++) qrImage(`${sample.paymentUri}${i}`);
    Bun.gc(true);
    expect((heapStats().heapSize - before) / codes).toBeLessThan(10_000);
  });

  test("refuses a text that no code can hold", () => {
    expect(() => qrImage("x".repeat(5_000))).toThrow();
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
