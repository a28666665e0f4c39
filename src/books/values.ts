import type { Log } from "../config/log-events.ts";
import * as Currency from "../domain/bill/currency.ts";
import { ofEther } from "../domain/bill/rate/source.ts";
import { messageOf } from "../lib/error.ts";
import { sleep, turn } from "../lib/loop.ts";
import type { PastRates } from "../rates/past.ts";
import { type Db, transact } from "../store/database.ts";
import * as BookValueStore from "../store/tables/invoicing/book-value.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as PaymentValueStore from "../store/tables/invoicing/payment-value.ts";

/** How far from a payment, or the like, a rate may have been fetched to be its rate. */
export const nearMs = 10 * 60_000;

/** How often to look for missing values. */
const lookMs = 15_000;

/** Looking at this many takes about 2 ms, during which nothing else is served. */
const batchSize = 500;

/** Maximum hours or days asked for per look, as exchanges limit requests. */
const periodsAtOnce = 5;

/** How soon everything is looked through again. */
const againMs = 6 * 3_600_000;

/** Prices of 1 USDC or 1 ETH: the current one, if available, and past ones. */
type Prices = {
  /** Null to value everything by `past`. */
  quote: ((code: Currency.Code) => Promise<Currency.Quote | null>) | null;
  past: PastRates;
};

export type ValuesDeps = Prices & {
  db: Db;
  log: Log;
  now: () => number;
  currency: Currency.Code;
  /** Prices of ETH, which no central bank has. */
  ether: Prices;
};

/** Something with a value, and whether that is still missing; `keep` stores it. */
type Moment = {
  madeAt: number;
  merchantEmail: string;
  isMissing: boolean;
  keep: (quoted: Currency.Quote) => void;
};

/** Missing values, and `goOn` for when no more can be done about them. */
type Found = { open: Moment[]; goOn: () => void };

/**
 * Stores the value of 1 USDC at each confirmed payment, withdrawal, refund and sale in another currency, and of 1 ETH
 * at each fee: the rate of that time if available within ten minutes, otherwise that of its hour, or of its day with a
 * central bank. Unknown values stay unknown. It only reads stored data, and nothing waits for it.
 */
export function createValues({ db, now, currency, quote, past, ether }: ValuesDeps) {
  /** Looks through the newest of a list each time, and backwards through older ones in turn. */
  function sweeping<T>(read: (below: T | null) => T[], momentOf: (each: T) => Moment): () => Found {
    /** The backfill of older rows: where it continues, null before it starts, and when the next one is due. */
    let sweep: { below: T | null; dueAt: number } = { below: null, dueAt: 0 };
    return () => {
      const newest = read(null);
      const isDue = sweep.below !== null || now() >= sweep.dueAt;
      const older = isDue ? read(sweep.below ?? newest.at(-1) ?? null) : [];
      return {
        open: [...newest, ...older].map(momentOf).filter(({ isMissing }) => isMissing),
        goOn() {
          const below = older.length === batchSize ? (older.at(-1) ?? null) : null;
          if (isDue) sweep = { below, dueAt: below === null ? now() + againMs : sweep.dueAt };
        },
      };
    };
  }

  const payments = sweeping(
    (below: PaymentValueStore.PaymentCursor | null) =>
      PaymentValueStore.list(db, { below, limit: batchSize, driftMs: nearMs }),
    ({ depositIndex, txHash, ...payment }) => ({
      ...payment,
      keep: ({ rate, source, fetchedAt: rateAt }) =>
        PaymentValueStore.save(db, [
          { depositIndex, txHash, currency, rate, source, rateAt, paidAt: payment.madeAt },
        ]),
    }),
  );

  const others = (kind: BookValueStore.Kind) =>
    sweeping(
      (below: { id: number } | null) =>
        BookValueStore.list(db, kind, {
          currency,
          below: below?.id ?? null,
          limit: batchSize,
          driftMs: nearMs,
        }),
      ({ id, ...each }) => ({
        ...each,
        keep: ({ rate, source, fetchedAt: rateAt }) =>
          BookValueStore.save(db, { kind, id, currency, rate, source, rateAt, madeAt: each.madeAt }),
      }),
    );

  const keepAll = (moments: readonly Moment[], quotedOf: (moment: Moment) => Currency.Quote) =>
    transact(db, () => {
      for (const moment of moments) moment.keep(quotedOf(moment));
    });

  /** Values what is missing at these prices. */
  function valuing(code: Currency.Code, { quote, past }: Prices) {
    /** Hours and days with unknown prices, with the time to ask again. */
    const unknown = new Map<number, number>();

    /** Values items by their hours or days. Returns whether everything possible was asked for. */
    async function ofPast(moments: readonly Moment[]): Promise<boolean> {
      const periods = Map.groupBy(
        moments.filter(({ madeAt }) => past.isOver(madeAt)),
        ({ madeAt }) => past.periodOf(madeAt),
      );
      const open = [...periods].filter(([period]) => now() >= (unknown.get(period) ?? 0));
      for (const [period, own] of open.slice(0, periodsAtOnce)) {
        const quoted = await past.quoteOf(code, period);
        if (quoted === null) unknown.set(period, now() + past.againMs);
        else {
          unknown.delete(period);
          keepAll(own, () => quoted);
        }
      }
      return open.length <= periodsAtOnce;
    }

    return async (toQuote: readonly Moment[]): Promise<boolean> => {
      const isNear = (at: number) => (moment: Moment) => Math.abs(moment.madeAt - at) <= nearMs;
      const fresh = quote === null ? [] : toQuote.filter(isNear(now()));
      const quoted = quote === null || fresh.length === 0 ? null : await quote(code);
      if (quoted !== null) keepAll(fresh.filter(isNear(quoted.fetchedAt)), () => quoted);
      return ofPast(quote === null ? toQuote : toQuote.filter((moment) => !isNear(now())(moment)));
    };
  }

  const usdc = valuing(currency, { quote, past });
  const eth = valuing(ofEther(currency), ether);
  const isRule = ({ merchantEmail }: Moment) => currency === "USD" && PartyStore.hasParity(db, merchantEmail);
  const ofUsdc = async (open: readonly Moment[]) => {
    const { true: ruled = [], false: toQuote = [] } = Object.groupBy(open, (moment) => `${isRule(moment)}`);
    keepAll(ruled, ({ madeAt }) => ({ rate: "1", source: Currency.byParity, fetchedAt: madeAt }));
    return usdc(toQuote);
  };
  const all = [
    { find: payments, value: ofUsdc },
    ...BookValueStore.kinds.map((kind) => ({ find: others(kind), value: kind === "fee" ? eth : ofUsdc })),
  ];

  return {
    /** Values what can be valued now. Throws if the database fails. */
    async look(): Promise<void> {
      PaymentValueStore.removeLost(db);
      for (const { find, value } of all) {
        const { open, goOn } = find();
        if (await value(open)) goOn();
        await turn();
      }
    },
  };
}

/** Values payments and the like as long as Till runs. */
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
