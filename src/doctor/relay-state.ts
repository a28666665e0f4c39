import type { Config } from "../config/config.ts";
import * as Ether from "../domain/ether.ts";
import { collect, type Finding } from "../domain/finding.ts";
import * as Usdc from "../domain/usdc.ts";
import { counted } from "../lib/text/english.ts";
import type { Db } from "../store/database.ts";
import * as RelayReport from "../store/reports/relays.ts";

const dayMs = 24 * 3_600_000;

/** After this long somebody should look: authorisations from the page last 15 minutes. */
const slowMs = 5 * 60_000;

/** This many failures in a day are no accident. */
const failedMany = 10;

/** Over 24 hours. */
export function relaySums(db: Db, chainId: number, now: number): RelayReport.RelaySums {
  return RelayReport.sums(db, chainId, now - dayMs);
}

/** The limits of signed payments and their use, named as in the API. */
export function relayFigures(db: Db, { relay: rules, network }: Config, now: number) {
  const { fees, paid, failed, onTheWay } = relaySums(db, network.chainId, now);
  return {
    on_the_way: onTheWay,
    paid_24h: paid,
    failed_24h: failed,
    fees_24h_eth: Ether.formatExact(fees),
    budget_eth: Ether.formatExact(rules.budget),
    reserve_eth: Ether.formatExact(rules.reserve),
    minimum_usdc: Usdc.formatExact(rules.min),
    base_fee_max_gwei: gwei(rules.feeMax),
    gas_max: Number(rules.gasMax),
    failures_max: rules.failuresMax,
  };
}

/** Wei per unit of gas as gwei, exactly. */
function gwei(wei: bigint): string {
  return Ether.formatExact(wei * 10n ** 9n);
}

/** Warns about signed payments. */
export function relayWarnings(db: Db, { relay, network }: Config, now: number): Finding[] {
  const { budget, mode } = relay;
  const { fees, failed, oldestAt } = relaySums(db, network.chainId, now);
  const { findings, warning } = collect("signed payments");
  if (oldestAt !== null && now - oldestAt > slowMs)
    warning(
      `a payment by a signature has been on its way since ${new Date(oldestAt).toISOString()}`,
      "the warnings of /health/ready say why; it ends by itself when its authorisation is over",
    );
  if (failed >= failedMany)
    warning(
      `${counted(failed, "payment")} by a signature failed in 24 hours, and Till paid for their fees`,
      "somebody may be playing with it: a lower TILL_RELAY_BUDGET bounds that, TILL_RELAY=off ends it",
    );
  if (mode === "auto" && fees > 0n && fees * 10n >= budget * 9n)
    warning(
      `fees of payers took ${Ether.format(fees)} ETH in 24 hours, of the ${Ether.format(budget)} ETH that they may`,
      "payers send plain transfers meanwhile; a higher TILL_RELAY_BUDGET pays for more",
    );
  return findings;
}

/** The last 24 hours' signed payments, in sentences. */
export function relaysInWords(db: Db, { relay, network }: Config, now: number): string {
  const { fees, paid, failed, onTheWay } = relaySums(db, network.chainId, now);
  const others = failed === 0 ? "" : ` and ${failed} failed`;
  const used =
    `In 24 hours ${counted(paid, "payment")} by a signature paid${others}, for ${Ether.format(fees)} ETH ` +
    `of ${Ether.format(relay.budget)}. ${onTheWay === 0 ? "None" : onTheWay} ${onTheWay > 1 ? "are" : "is"} on the way.`;
  return relay.mode === "off" ? `They are switched off (TILL_RELAY=off). ${used}` : used;
}
