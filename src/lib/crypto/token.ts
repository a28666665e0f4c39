import { createHash, randomBytes } from "node:crypto";

/** A new secret for a person or a program to show, in base64url: 256 bits cannot be guessed. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a text has the form of one. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** What is stored of one. A single round of SHA-256 is enough for what cannot be guessed. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
