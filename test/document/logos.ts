import { deflateSync } from "node:zlib";

/** Logos of every kind that an operator may bring, each 8 pixels wide and high, as data: URLs. */

type Kind = {
  /** As PNG numbers them: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  colour: 0 | 2 | 3 | 4 | 6;
  bits?: 8 | 16;
  /** Which colours of a palette are how dense. */
  density?: number[];
};

const side = 8;
const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length);
  whole.set(body, 4);
  whole.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
  return whole;
}

function png({ colour, bits = 8, density }: Kind): string {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([bits, colour], 8);
  const rowBytes = (side * channels[colour] * bits) / 8;
  const rows = Array.from({ length: side }, (_, row) => [
    0,
    ...Array.from({ length: rowBytes }, (_, at) => (colour === 3 ? at % 4 : (row * 37 + at * 11) % 256)),
  ]);
  const file = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    ...(colour === 3 ? [chunk("PLTE", Buffer.from("000000ff000000ff000000ff", "hex"))] : []),
    ...(density ? [chunk("tRNS", Uint8Array.from(density))] : []),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", new Uint8Array()),
  ]);
  return `data:image/png;base64,${file.toString("base64")}`;
}

const jpeg = (base64: string) => `data:image/jpeg;base64,${base64}`;

export const logos = {
  grey: png({ colour: 0 }),
  colours: png({ colour: 2 }),
  "colours of 16 bits": png({ colour: 2, bits: 16 }),
  "a palette": png({ colour: 3 }),
  "a palette that is dense in parts": png({ colour: 3, density: [0, 128] }),
  "grey that is dense in parts": png({ colour: 4 }),
  "colours that are dense in parts": png({ colour: 6 }),
  "colours of 16 bits that are dense in parts": png({ colour: 6, bits: 16 }),
  "a JPEG": jpeg(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAWEAEBAQAAAAAAAAAAAAAAAAAAE2H/xAAVAQEBAAAAAAAAAAAAAAAAAAADBf/EABcRAAMBAAAAAAAAAAAAAAAAAAADFFH/2gAMAwEAAhEDEQA/AJNtAVo1YNU3T//Z",
  ),
  "a grey JPEG": jpeg(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABcQAAMBAAAAAAAAAAAAAAAAAAAWYqH/2gAIAQEAAD8AMN6f/9k=",
  ),
};

/** A JPEG in the four colours of print. */
export const printLogo = jpeg(
  "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCeo6utq2eAvMm6pseZqKuk/9sAQwEcHh4oIyhOKytOpG5dbqSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk/8AAFAgACAAIBAERAAIRAQMRAQQRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAQG/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABUBAQEAAAAAAAAAAAAAAAAAAAQG/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAA4EAQACEQMRBAAAPwB5iaUz/9k=",
);
