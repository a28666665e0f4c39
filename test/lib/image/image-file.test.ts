import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { readImage } from "../../../src/lib/image/image-file.ts";
import { usedMs } from "../../support/processor.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";

let dir: ReturnType<typeof makeDataDir>;
beforeAll(() => {
  dir = makeDataDir();
});
afterAll(() => dir.remove());

function read(content: string | Uint8Array) {
  const path = join(dir.path, "logo.png");
  writeFileSync(path, content);
  return readImage(path);
}

/** One pixel each. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffd9", "hex");

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(Number(Bun.hash.crc32(typed)));
  return Buffer.concat([length, typed, sum]);
}

/** A black PNG of so many pixels in each direction, and of so many pictures if it moves. */
function blank(side: number, frames: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1;
  const pixels = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))));
  const moving = Array.from({ length: frames > 1 ? frames : 0 }, () => chunk("fcTL", Buffer.alloc(26)));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    ...moving,
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("readImage", () => {
  test.each([
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/jpeg", Buffer.concat([jpeg.subarray(0, 20), Buffer.of(0xff, 0xff), jpeg.subarray(20)])],
    ["image/webp", Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1")],
    ["image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
    [
      "image/svg+xml",
      "\ufeff<?xml version='1.0'?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg width='1'></svg>",
    ],
  ])("tells %s by its content, whatever the name of the file", (type, content) => {
    expect(read(content)).toEqual({
      url: `data:${type};base64,${Buffer.from(content as string).toString("base64")}`,
    });
  });

  test.each(["", "GIF89a", "<html><svg></svg></html>", "<!-- <svg> -->", "text"])("refuses %p", (content) => {
    expect(read(content)).toEqual({ fault: "it must be a PNG, JPEG, WebP or SVG file" });
  });

  test.each([" ", "<!DOCTYPE[", "<!--", "<!-- -->", "<?", "<? ?>"])("refuses much of %p at once", (part) => {
    const before = usedMs();
    expect(read(`<!DOCTYPE${part.repeat(100_000 / part.length)}`)).toHaveProperty("fault");
    expect(usedMs() - before).toBeLessThan(500);
  });

  test.each([
    ["half a PNG", png.subarray(0, 40)],
    ["a PNG with a wrong checksum", Buffer.concat([png.subarray(0, 20), Buffer.of(9), png.subarray(21)])],
    ["half a JPEG", jpeg.subarray(0, 18)],
    ["a JPEG without pixels", Buffer.from(jpeg).fill(0, 24, 29)],
  ])("refuses %s", (_, content) => {
    expect(read(content)).toEqual({
      fault: "that file is damaged, or ends too early: save the image anew",
    });
  });

  test("refuses what is no file, without reading it: it may never end", () => {
    for (const path of [dir.path, "/dev/zero"]) expect(readImage(path)).toHaveProperty("fault");
  });

  test("refuses more than 100 KB, and says how much there is", () => {
    expect(read(Buffer.concat([png, Buffer.alloc(100 * 1024 - png.length)]))).toHaveProperty("url");
    expect(read(Buffer.concat([png, Buffer.alloc(100 * 1024)]))).toEqual({
      fault: "that file has 101 KB, and at most 100 KB are shown",
    });
  });

  test("refuses a few KB that a PDF's writer would unpack to gigabytes, in one picture or in many", () => {
    expect(read(blank(5_000, 1))).toHaveProperty("url");
    expect(read(blank(500, 20))).toHaveProperty("url");
    const fault = "that image has more than 25 million pixels: save it smaller";
    for (const bomb of [blank(5_001, 1), blank(20_000, 1), blank(2_000, 7)]) {
      expect(read(bomb)).toEqual({ fault });
    }
    expect(read(Buffer.from(jpeg).fill(0xff, 25, 29))).toEqual({ fault });
  });

  test("says that a file is not there", () => {
    expect(readImage(join(dir.path, "none"))).toHaveProperty("fault", expect.stringContaining("ENOENT"));
    expect(readImage(dir.path)).toHaveProperty("fault");
  });
});
