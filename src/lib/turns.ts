type Turns = {
  /** Runs `work` in a turn of the event loop in which no other work of these turns runs. Throws what it throws. */
  take<T>(work: () => T): Promise<T>;
};

/**
 * Runs pieces of work one by one, each in a turn of its own, in the order in which they came. Everything else runs in
 * between, so that many pieces block the event loop no longer than one does.
 */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];

  function next(): void {
    const run = waiting.shift();
    if (waiting.length > 0) setImmediate(next);
    run?.();
  }

  return {
    take: (work) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(next);
        waiting.push(() => {
          try {
            resolve(work());
          } catch (thrown) {
            reject(thrown);
          }
        });
      }),
  };
}
