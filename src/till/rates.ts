import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import type { SourceFailure } from "../rates/ask.ts";
import { createEcbRates, createPastRates } from "../rates/past.ts";
import { createRates } from "../rates/rates.ts";
import { createTaxRates } from "../rates/tax.ts";

type RatesDeps = { config: Config; now: () => number; log: Log };

/** Creates the rates of one Till, from exchanges and the central bank, according to its settings. */
export function createTillRates({ config, now, log }: RatesDeps) {
  const stopping = new AbortController();
  const asking = {
    publicOnly: config.publicWebhooksOnly,
    now,
    signal: stopping.signal,
    onFailure: ({ name, code, reason }: SourceFailure) =>
      log.warn("rate.unusable", "a source gave no exchange rate that can be used", {
        source: name,
        currency: code,
        reason,
      }),
  };
  const askingExchanges = {
    ...asking,
    get sources() {
      return config.rates;
    },
  };
  const rates = createRates(askingExchanges);
  const { quote } = rates;
  const ofExchanges = { quote, past: createPastRates(askingExchanges) };
  return {
    rates,
    taxRates: createTaxRates({ ...asking, ecb: () => config.taxEcb, quote }),
    /** The sources for the value of payments, by the current settings. */
    values() {
      const { bookkeepingEcb: ecb } = config;
      const usdc = ecb === null ? ofExchanges : { quote: null, past: createEcbRates({ ...asking, ...ecb }) };
      return { ...usdc, ether: ofExchanges };
    },
    stop() {
      stopping.abort();
      rates.stop();
    },
  };
}
