import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/**
 * Maximum files and connections this process may have open; null if the system does not say. Bun has already raised it
 * as far as allowed.
 */
export function openFilesMax(): number | null {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1]) || null;
  } catch {
    return null;
  }
}

/** Number of open files and connections; null if the system does not say, or no more can be opened to find out. */
export function countOpenFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}

/** Returns whether not a single further file can be opened. */
export function isNoneLeft(): boolean {
  try {
    closeSync(openSync("/dev/null", "r"));
    return false;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EMFILE";
  }
}
