import { SealBroken, sealedPrefix, type Vault } from "../lib/crypto.ts";

/**
 * A pass that lets `till doctor` read a public Till's full health report without an API key: whoever has the wallet can
 * issue one. Valid for a minute.
 */

const place = "health report";
const validMs = 60_000;

/** `now` in Unix milliseconds. */
export function issue(vault: Vault, now: number): string {
  return vault.seal(String(now), place);
}

export function looksLike(text: string): boolean {
  return text.startsWith(sealedPrefix);
}

export function isValid(vault: Vault, pass: string, now: number): boolean {
  try {
    return Math.abs(now - Number(vault.open(pass, place))) <= validMs;
  } catch (thrown) {
    if (thrown instanceof SealBroken) return false;
    throw thrown;
  }
}
