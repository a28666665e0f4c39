import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readImage } from "../../../src/lib/image/image-file.ts";
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
    const before = performance.now();
    expect(read(`<!DOCTYPE${part.repeat(100_000 / part.length)}`)).toHaveProperty("fault");
    expect(performance.now() - before).toBeLessThan(500);
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

  test("says that a file is not there", () => {
    expect(readImage(join(dir.path, "none"))).toHaveProperty("fault", expect.stringContaining("ENOENT"));
    expect(readImage(dir.path)).toHaveProperty("fault");
  });
});
