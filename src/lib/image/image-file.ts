import { readFileSync, statSync } from "node:fs";
import { messageOf } from "../error.ts";

export const bytesMax = 100 * 1024;

/** A few KB of PNG can expand to gigabytes when a PDF is written: this many take 0.3 GB for a moment. */
const megapixelsMax = 25;

const tooLarge = (size: number) =>
  `that file has ${Math.ceil(size / 1024)} KB, and at most ${bytesMax / 1024} KB are shown`;

const wants = "it must be a PNG, JPEG, WebP or SVG file";

/**
 * Reads an image as a data: URL with the type of its content, or returns a sentence about what is wrong with the file.
 * The URL is for an `<img>`, where scripts in an SVG do not run and nothing in it is loaded.
 */
export function readImage(path: string): { url: string } | { fault: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { fault: wants };
    const { size } = stats;
    if (size > bytesMax) return { fault: tooLarge(size) };
    return imageOf(readFileSync(path));
  } catch (thrown) {
    return { fault: `${wants}, and it cannot be read: ${messageOf(thrown)}` };
  }
}

/** Like `readImage`, for the content of a file. */
export function imageOf(bytes: Buffer): { url: string } | { fault: string } {
  if (bytes.length > bytesMax) return { fault: tooLarge(bytes.length) };
  const type = imageType(bytes);
  if (type === null) return { fault: wants };
  if (type === "png" || type === "jpeg") {
    const size = imageSize(bytes, type);
    if (size === null) return { fault: "that file is damaged, or ends too early: save the image anew" };
    if (size.width * size.height * (size.frames ?? 1) > megapixelsMax * 1e6)
      return { fault: `that image has more than ${megapixelsMax} million pixels: save it smaller` };
  }
  return { url: `data:image/${type};base64,${bytes.toString("base64")}` };
}

/** The bytes in such a URL; null for any other text. */
export function bytesIn(url: string): Buffer | null {
  const [, base64] = /^data:(?:image\/[a-z+]+)?;base64,([A-Za-z0-9+/]*=*)$/.exec(url) ?? [];
  return base64 === undefined ? null : Buffer.from(base64, "base64");
}

/** The type according to the first bytes; null if it is none of the four. */
function imageType(bytes: Buffer): "png" | "jpeg" | "webp" | "svg+xml" | null {
  const text = bytes.toString("latin1", 0, 12);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (/^RIFF.{4}WEBP/s.test(text)) return "webp";
  return isSvg(bytes) ? "svg+xml" : null;
}

/** A byte order mark or white space, an XML declaration, a comment, a document type. */
const beforeRoot = /\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>/isy;

/** Returns whether the first element after those is `svg`. */
function isSvg(bytes: Buffer): boolean {
  const text = bytes.toString("utf8");
  let at = 0;
  for (beforeRoot.lastIndex = 0; beforeRoot.test(text); ) at = beforeRoot.lastIndex;
  return /^<svg[\s>]/i.test(text.slice(at, at + 5));
}

/** In pixels; for an animated PNG with its number of frames. */
type ImageSize = { width: number; height: number; frames?: number };

/** The size of a PNG or a JPEG; null if the file is damaged, truncated or empty. */
export function imageSize(bytes: Buffer, type: "png" | "jpeg"): ImageSize | null {
  const size = type === "png" ? pngSize(bytes) : jpegSize(bytes);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

/**
 * Reads the header, the first chunk (PNG section 11.2.2), if the file is complete: pdfme reads a truncated one for
 * ever.
 */
function pngSize(bytes: Buffer): ImageSize | null {
  const frames = framesOf(bytes);
  return frames === null
    ? null
    : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), frames: Math.max(1, frames) };
}

/**
 * Number of animation frames in a PNG; null if it is incomplete. Chunks of length, type, data and checksum follow the
 * signature, up to the end chunk (PNG section 5); each frame is preceded by its own control chunk (11.3.6.2).
 */
function framesOf(bytes: Buffer): number | null {
  let at = 8;
  let frames = 0;
  while (at + 12 <= bytes.length) {
    const sumAt = at + 8 + bytes.readUInt32BE(at);
    if (sumAt + 4 > bytes.length) return null;
    const typeAndData = bytes.subarray(at + 4, sumAt);
    if (Bun.hash.crc32(typeAndData) !== bytes.readUInt32BE(sumAt)) return null;
    const type = typeAndData.toString("latin1", 0, 4);
    if (type === "IEND") return frames;
    if (type === "fcTL") frames += 1;
    at = sumAt + 4;
  }
  return null;
}

function jpegSize(bytes: Buffer): ImageSize | null {
  const at = frameAt(bytes);
  return at === null ? null : { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
}

/** Returns whether a JPEG has the four colours of print. */
export function isCmyk(jpeg: Buffer): boolean {
  const at = frameAt(jpeg);
  return at !== null && jpeg[at + 9] === 4;
}

/**
 * Finds the frame header of a JPEG (ITU T.81 annex B): segments, each after any number of fill bytes FF, up to the
 * frame header, whose markers are C0 to CF except for three.
 */
function frameAt(bytes: Buffer): number | null {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return at;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
