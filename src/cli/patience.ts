/** So long nobody wonders. */
const silentMs = 4_000;

/** Waits for work, and says on a terminal what it waits for when that takes long. */
export async function patiently<T>(sentence: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return await work;
  const timer = setTimeout(() => process.stderr.write(`${sentence}\n`), silentMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
