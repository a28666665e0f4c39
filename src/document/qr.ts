import { crc32, deflateSync } from "node:zlib";
import { create } from "qrcode";

/** ISO/IEC 18004 asks for a quiet zone of 4 modules; a terminal's cells are large enough for 2. */
const marginModules = 4;
const terminalMarginModules = 2;

/** Black on bright white, whatever the terminal's own colors are. */
const terminalColors = "\x1b[30;107m";
const terminalReset = "\x1b[0m";

type Symbol = { size: number; isDark: (row: number, column: number) => boolean };

/**
 * Level M survives a smudge or a fold (15 %). All of it as bytes: to look for the shortest mixture of modes takes as
 * long as all the rest, and our texts would be no smaller. Throws when the text is longer than a QR code can hold.
 */
function encode(text: string): Symbol {
  const data = new TextEncoder().encode(text);
  const { modules } = create([{ data, mode: "byte" }], { errorCorrectionLevel: "M" });
  const { size } = modules;
  const inside = (at: number) => at >= 0 && at < size;
  return {
    size,
    isDark: (row, column) => inside(row) && inside(column) && modules.get(row, column) === 1,
  };
}

/** The codes of so many texts are kept, about 0.5 kB each: open pages ask for the same ones every few seconds. */
const keptMax = 1_000;
const cache = new Map<string, string>();

/**
 * A QR code as the data URL of a PNG, one pixel a module, to be shown enlarged without smoothing. Black on white with
 * its quiet zone, so that it scans on a dark page too. An eighth of the same code as SVG. Throws when the text is
 * longer than a QR code can hold (about 2,300 bytes).
 */
export function qrImage(text: string): string {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const url = `data:image/png;base64,${qrPng(text).toString("base64")}`;
  if (cache.size >= keptMax) cache.clear();
  cache.set(text, url);
  return url;
}

/** Returns the same picture as a file. */
export const qrPng = (text: string): Buffer<ArrayBuffer> => png(encode(text));

/** PNG (W3C, third edition): 1-bit greyscale, each row after a byte for "not filtered". */
function png({ size, isDark }: Symbol): Buffer<ArrayBuffer> {
  const side = size + 2 * marginModules;
  const rowBytes = 1 + Math.ceil(side / 8);
  const pixels = new Uint8Array(side * rowBytes);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (isDark(y - marginModules, x - marginModules)) continue;
      const byte = y * rowBytes + 1 + (x >> 3);
      pixels[byte] = (pixels[byte] ?? 0) | (0x80 >> (x & 7));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The dark modules as an SVG path to be stroked one module wide, and the side of the code with its quiet zone. */
export function qrPath(text: string): { path: string; side: number } {
  const { size, isDark } = encode(text);
  // Each row is one stroke along its middle, drawn and lifted: half as long as a path of rectangles. Joined at the end:
  // a string that grows piece by piece keeps every piece, at 250 kB for 4 kB of text.
  const strokes: string[] = [];
  for (let row = 0; row < size; row++) {
    let end = 0;
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue;
      const start = column;
      while (isDark(row, column + 1)) column++;
      strokes.push(
        end === 0 ? `M${start + marginModules} ${row + marginModules}.5` : `m${start - end} 0`,
        `h${column + 1 - start}`,
      );
      end = column + 1;
    }
  }
  return { path: strokes.join(""), side: size + 2 * marginModules };
}

/** Two modules, one above the other, as one character. */
function halfBlock(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}

/** A QR code for a terminal: half blocks, two rows of modules to a line, every line colored by itself. */
export function qrTerminal(text: string): string {
  const { size, isDark } = encode(text);
  const lines: string[] = [];
  for (let row = -terminalMarginModules; row < size + terminalMarginModules; row += 2) {
    let cells = "";
    for (let column = -terminalMarginModules; column < size + terminalMarginModules; column++) {
      const upper = isDark(row, column);
      const lower = isDark(row + 1, column);
      cells += halfBlock(upper, lower);
    }
    lines.push(`${terminalColors}${cells}${terminalReset}`);
  }
  return lines.join("\n");
}
