import { randomBytes } from "node:crypto";

/** Lower-case letters and digits without `0`, `o`, `1` and `l`, which people mistake for one another. */
const alphabet = "23456789abcdefghijkmnpqrstuvwxyz";

/**
 * A random name of `length` letters and digits, 5 bits each. 16 of them (80 bits) cannot be guessed over a
 * network.
 */
export function randomName(length: number): string {
  let name = "";
  for (const byte of randomBytes(length)) name += alphabet[byte & 31];
  return name;
}
