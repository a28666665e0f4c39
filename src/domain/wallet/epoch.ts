/**
 * Deposit indexes and merchants' accounts come in epochs. An installation begins in epoch 0. After a restore nobody
 * knows what was handed out since the backup, so it continues in a later epoch: the one of the next quarter of an hour,
 * as a start before it may have begun the one of this quarter. A quarter is short enough that two independent restores
 * hardly ever share one, and long enough that a search from the mnemonic alone can look into every possible epoch.
 */

const originMs = Date.UTC(2026, 10, 1);
const lengthMs = 900_000;

/** Deposits per epoch. With `epochMax` the highest index is below 2⁵², so a number holds it exactly. */
const deposits = 2 ** 32;

/** New merchants per epoch; epoch 0 continues into the ones that no restore has used yet. An account has 31 bits. */
const accounts = 2 ** 11;
const epochMax = 2 ** 20 - 1;

/** How many epochs may be ahead of the clock: each of several restores within one quarter takes the next epoch. */
export const aheadMax = 96;

/** The epoch at a time in Unix ms; 0 for all times before restores existed. */
export function at(timeMs: number): number {
  return Math.max(0, Math.floor((timeMs - originMs) / lengthMs));
}

/** The start of an epoch, in Unix ms. */
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

/** Account 0 pays for gas and belongs to no merchant. */
export function firstAccount(epoch: number): number {
  return Math.max(1, epoch * accounts);
}

/**
 * The epoch for a start at `now` (Unix ms), above the newest one known to have been used. Null if that one is further
 * ahead than repeated restores explain: then this clock or an earlier one is wrong. Throws a RangeError when the epochs
 * are exhausted, in 2056.
 */
export function after(newestKnown: number, now: number): number | null {
  if (newestKnown >= at(now) + aheadMax) return null;
  return existing(Math.max(newestKnown + 1, at(now)));
}

/** The same for a restore: a start that nobody knows of any more may have begun the epoch of this quarter. */
export function afterRestore(newestKnown: number, now: number): number | null {
  return after(Math.max(newestKnown, at(now)), now);
}

/**
 * The same where `newestKnown` is too far ahead, because an earlier clock was wrong and this one is right. The place of
 * this quarter in the day keeps restores apart that know nothing of one another.
 */
export function beyond(newestKnown: number, now: number): number {
  return existing(newestKnown + 1 + (at(now) % aheadMax));
}

function existing(epoch: number): number {
  if (epoch > epochMax) throw new RangeError(`There is no epoch ${epoch} for deposit addresses`);
  return epoch;
}
