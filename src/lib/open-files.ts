import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/**
 * How many files and connections this process may have open at once; null where the system does not say. Bun has raised
 * that as far as it may before anything else runs.
 */
export function openFilesMax(): number | null {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1]) || null;
  } catch {
    return null;
  }
}

/** How many are open; null where the system does not say, or none is left to ask it with. */
export function countOpenFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}

/** Whether not one more can be opened. */
export function isNoneLeft(): boolean {
  try {
    closeSync(openSync("/dev/null", "r"));
    return false;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EMFILE";
  }
}
