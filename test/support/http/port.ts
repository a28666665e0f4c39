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
      freePort("127.0.0.1", port);
      claim(port);
      return port;
    } catch {
      // Somebody listens there, or will.
    }
  }
  throw new Error(`No port from ${first} to ${first + count - 1} is free.`);
}

/** Keeps other test processes from it until this one ends: a socket with a name but no file goes with its process. */
function claim(port: number): void {
  if (process.platform === "linux")
    Bun.listen({ unix: `\0till-test-port-${port}`, socket: { data() {} } }).unref();
}
