import type { Writable } from "node:stream";
import { sleep } from "./loop.ts";

/** So much may wait for a slow reader, in characters. */
const waitingMax = 1_000_000;

/** How long the end waits for the reader. */
const endMs = 1_000;

export type LineWriter = {
  /** Takes a line without its line break, and never waits. */
  write(line: string): void;
  /** Resolves once everything is written, with false when nobody reads it in time. */
  end(): Promise<boolean>;
};

/**
 * Writes lines to a pipe whose reader may stop: `console.log` would wait for it, and the whole process with it. What is more
 * than may wait is dropped, and `onDropped` is told how many lines that were once the reader is back.
 */
export function createLineWriter(stream: Writable, onDropped: (count: number) => void): LineWriter {
  let waiting = 0;
  let dropped = 0;
  let written = Promise.withResolvers<true>();
  written.resolve(true);
  // A reader that has left for good is no failure here.
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
