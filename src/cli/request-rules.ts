import * as DepositAddress from "../domain/deposit-address.ts";
import { networks } from "../domain/network.ts";
import type { RequestRules } from "../http/request-fields.ts";

/** What can be checked before Till is asked. Till knows its network and who may be told, and has the last word. */
export const rulesKnown: RequestRules = {
  usdc: networks.base.usdc,
  factory: DepositAddress.factory,
  isDeposit: () => false,
  publicWebhooksOnly: false,
};
