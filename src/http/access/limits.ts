import type { Config, LimitName } from "../../config/config.ts";
import * as Email from "../../domain/party/email.ts";
import type { MailLimit } from "../../invoicing/outcome.ts";
import { ipSite } from "../../lib/net/host.ts";
import { counted } from "../../lib/text/english.ts";
import { world } from "../../lib/world.ts";
import { htmlMessage, readableFromAnywhere, wantsHtml } from "../answer/html.ts";
import { problem } from "../problem/problem.ts";

/** Maximum addresses, keys, merchants or invoices per limit: a few MB at most, however many addresses attack. */
const trackedMax = 20_000;

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** `times` multiplies the limit. */
type Rule = { perMs: number; what: string; per: string; times?: number };

const rules: Record<Exclude<LimitName, "PDFS_AT_ONCE">, Rule> = {
  FAILED_KEYS: { perMs: minuteMs, what: "wrong API keys", per: "IP address" },
  SIGN_INS: { perMs: minuteMs, what: "failed sign-ins", per: "IP address" },
  WRITES: { perMs: minuteMs, what: "writes", per: "API key or IP address" },
  READS: { perMs: minuteMs, what: "reads", per: "IP address without an API key" },
  PDFS: { perMs: minuteMs, what: "PDFs", per: "IP address without an API key" },
  RECEIPTS: { perMs: hourMs, what: "addresses for a receipt", per: "IP address" },
  MAILS_MERCHANT: { perMs: hourMs, what: "emails", per: "merchant" },
  MAILS_INVOICE: { perMs: hourMs, what: "emails", per: "invoice" },
  RELAYS: { perMs: minuteMs, what: "requests to pay by a signature", per: "IP address" },
  PAYMENTS_HOUR: { perMs: hourMs, what: "payments begun", per: "IP address" },
  PAYMENTS_DAY: { perMs: dayMs, what: "payments begun", per: "IP address" },
  // For a link that is full of unpaid payments: each new one lets the oldest expire, and adds a row for good.
  UNPAID: { perMs: dayMs, times: 10, what: "payments begun in the place of others", per: "reusable link" },
};

type RateName = keyof typeof rules;

/** A limit that was reached, and the wait until there is room, in ms. */
export type LimitHit = { name: LimitName; waitMs: number };

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(config: Pick<Config, "limits" | "brand" | "language">, now?: () => number) {
  const { limits } = config;
  const buckets = new Map<RateName, ReturnType<typeof createOwnerLimit>>();
  for (const name of Object.keys(rules) as RateName[]) {
    const { perMs, times = 1 } = rules[name];
    if (limits[name] > 0)
      buckets.set(name, createOwnerLimit({ count: limits[name] * times, perMs, keysMax: trackedMax, now }));
  }
  const beginPdf = createAtOnce(limits.PDFS_AT_ONCE);

  function reached(name: RateName, waitMs: number | undefined): LimitHit | null {
    return waitMs ? { name, waitMs } : null;
  }
  /** Takes one for `key`; null if there was room, if the limit is off, or if `key` is null. */
  const take = (name: RateName, key: string | null) =>
    key === null ? null : reached(name, buckets.get(name)?.take(key));
  /** Like `take`, without taking. */
  const check = (name: RateName, key: string | null) =>
    key === null ? null : reached(name, buckets.get(name)?.waitMs(key));
  return {
    take,
    check,

    /** Takes one payment of `client` from the limits per hour and per day, and from that of the full reusable link. */
    takePayment: (client: string | null, full: string | null) =>
      check("PAYMENTS_DAY", client) ??
      check("PAYMENTS_HOUR", client) ??
      take("UNPAID", full) ??
      take("PAYMENTS_HOUR", client) ??
      take("PAYMENTS_DAY", client),

    /** Takes one of the mails that a merchant may send about an invoice; a new invoice has no id yet. */
    takeMail: ({ id, merchantEmail }: { id: string | null; merchantEmail: string }) =>
      (check("MAILS_MERCHANT", Email.normalize(merchantEmail)) ??
        take("MAILS_INVOICE", id) ??
        take("MAILS_MERCHANT", Email.normalize(merchantEmail))) as MailLimit | null,

    /** Gives back what `takeMail` took for a mail that there is not. */
    giveMailBack({ id, merchantEmail }: { id: string | null; merchantEmail: string }): void {
      if (id !== null) buckets.get("MAILS_INVOICE")?.giveBack(id);
      buckets.get("MAILS_MERCHANT")?.giveBack(Email.normalize(merchantEmail));
    },

    /** Begins a PDF for `client`. Returns a function that ends it, or the limit if too many are being rendered. */
    beginPdf(client: string | null): (() => void) | LimitHit {
      if (client === null || limits.PDFS_AT_ONCE === 0) return () => {};
      return beginPdf(client) ?? { name: "PDFS_AT_ONCE", waitMs: 1 };
    },

    /** Responds to a request that reached a limit. */
    refusal({ name, waitMs }: LimitHit, request: Request, path: string): Response {
      const seconds = Math.ceil(waitMs / 1000);
      const comeBack = `Try again in ${counted(seconds, "second")}.`;
      const headers = { "retry-after": String(seconds) };
      if (wantsHtml(request)) {
        // A checkout in a frame on a shop's page must be able to show the message too.
        const frameAncestors = path.startsWith("/pay/") ? "*" : "'none'";
        return htmlMessage("tooManyRequests", request, config, { headers, frameAncestors, seconds });
      }
      return problem("rate_limited", `${describe(name, limits[name])} ${comeBack}`, {
        headers: {
          ...headers,
          ...(path.startsWith("/api/") ? readableFromAnywhere : {}),
          "access-control-expose-headers": "retry-after",
        },
      });
    },
  };
}

