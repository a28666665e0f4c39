import { readFileSync, statSync } from "node:fs";
import { messageOf } from "../error.ts";
import { imageSize } from "./image-size.ts";

const bytesMax = 100 * 1024;

const wants = "it must be a PNG, JPEG, WebP or SVG file";

/**
 * An image as a data: URL, of the type that its content says, or a sentence about what is wrong with the file. The
 * URL is for an `<img>`: there no script in an SVG runs, and nothing in it is loaded.
 */
export function readImage(path: string): { url: string } | { fault: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { fault: wants };
    const { size } = stats;
    if (size > bytesMax) {
      const kilobytes = Math.ceil(size / 1024);
      return { fault: `that file has ${kilobytes} KB, and at most ${bytesMax / 1024} KB are shown` };
    }
    const bytes = readFileSync(path);
    const type = imageType(bytes);
    if (type === null) return { fault: wants };
    if ((type === "png" || type === "jpeg") && imageSize(bytes, type) === null)
      return { fault: "that file is damaged, or ends too early: save the image anew" };
    return { url: `data:image/${type};base64,${bytes.toString("base64")}` };
  } catch (thrown) {
    return { fault: `${wants}, and it cannot be read: ${messageOf(thrown)}` };
  }
}

/** What the first bytes are the beginning of; null when it is none of the four. */
function imageType(bytes: Buffer): "png" | "jpeg" | "webp" | "svg+xml" | null {
  const text = bytes.toString("latin1", 0, 12);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (/^RIFF.{4}WEBP/s.test(text)) return "webp";
  return isSvg(bytes) ? "svg+xml" : null;
}

/** After a byte order mark, an XML declaration, comments and a document type, the first element is `svg`. */
function isSvg(bytes: Buffer): boolean {
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  const rest = text.replace(/^(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)*/is, "");
  return /^<svg[\s>]/i.test(rest);
}
