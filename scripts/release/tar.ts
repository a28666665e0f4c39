/** A file or, without content, a directory. It belongs to root. */
export type Entry = { readonly path: string; readonly mode: number; readonly content?: Uint8Array };

const blockBytes = 512;

/** A tar file (ustar) of these entries. The same entries and time give the same bytes. */
export function tarOf(entries: readonly Entry[], timeSec: number): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap((entry) => {
    const content = entry.content ?? new Uint8Array();
    return [headerOf(entry, timeSec), content, new Uint8Array(-content.length & (blockBytes - 1))];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * blockBytes)]);
}

function headerOf({ path, mode, content }: Entry, timeSec: number): Uint8Array {
  const header = Buffer.alloc(blockBytes);
  if (path.length > 100) throw new Error(`${path} is too long for a tar file.`);
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, "0"), at);
  header.write(path, 0);
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(content?.length ?? 0, 124, 11);
  octal(timeSec, 136, 11);
  header.fill(" ", 148, 156);
  header.write(content === undefined ? "5" : "0", 156);
  header.write("ustar\0" + "00", 257);
  header.write("root", 265);
  header.write("root", 297);
  const sum = header.reduce((total, byte) => total + byte, 0);
  octal(sum, 148, 6);
  header[154] = 0;
  return header;
}
