import type { Address } from "../../domain/wallet/address.ts";
import { type Recipients, topicOf, topicPadding } from "./transfer-log.ts";

/** A run of consecutive recipients. `key` is the same for the same recipients. */
export type RecipientPart = { readonly key: bigint; topics(): string[] };

export type WatchedRecipients = Recipients & {
  add(address: Address, index: number): void;
  /** All of them, in the order in which they were added, in parts of at most `size`. */
  parts(size: number): RecipientPart[];
  /** All addresses in that order, in lower case, and their indexes. */
  list(): { addresses: Address[]; indices: number[] };
};

/** An address is five words of 32 bits, each eight hex digits. */
const words = 5;
const wordDigits = 8;
const topicForm = /^0x0{24}[0-9a-f]{40}$/;
const roomAtFirst = 256;
/** Whoever reads only some of the keys pays for little more. */
const keysAtOnce = 1_000;
/** At most half of the slots are full, so that a lookup takes one step or two. */
const slotsPerEntry = 2;

/**
 * Recipients in 36 bytes each, where a Map of topics takes 300: 100,000 open deposits are nothing unusual. A hash table
 * with linear probing. Deposit addresses are hashes already, so an address's first word selects its slot.
 */
export function createRecipients(): WatchedRecipients {
  let size = 0;
  let addresses = new Uint32Array(roomAtFirst * words);
  let indices = new Float64Array(roomAtFirst);
  /** Entry numbers, counted from 1; 0 is a free slot. */
  let slots = new Uint32Array(roomAtFirst * slotsPerEntry);

  /** The addresses of entries as hex digits, all written in one go: there may be 100,000. */
  function digitsOf(from: number, to: number): string[] {
    // Words are kept in the machine's order, which is the little-endian one on every platform.
    const bytes = Buffer.from(addresses.slice(from * words, to * words).buffer).swap32();
    const digits = bytes.toString("hex");
    const each = words * wordDigits;
    return Array.from({ length: to - from }, (_, at) => digits.slice(at * each, (at + 1) * each));
  }

  const topicsOf = (from: number, to: number) => digitsOf(from, to).map((digits) => topicPadding + digits);

  /** The slot that holds the address, or the free one where it belongs. */
  function slotOf(address: ArrayLike<number>): number {
    let slot = (address[0] ?? 0) % slots.length;
    for (;;) {
      const entry = slots[slot] ?? 0;
      if (entry === 0 || isAt(entry - 1, address)) return slot;
      slot = (slot + 1) % slots.length;
    }
  }

  function isAt(entry: number, address: ArrayLike<number>): boolean {
    for (let i = 0; i < words; i++) if (addresses[entry * words + i] !== address[i]) return false;
    return true;
  }

  function get(topic: string): number | undefined {
    if (!topicForm.test(topic)) return undefined;
    const entry = slots[slotOf(wordsOf(topic))] ?? 0;
    return entry === 0 ? undefined : indices[entry - 1];
  }

  function grow(): void {
    const room = indices.length * 2;
    addresses = enlarged(addresses, new Uint32Array(room * words));
    indices = enlarged(indices, new Float64Array(room));
    slots = new Uint32Array(room * slotsPerEntry);
    for (let entry = 0; entry < size; entry++) {
      slots[slotOf(addresses.subarray(entry * words, (entry + 1) * words))] = entry + 1;
    }
  }

  return {
    get size() {
      return size;
    },
    get,
    has: (topic) => get(topic) !== undefined,
    *keys() {
      for (let from = 0; from < size; from += keysAtOnce)
        yield* topicsOf(from, Math.min(from + keysAtOnce, size));
    },
    add(address, index) {
      if (size === indices.length) grow();
      const added = wordsOf(topicOf(address));
      const slot = slotOf(added);
      if (slots[slot] !== 0) return;
      addresses.set(added, size * words);
      indices[size] = index;
      size += 1;
      slots[slot] = size;
    },
    list: () => ({
      addresses: digitsOf(0, size).map((digits) => `0x${digits}` as Address),
      indices: Array.from(indices.subarray(0, size)),
    }),
    parts(partSize) {
      return Array.from({ length: Math.ceil(size / partSize) }, (_, at) => {
        const from = at * partSize;
        const to = Math.min(from + partSize, size);
        return {
          key: BigInt(Bun.hash(addresses.subarray(from * words, to * words))),
          topics: () => topicsOf(from, to),
        };
      });
    },
  };
}

/** The address in a topic. */
function wordsOf(topic: string): number[] {
  const address: number[] = [];
  for (let start = topicPadding.length; start < topic.length; start += wordDigits) {
    address.push(Number.parseInt(topic.slice(start, start + wordDigits), 16));
  }
  return address;
}

function enlarged<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
