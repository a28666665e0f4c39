/**
 * The colours of sRGB (IEC 61966-2-1) as an ICC profile of version 2.1 for a display: a header, the table of tags, and
 * their data. An archived PDF has to say what its colours mean.
 */

/** As they are seen under D50, the white of profiles. */
const white = [0.9642, 1, 0.8249];
const primaries = {
  rXYZ: [0.436075, 0.222504, 0.013932],
  gXYZ: [0.385065, 0.716879, 0.097105],
  bXYZ: [0.14308, 0.060617, 0.714173],
};

const headerBytes = 128;
const tagBytes = 12;
const curvePoints = 1024;

export function srgbProfile(): Uint8Array<ArrayBuffer> {
  const curve = toneCurve();
  const tags: [name: string, data: Buffer][] = [
    ["desc", description("sRGB IEC61966-2.1")],
    ["cprt", text("Public domain")],
    ["wtpt", colour(white)],
    ...Object.entries(primaries).map(([name, xyz]): [string, Buffer] => [name, colour(xyz)]),
    ...["rTRC", "gTRC", "bTRC"].map((name): [string, Buffer] => [name, curve]),
  ];
  const table = Buffer.alloc(4 + tags.length * tagBytes);
  table.writeUInt32BE(tags.length, 0);
  const placed = new Map<Buffer, number>();
  let end = headerBytes + table.length;
  for (const [i, [name, data]] of tags.entries()) {
    const at = placed.get(data) ?? end;
    if (!placed.has(data)) {
      placed.set(data, at);
      end += data.length;
    }
    table.write(name, 4 + i * tagBytes, "latin1");
    table.writeUInt32BE(at, 8 + i * tagBytes);
    table.writeUInt32BE(data.length, 12 + i * tagBytes);
  }
  return new Uint8Array(Buffer.concat([header(end), table, ...placed.keys()]));
}

function header(bytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(bytes, 0);
  header.writeUInt32BE(0x0210_0000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  // A day, as no date in a file of Till's is that of its making.
  for (const [i, part] of [2026, 1, 1].entries()) header.writeUInt16BE(part, 24 + 2 * i);
  header.write("acsp", 36, "latin1");
  for (const [i, part] of white.entries()) header.writeInt32BE(fixed(part), 68 + 4 * i);
  return header;
}

/** A signed number with 16 bits after the point. */
const fixed = (value: number) => Math.round(value * 65_536);

/** A tag's data: its type, four zeros, and what follows, up to a multiple of four bytes. */
function tag(type: string, data: Buffer): Buffer {
  const padding = Buffer.alloc((4 - (data.length % 4)) % 4);
  return Buffer.concat([Buffer.from(type, "latin1"), Buffer.alloc(4), data, padding]);
}

const text = (words: string) => tag("text", Buffer.from(`${words}\0`, "latin1"));

function description(words: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(words.length + 1);
  // Neither in Unicode nor for a Macintosh: two codes and counts, and room for 67 letters.
  return tag("desc", Buffer.concat([length, Buffer.from(`${words}\0`, "latin1"), Buffer.alloc(8 + 3 + 67)]));
}

function colour(xyz: readonly number[]): Buffer {
  const data = Buffer.alloc(12);
  for (const [i, part] of xyz.entries()) data.writeInt32BE(fixed(part), 4 * i);
  return tag("XYZ ", data);
}

/** How much light a value between 0 and 1 stands for, in 16 bits each. */
function toneCurve(): Buffer {
  const data = Buffer.alloc(4 + 2 * curvePoints);
  data.writeUInt32BE(curvePoints, 0);
  for (let i = 0; i < curvePoints; i += 1) {
    const value = i / (curvePoints - 1);
    const light = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    data.writeUInt16BE(Math.round(light * 65_535), 4 + 2 * i);
  }
  return tag("curv", data);
}