/** Lets each client run `max` at once, and all of them `maxOfAll`. Returns a function that ends one; null if full. */
export function createAtOnce(max: number, maxOfAll = Number.POSITIVE_INFINITY) {
  const running = new Map<string, number>();
  let ofAll = 0;
  return (client: string): (() => void) | null => {
    const before = running.get(client) ?? 0;
    if (before >= max || ofAll >= maxOfAll) return null;
    running.set(client, before + 1);
    ofAll += 1;
    return () => {
      ofAll -= 1;
      const left = (running.get(client) ?? 1) - 1;
      if (left > 0) running.set(client, left);
      else running.delete(client);
    };
  };
}

const units = new Map([
  [minuteMs, "minute"],
  [hourMs, "hour"],
]);

function describe(name: LimitHit["name"], count: number): string {
  if (name === "PDFS_AT_ONCE") return `At most ${count} PDFs at a time per IP address (TILL_LIMIT_${name}).`;
  const { perMs, what, per } = rules[name];
  const unit = units.get(perMs) ?? "day";
  return `Rate limit reached: ${count} ${what} per ${unit} per ${per} (TILL_LIMIT_${name}).`;
}

/** All networks of an IPv6 site share this multiple of the limit: one customer has it all, or many phones share it. */
const siteShare = 10;

/** Like `createRateLimit`, with an additional limit for the /48 of an IPv6 network. */
function createOwnerLimit(options: RateLimitOptions) {
  const own = createRateLimit(options);
  const ofSites = createRateLimit({ ...options, count: options.count * siteShare });
  function waitMs(key: string): number {
    const site = ipSite(key);
    return Math.max(own.waitMs(key), site === null ? 0 : ofSites.waitMs(site));
  }
  return {
    waitMs,
    take(key: string): number {
      const wait = waitMs(key);
      if (wait > 0) return wait;
      const site = ipSite(key);
      if (site !== null) ofSites.take(site);
      return own.take(key);
    },
    giveBack(key: string): void {
      const site = ipSite(key);
      if (site !== null) ofSites.giveBack(site);
      own.giveBack(key);
    },
  };
}

type RateLimitOptions = {
  /** Number per `perMs`; as many may come at once after a pause. At least 1. */
  count: number;
  perMs: number;
  /** Maximum keys remembered; beyond that, those not seen for longest start afresh. */
  keysMax: number;
  /** A monotonic clock, in ms. */
  now?: (() => number) | undefined;
};

/**
 * Token buckets, one per key, stored as the time at which the bucket is full again (the generic cell rate algorithm of
 * ITU-T I.371). Two maps alternate, so that neither time nor memory grows with the number of keys.
 */
export function createRateLimit({ count, perMs, keysMax, now = () => world.uptime() }: RateLimitOptions) {
  const intervalMs = perMs / count;
  let recent = new Map<string, number>();
  let older = new Map<string, number>();

  function fullAt(key: string, at: number): number {
    return Math.max(recent.get(key) ?? older.get(key) ?? 0, at) + intervalMs;
  }
  // Rounding errors are not a wait.
  const overdraftMs = (next: number, at: number) => Math.max(0, Math.floor(next - at - perMs));
  function remember(key: string, next: number): void {
    recent.set(key, next);
    if (recent.size < keysMax / 2) return;
    older = recent;
    recent = new Map();
  }

  return {
    /** Takes one for `key`. Returns 0, or the ms to wait until there is one; then nothing was taken. */
    take(key: string): number {
      const at = now();
      const next = fullAt(key, at);
      const wait = overdraftMs(next, at);
      if (wait > 0) return wait;
      remember(key, next);
      return 0;
    },
    /** Gives back one that was taken. */
    giveBack(key: string): void {
      const next = recent.get(key) ?? older.get(key);
      if (next !== undefined) remember(key, next - intervalMs);
    },
    /** Like `take`, but takes nothing. */
    waitMs(key: string): number {
      const at = now();
      return overdraftMs(fullAt(key, at), at);
    },
  };
}
