import * as DepositAddress from "../domain/deposit-address.ts";
import { networks } from "../domain/network.ts";
import type { Fault } from "../http/problem.ts";
import type { RequestRules } from "../http/request-fields.ts";

/** What can be checked before Till is asked. Till knows its network and who may be told, and has the last word. */
export const rulesKnown: RequestRules = {
  usdc: networks.base.usdc,
  factory: DepositAddress.factory,
  gasAccount: null,
  isDeposit: () => false,
  publicWebhooksOnly: false,
};

/** What is wrong with one field of a request that was read, as a sentence; null when nothing is. */
export function faultBy(parsed: { ok: true } | { ok: false; faults: Fault[] }, field: string): string | null {
  const fault = parsed.ok ? undefined : parsed.faults.find((found) => found.field === field);
  return fault ? `It ${fault.message}` : null;
}
