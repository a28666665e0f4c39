/** Runs one of poppler's tools with the PDF as its input and returns what it writes. */
async function run(tool: string, args: string[], pdf: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn([tool, ...args], { stdin: pdf, stdout: "pipe", stderr: "pipe", timeout: 20_000 });
  const [output, complaints] = await Promise.all([child.stdout.bytes(), child.stderr.text()]);
  if ((await child.exited) !== 0 || complaints !== "") throw new Error(`${tool} failed: ${complaints}`);
  return output;
}

/** The text of each page, laid out as on paper. */
export async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const text = new TextDecoder().decode(await run("pdftotext", ["-layout", "-", "-"], pdf));
  return text.split("\f").slice(0, -1);
}

/** The text in reading order without its white space: wrapped texts are whole again. */
export async function solidTextOf(pdf: Uint8Array): Promise<string> {
  return new TextDecoder().decode(await run("pdftotext", ["-raw", "-", "-"], pdf)).replace(/\s/g, "");
}

export async function infoOf(pdf: Uint8Array): Promise<string> {
  return new TextDecoder().decode(await run("pdfinfo", ["-"], pdf));
}

export async function linksOf(pdf: Uint8Array): Promise<string> {
  return new TextDecoder().decode(await run("pdfinfo", ["-url", "-"], pdf));
}

/** The structure of a tagged PDF, a line for each part and each text. */
export async function structTextOf(pdf: Uint8Array): Promise<string> {
  return new TextDecoder().decode(await run("pdfinfo", ["-struct-text", "-"], pdf));
}

/** A line for each font, under a head of two. */
export async function fontsOf(pdf: Uint8Array): Promise<string> {
  return new TextDecoder().decode(await run("pdffonts", ["-"], pdf));
}

/** How many images are in it. */
export async function imagesIn(pdf: Uint8Array): Promise<number> {
  const listed = new TextDecoder().decode(await run("pdfimages", ["-list", "-"], pdf));
  return listed
    .trim()
    .split("\n")
    .filter((line) => / image /.test(line)).length;
}

export type Picture = { width: number; height: number; isDark: (x: number, y: number) => boolean };

/** The first page as a picture of grey values (PGM, 8 bits). */
export async function pictureOf(pdf: Uint8Array, dpi: number): Promise<Picture> {
  const pgm = await run("pdftoppm", ["-gray", "-r", String(dpi), "-f", "1", "-l", "1", "-"], pdf);
  const header = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(new TextDecoder("latin1").decode(pgm.subarray(0, 64)));
  if (!header) throw new Error("pdftoppm did not write a PGM");
  const [width, height] = [Number(header[1]), Number(header[2])];
  const pixels = pgm.subarray(header[0].length);
  return { width, height, isDark: (x, y) => (pixels[y * width + x] ?? 255) < 128 };
}
