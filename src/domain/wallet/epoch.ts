/**
 * Deposit indexes and merchants' accounts come in epochs. An installation begins in epoch 0. After a restore nobody
 * knows what was given out since the backup, so it goes on in a later epoch: that of the quarter of an hour in which it
 * is restored. A quarter is short enough that two restores which know nothing of each other hardly meet in one, and
 * long enough that a search from the mnemonic alone can look into every epoch that there can have been.
 */

const originMs = Date.UTC(2026, 10, 1);
const lengthMs = 900_000;

/** Deposits in an epoch. With `epochMax` the highest index is below 2⁵², so a number holds it exactly. */
const deposits = 2 ** 32;

/** Merchants that are new in an epoch; epoch 0 goes on into those before anybody restored. An account has 31 bits. */
const accounts = 2 ** 11;
const epochMax = 2 ** 20 - 1;

/** Of restores one after the other in a quarter each takes the next epoch: so far can they be ahead of the clock. */
export const aheadMax = 96;

/** The epoch of a time in Unix ms; 0 for all times before there were restores. */
export function at(timeMs: number): number {
  return Math.max(0, Math.floor((timeMs - originMs) / lengthMs));
}

/** When an epoch begins, in Unix ms. */
export function startMs(epoch: number): number {
  return originMs + epoch * lengthMs;
}

export function ofIndex(depositIndex: number): number {
  return Math.floor(depositIndex / deposits);
}

export function ofAccount(accountIndex: number): number {
  return Math.floor(accountIndex / accounts);
}

export function firstIndex(epoch: number): number {
  return epoch * deposits;
}

/** Account 0 pays for gas and is no merchant's. */
export function firstAccount(epoch: number): number {
  return Math.max(1, epoch * accounts);
}

/**
 * The epoch of a restore at `now` (Unix ms), above the newest that is known to have been used. Null when that one is
 * further ahead than restores one after the other can come: then this clock, or an earlier one, is wrong. Throws a
 * RangeError when the epochs are used up, in 2056.
 */
export function after(newestKnown: number, now: number): number | null {
  if (newestKnown >= at(now) + aheadMax) return null;
  const epoch = Math.max(newestKnown + 1, at(now));
  if (epoch > epochMax) throw new RangeError(`There is no epoch ${epoch} for deposit addresses`);
  return epoch;
}
