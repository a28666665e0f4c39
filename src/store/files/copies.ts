import { existsSync } from "node:fs";

/** Follows the database's name in its copies from before upgrades; then comes the first step of the upgrade. */
export const copyMark = ".before-schema-";

/** The newest copy beside a database that a Till can read whose schema is `newest`; null when there is none. */
export function readableCopy(file: string, newest: number): string | null {
  for (let step = newest + 1; step > 1; step--)
    if (existsSync(`${file}${copyMark}${step}`)) return `${file}${copyMark}${step}`;
  return null;
}
