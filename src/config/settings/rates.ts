import * as Currency from "../../domain/bill/currency.ts";
import * as Reference from "../../domain/bill/rate/reference.ts";
import * as RateSource from "../../domain/bill/rate/source.ts";
import { oneOf } from "../parse.ts";

/** Exchange rates: for invoices, for the books and for taxes. */
export const rateSettings = {
  RATES: {
    page: "rates",
    default: RateSource.names.join(","),
    meaning:
      "whom to ask, at most once a minute, what 1 USDC costs for an invoice or a link in EUR or USD: any of `kraken`, `coinbase` and `bitstamp`, or one at another address, `kraken=https://…`, which on a public Till must be a public one; `off`: nobody, and such invoices and links need a `rate`",
    parse: RateSource.parseChosen,
    wants: '"off", or names of kraken, coinbase and bitstamp, separated by commas, each once',
  },
  BOOKKEEPING_CURRENCY: {
    page: "rates",
    default: null,
    meaning:
      "record what 1 USDC was worth at each payment, for exports, in `EUR`, `USD` or another currency with an ECB rate",
    parse: (text: string) => (Currency.isCode(text) ? text : undefined),
    wants: "a currency of ISO 4217, for example EUR",
  },
  BOOKKEEPING_RATES: {
    page: "rates",
    default: "exchanges",
    meaning:
      "where those rates come from: `exchanges`, those in `TILL_RATES`; or `ecb`, the European Central Bank's reference rate of the day with 1 USDC as 1 USD, or from another address, `ecb=https://…`",
    parse: Reference.parseSource,
    wants: '"exchanges" or "ecb"',
  },
  TAX_PERIOD: {
    page: "rates",
    default: "supply",
    meaning:
      "the month that the tax of an invoice belongs to, in exports: `supply`, of the delivery, or of the issue where the invoice names no delivery; or `issue`",
    ...oneOf(["supply", "issue"]),
  },
  TAX_RATES: {
    default: "ecb",
    meaning:
      "whom to ask for the tax in the currency of the seller's country, which its law wants on an invoice in another: `ecb`, the European Central Bank, or from another address, `ecb=https://…`; `off`: nobody; such invoices need a `tax_exchange_rate`, and receipts of links state none",
    parse: (text: string) => (text === "off" ? null : (Reference.parseSource(text) ?? undefined)),
    wants: '"ecb" or "off"',
  },
} as const;
