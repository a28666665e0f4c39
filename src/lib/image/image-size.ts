/** In pixels. */
type ImageSize = { width: number; height: number };

/** The size of a PNG or a JPEG; null when the file is damaged, cut off or empty. */
export function imageSize(bytes: Buffer, type: "png" | "jpeg"): ImageSize | null {
  const size = type === "png" ? pngSize(bytes) : jpegSize(bytes);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

/** From the header, the first chunk (PNG section 11.2.2), if the file is whole: pdfme reads a cut one for ever. */
function pngSize(bytes: Buffer): ImageSize | null {
  return isWholePng(bytes) ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** Chunks of length, type, data and checksum follow the signature, up to the one that says so (PNG section 5). */
function isWholePng(bytes: Buffer): boolean {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const sumAt = at + 8 + bytes.readUInt32BE(at);
    if (sumAt + 4 > bytes.length) return false;
    const typeAndData = bytes.subarray(at + 4, sumAt);
    if (Bun.hash.crc32(typeAndData) !== bytes.readUInt32BE(sumAt)) return false;
    if (typeAndData.toString("latin1", 0, 4) === "IEND") return true;
    at = sumAt + 4;
  }
  return false;
}

function jpegSize(bytes: Buffer): ImageSize | null {
  const at = frameAt(bytes);
  return at === null ? null : { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
}

/** Whether a JPEG has the four colours of print. */
export function isCmyk(jpeg: Buffer): boolean {
  const at = frameAt(jpeg);
  return at !== null && jpeg[at + 9] === 4;
}

/**
 * JPEG (ITU T.81 annex B): segments, each after any number of fill bytes FF, up to the frame header, whose markers are
 * C0 to CF but for three.
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
