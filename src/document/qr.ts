import { create } from "qrcode";

/** ISO/IEC 18004 asks for a quiet zone of 4 modules; a terminal's cells are large enough for 2. */
const svgMarginModules = 4;
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

/** The codes of so many texts are kept, about 4 kB each: open pages ask for the same ones every few seconds. */
const keptMax = 1_000;
const kept = new Map<string, string>();

/**
 * A QR code as SVG, without a size of its own: it fills what it is put in. Black on white with its quiet zone, so
 * that it scans on a dark page too. Throws when the text is longer than a QR code can hold (about 2,300 bytes).
 */
export function qrSvg(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const drawn = draw(text);
  if (kept.size >= keptMax) kept.clear();
  kept.set(text, drawn);
  return drawn;
}

function draw(text: string): string {
  const { path, side } = qrPath(text);
  const frame = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"`;
  return `<svg ${frame}><path fill="#ffffff" d="M0 0h${side}v${side}h-${side}z"/><path stroke="#000000" d="${path}"/></svg>`;
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
        end === 0 ? `M${start + svgMarginModules} ${row + svgMarginModules}.5` : `m${start - end} 0`,
        `h${column + 1 - start}`,
      );
      end = column + 1;
    }
  }
  return { path: strokes.join(""), side: size + 2 * svgMarginModules };
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
      cells += upper ? (lower ? "█" : "▀") : lower ? "▄" : " ";
    }
    lines.push(`${terminalColors}${cells}${terminalReset}`);
  }
  return lines.join("\n");
}
