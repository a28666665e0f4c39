import type { Static } from "@sinclair/typebox";
import * as Usdc from "../domain/usdc.ts";
import { instant, instantOrNull } from "../lib/time.ts";
import * as MoneyReport from "../store/reports/desk/money.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as SettlementStore from "../store/tables/settle/settlement.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import type { HttpDeps } from "./deps.ts";
import * as Answer from "./fields/answer-schemas.ts";
import { addressIn, SettlementListQuery } from "./fields/list-query.ts";
import { Balance, SettlementRecord } from "./fields/money-schemas.ts";
import { validationProblem } from "./problem/problem.ts";
import { lookUpsIn, pageAnswer, type Route, route } from "./route.ts";

/** Where the money is, from the books and the latest reading of the wallets: no node is waited for. */
function balanceOf({ db, treasury }: Pick<HttpDeps, "db" | "treasury">): Static<typeof Balance> {
  const { waiting, waitingDeposits } = MoneyReport.all(db);
  const recovered = UnsettledStore.listRecovered(db);
  const atDeposits = Usdc.sum([waiting, ...recovered.map(({ amount }) => amount)]);
  const wallets = PartyStore.listAccounts(db).length;
  const held = treasury()?.glance() ?? null;
  const balances = held?.balances ?? new Map<never, Usdc.Usdc>();
  const inWallets = balances.size === wallets ? Usdc.sum(balances.values()) : null;
  const isSame = wallets === 0 || treasury()?.hasMoved() === false;
  return {
    deposits: waitingDeposits + recovered.length,
    deposits_amount: Usdc.formatExact(atDeposits),
    wallets,
    wallets_amount: inWallets === null ? null : Usdc.formatExact(inWallets),
    wallets_read_at: wallets === 0 ? null : instantOrNull(held?.readAt ?? null),
    total_amount: inWallets === null || !isSame ? null : Usdc.formatExact(Usdc.sum([atDeposits, inWallets])),
  };
}

function settlementRecord(settlement: SettlementStore.ListedSettlement): Static<typeof SettlementRecord> {
  const { invoiceId, invoiceNumber, slug } = settlement;
  return {
    id: String(settlement.id),
    state: settlement.state,
    ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
    ...(invoiceNumber === null ? {} : { invoice_number: invoiceNumber }),
    ...(slug === null ? {} : { slug }),
    deposit_address: settlement.address,
    payout_wallet: settlement.payoutWallet,
    amount: Usdc.formatExact(settlement.amount),
    tx_hash: settlement.txHash,
    block_number: settlement.blockNumber,
    created_at: instant(settlement.createdAt),
    retry_at: instantOrNull(settlement.retryAt),
  };
}

export const moneyRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/api/balance",
    scope: "read",
    summary: "Get what is at deposit addresses, in Till's wallets and in total, as far as the books know",
    gives: Balance,
    does: (deps) => () => balanceOf(deps),
  }),
  route({
    method: "get",
    path: "/api/settlements",
    scope: "read",
    summary: "List what was moved from deposit addresses to payout wallets, the newest first",
    query: SettlementListQuery,
    gives: Answer.listOf(SettlementRecord),
    does:
      ({ db, invoices }) =>
      ({ query }) => {
        const { faults, lookUp, limit } = lookUpsIn(query);
        const invoice = lookUp("invoice", invoices.find, "the id or the number of an invoice");
        const link = lookUp("link", (slug) => LinkStore.bySlug(db, slug), "the slug of a link");
        if (query.invoice !== undefined && query.link !== undefined)
          faults.push({ field: "link", message: "must be omitted when there is invoice" });
        if (faults.length > 0) return validationProblem(faults);
        const page = SettlementStore.list(db, {
          limit,
          before: query.starting_after === undefined ? undefined : Number(query.starting_after),
          state: query.state,
          deposit: (invoice ?? link)?.deposit.index,
          address: addressIn(query),
        });
        return pageAnswer(page, settlementRecord);
      },
  }),
];
