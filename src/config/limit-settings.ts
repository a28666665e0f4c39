import { integer } from "./parse.ts";

const limitRow = { parse: integer(0, 1_000_000), wants: "a number from 0 (no limit) to 1000000" };
const perMinute = (count: number) => ({ default: count, otherwise: `${count} a minute`, ...limitRow });

/** How much strangers and programs may ask for. */
export const limitSettings = {
  LIMIT_READS: {
    ...perMinute(120),
    meaning: "status calls and the like from one address, and separately as many pages; not with an API key",
  },
  LIMIT_WRITES: {
    ...perMinute(120),
    meaning: "writes with one API key, or from one address where no key is needed",
  },
  LIMIT_FAILED_KEYS: { ...perMinute(10), meaning: "wrong API keys from one address" },
  LIMIT_SIGN_INS: {
    ...perMinute(10),
    meaning: "failed tries to sign in to the desk from one address, and of one person to prove who they are",
  },
  LIMIT_PDFS: { ...perMinute(20), meaning: "PDFs for one address; not with an API key" },
  LIMIT_PDFS_AT_ONCE: { default: 2, meaning: "PDFs that are being made for one address", ...limitRow },
  LIMIT_RECEIPTS: {
    default: 10,
    otherwise: "10 an hour",
    meaning: "addresses for a receipt that are left on checkout pages, from one address and for one link",
    ...limitRow,
  },
  LIMIT_RELAYS: {
    ...perMinute(30),
    meaning: "authorisations that are asked for and handed over on pages or by x402, from one address",
  },
  LIMIT_MAILS_MERCHANT: {
    default: 100,
    otherwise: "100 an hour",
    meaning: "mails for one `merchant_email`; only with `TILL_OPEN_API`",
    ...limitRow,
  },
  LIMIT_MAILS_INVOICE: {
    default: 5,
    otherwise: "5 an hour",
    meaning: "mails of one invoice; only with `TILL_OPEN_API`",
    ...limitRow,
  },
  LIMIT_PAYMENTS_HOUR: {
    default: 10,
    otherwise: "10 an hour",
    meaning: "payments that are begun at reusable links from one address",
    ...limitRow,
  },
  LIMIT_PAYMENTS_DAY: { default: 50, otherwise: "50 a day", meaning: "the same in a day", ...limitRow },
  LIMIT_UNPAID: {
    default: 5000,
    otherwise: "5000 in 24 hours",
    meaning: "payments that were begun at one reusable link and that nobody has paid",
    ...limitRow,
  },
} as const;
