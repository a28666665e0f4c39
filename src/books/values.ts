import type { Log } from "../config/log-events.ts";
import * as Currency from "../domain/bill/currency.ts";
import { messageOf } from "../lib/error.ts";
import { sleep } from "../lib/loop.ts";
import type { PastRates } from "../rates/past.ts";
import type { Db } from "../store/database.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as PaymentValueStore from "../store/tables/invoicing/payment-value.ts";

/** A rate is that of a payment when it was fetched so long before or after it. */
export const nearMs = 10 * 60_000;

/** How often to look for payments without a value. */
const lookMs = 15_000;

/** So many payments are looked at in about 2 ms, in which nothing else is answered. */
const batchSize = 500;

/** So many hours or days are asked for in one look: exchanges limit how often they are asked. */
const periodsAtOnce = 5;

/** All payments are looked through again after so long. */
const againMs = 6 * 3_600_000;

export type ValuesDeps = {
  db: Db;
  log: Log;
  now: () => number;
  currency: Currency.Code;
  /** What 1 USDC costs now; null when nobody can say. Null in its place has all payments valued by `past`. */
  quote: ((code: Currency.Code) => Promise<Currency.Quote | null>) | null;
  past: PastRates;
};

/**
 * Keeps what 1 USDC was worth at each confirmed payment: the rate of that time, if it can be had within ten minutes, and
 * otherwise that of its hour, or that of its day where a central bank says it. What nobody knows stays unknown. It only
 * reads what the watcher has stored, and nothing waits for it.
 */
export function createValues({ db, now, currency, quote, past }: ValuesDeps) {
  /** Where the looking through older payments has come to; null before the newest. */
  let sweep: { below: PaymentValueStore.PaymentCursor | null; dueAt: number } = { below: null, dueAt: 0 };
  /** Hours and days that nobody knew, with when to ask again. */
  const unknown = new Map<number, number>();

  /** What is missing among the newest, and in turn among those before; `goOn` when no more is to be done about them. */
  function missing(): { open: PaymentValueStore.ValuedPayment[]; goOn: () => void } {
    const read = (below: PaymentValueStore.PaymentCursor | null) =>
      PaymentValueStore.list(db, { below, limit: batchSize, driftMs: nearMs });
    const newest = read(null);
    const isDue = sweep.below !== null || now() >= sweep.dueAt;
    const older = isDue ? read(sweep.below ?? newest.at(-1) ?? null) : [];
    return {
      open: [...newest, ...older].filter(({ isMissing }) => isMissing),
      goOn() {
        const below = older.length === batchSize ? (older.at(-1) ?? null) : null;
        if (isDue) sweep = { below, dueAt: below === null ? now() + againMs : sweep.dueAt };
      },
    };
  }

  const valued = (
    { depositIndex, txHash, madeAt: paidAt }: PaymentValueStore.ValuedPayment,
    { rate, source, fetchedAt: rateAt }: Currency.Quote,
  ): PaymentValueStore.PaymentValue => ({ depositIndex, txHash, currency, rate, source, rateAt, paidAt });

  const hasParity = (email: string) => currency === "USD" && PartyStore.hasParity(db, email);

  /** Values payments by their hours or days. Returns whether all that can be asked for were asked for. */
  async function ofPast(payments: readonly PaymentValueStore.ValuedPayment[]): Promise<boolean> {
    const periods = Map.groupBy(
      payments.filter(({ madeAt }) => past.isOver(madeAt)),
      ({ madeAt }) => past.periodOf(madeAt),
    );
    const open = [...periods].filter(([period]) => now() >= (unknown.get(period) ?? 0));
    for (const [period, own] of open.slice(0, periodsAtOnce)) {
      const quoted = await past.quoteOf(currency, period);
      if (quoted === null) unknown.set(period, now() + past.againMs);
      else {
        unknown.delete(period);
        PaymentValueStore.save(
          db,
          own.map((payment) => valued(payment, quoted)),
        );
      }
    }
    return open.length <= periodsAtOnce;
  }

  return {
    /** Values what can be valued now. Throws when the database fails. */
    async look(): Promise<void> {
      PaymentValueStore.removeLost(db);
      const { open, goOn } = missing();
      const isRule = new Set(open.filter(({ merchantEmail }) => hasParity(merchantEmail)));
      PaymentValueStore.save(
        db,
        [...isRule].map((payment) =>
          valued(payment, { rate: "1", source: Currency.byParity, fetchedAt: payment.madeAt }),
        ),
      );
      const toQuote = open.filter((payment) => !isRule.has(payment));
      const isNear = (at: number) => (payment: PaymentValueStore.ValuedPayment) =>
        Math.abs(payment.madeAt - at) <= nearMs;
      const fresh = quote === null ? [] : toQuote.filter(isNear(now()));
      const quoted = quote === null || fresh.length === 0 ? null : await quote(currency);
      if (quoted !== null) {
        const near = fresh.filter(isNear(quoted.fetchedAt));
        PaymentValueStore.save(
          db,
          near.map((payment) => valued(payment, quoted)),
        );
      }
      const old = quote === null ? toQuote : toQuote.filter((payment) => !isNear(now())(payment));
      if (await ofPast(old)) goOn();
    },
  };
}

/** Has the values of payments kept for as long as Till runs. */
export function startValues(deps: ValuesDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const values = createValues(deps);

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await values.look();
      } catch (thrown) {
        const fields = { reason: messageOf(thrown) };
        deps.log.warn("value.stalled", "values of payments cannot be kept just now", fields);
      }
      await sleep(lookMs, signal);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
