import { createHash } from "node:crypto";
import type { Random } from "../support/random.ts";
import { HungUp, type Response } from "./life.ts";
import type { Time } from "./time.ts";

/** How long somebody waits before trying again what failed. */
const againMs = { min: 500, max: 5_000 };

/** Asks whichever Till lives. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>;

export type Asking = ReturnType<typeof createAsking>;

/** All that people and programs ask of Till. */
export function createAsking(time: Time, ask: Ask) {
  const asked = createHash("sha256");
  let requests = 0;
  return {
    /** Asks until there is an answer: Till may be killed meanwhile, and then nobody knows what it has stored. */
    async insist(random: Random, ...what: Parameters<Ask>): Promise<Response> {
      const [method, path] = what;
      for (;;) {
        try {
          requests += 1;
          const { status, text } = await ask(...what);
          asked.update(`${time.now()} ${method} ${path} ${status} ${text}\n`);
          if (status < 500) return { status, text };
        } catch (thrown) {
          if (!(thrown instanceof HungUp)) throw thrown;
        }
        await time.sleep(random.between(againMs.min, againMs.max));
      }
    },
    requests: () => requests,
    /** Of all requests and their answers so far. */
    digest: () => asked.copy().digest("hex"),
  };
}
