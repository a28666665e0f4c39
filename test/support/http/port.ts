import { freePort } from "../../../src/lib/net/host.ts";

/** Below what Linux, macOS and Windows give to whoever asks for any port. */
const first = 20_000;
const count = 12_000;
/** Test processes that run side by side begin at different ones. */
let next = (process.pid * 131) % count;

/**
 * A port of the loopback interface that nobody else gets: not while the server on it is still starting, nor while it
 * is stopped to be started again. A port of the system's choice is gone as soon as another socket asks for one.
 */
export function ownPort(): number {
  for (let tried = 0; tried < count; tried++) {
    const port = first + next;
    next = (next + 1) % count;
    try {
      return freePort("127.0.0.1", port);
    } catch {
      // Somebody listens there.
    }
  }
  throw new Error(`No port from ${first} to ${first + count - 1} is free.`);
}
