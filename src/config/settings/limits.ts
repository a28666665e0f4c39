import { integer } from "../parse.ts";

const limitRow = { parse: integer(0, 1_000_000), wants: "a number from 0 (no limit) to 1000000" };
const perMinute = (count: number) => ({ default: count, otherwise: `${count} a minute`, ...limitRow });

/** Limits on requests from strangers and programs. */
export const limitSettings = {
  LIMIT_READS: {
    ...perMinute(120),
    meaning:
      "status calls and similar from one address, and as many pages, counted separately; not with an API key",
  },
  LIMIT_WRITES: {
    ...perMinute(120),
    meaning: "writes with one API key, or from one address where no key is needed",
  },
  LIMIT_FAILED_KEYS: { ...perMinute(10), meaning: "wrong API keys from one address" },
  LIMIT_SIGN_INS: {
    ...perMinute(10),
    meaning: "failed sign-ins to the desk from one address, and one person's failed proofs of who they are",
  },
  LIMIT_PDFS: { ...perMinute(20), meaning: "PDFs for one address; not with an API key" },
  LIMIT_PDFS_AT_ONCE: { default: 2, meaning: "PDFs in the making at once for one address", ...limitRow },
  LIMIT_RECEIPTS: {
    default: 10,
    otherwise: "10 an hour",
    meaning: "addresses left for a receipt, and refunds asked for, on payers' pages, from one client",
    ...limitRow,
  },
  LIMIT_RELAYS: {
    ...perMinute(30),
    meaning: "authorisations requested and submitted from one address, on pages or by programs",
  },
  LIMIT_MAILS_MERCHANT: {
    default: 100,
    otherwise: "100 an hour",
    meaning: "mails on behalf of one `merchant_email`; only with `TILL_OPEN_API`",
    ...limitRow,
  },
  LIMIT_MAILS_INVOICE: {
    default: 5,
    otherwise: "5 an hour",
    meaning: "mails about one invoice; only with `TILL_OPEN_API`",
    ...limitRow,
  },
  LIMIT_PAYMENTS_HOUR: {
    default: 10,
    otherwise: "10 an hour",
    meaning: "payments started at reusable links from one address",
    ...limitRow,
  },
  LIMIT_PAYMENTS_DAY: { default: 50, otherwise: "50 a day", meaning: "the same in a day", ...limitRow },
  LIMIT_UNPAID: {
    default: 5000,
    otherwise: "5000 in 24 hours",
    meaning: "unpaid payments started at one reusable link",
    ...limitRow,
  },
} as const;
