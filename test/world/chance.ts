import { createHash } from "node:crypto";
import { createRandom, type Random } from "../support/random.ts";

/**
 * Chance that a seed decides, with a stream for each who asks: what one asks more often, or a new one, changes nothing for
 * the others.
 */
export function createChance(seed: number) {
  const streams = new Map<string, Random>();
  return (who: string): Random => {
    const known = streams.get(who);
    if (known) return known;
    const stream = createRandom(createHash("sha256").update(`${seed} ${who}`).digest().readUInt32BE());
    streams.set(who, stream);
    return stream;
  };
}

export type Chance = ReturnType<typeof createChance>;

export const bytesOf = (random: Random, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => random.between(0, 255)));
