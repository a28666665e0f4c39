import type { Writable } from "node:stream";
import { sleep } from "./loop.ts";

/** Maximum characters that may wait for a slow reader. */
const waitingMax = 1_000_000;

/** How long the end waits for the reader. */
const endMs = 1_000;

export type LineWriter = {
  /** Queues a line given without its line break; never waits. */
  write(line: string): void;
  /** Resolves once everything is written, with false if nobody reads it in time. */
  end(): Promise<boolean>;
};

/**
 * Writes lines to a pipe whose reader may stop: `console.log` would block the whole process then. Lines beyond the
 * limit are dropped, and `onDropped` is called with their number once the reader is back.
 */
export function createLineWriter(stream: Writable, onDropped: (count: number) => void): LineWriter {
  let waiting = 0;
  let dropped = 0;
  let written = Promise.withResolvers<true>();
  written.resolve(true);
  // A reader that has left for good is not a failure here.
  stream.on("error", () => {});
  return {
    write(line) {
      if (waiting > waitingMax) {
        dropped += 1;
        return;
      }
      const text = `${line}\n`;
      if (waiting === 0) written = Promise.withResolvers();
      waiting += text.length;
      stream.write(text, () => {
        waiting -= text.length;
        if (waiting > 0) return;
        written.resolve(true);
        const count = dropped;
        dropped = 0;
        if (count > 0) onDropped(count);
      });
    },
    end: () => Promise.race([written.promise, sleep(endMs).then(() => false)]),
  };
}
