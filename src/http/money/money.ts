import { type Static, Type } from "@sinclair/typebox";
import { tables } from "../../books/tables.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Field from "../../invoicing/request/fields.ts";
import { called, createFieldReader, oneOf } from "../../invoicing/request/validation.ts";
import { why } from "../../language/faults.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import * as MoneyReport from "../../store/reports/desk/money.ts";
import * as GasStore from "../../store/reports/export/gas.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import * as SettlementStore from "../../store/tables/settle/settlement.ts";
import * as UnsettledStore from "../../store/tables/settle/unsettled.ts";
import * as WithdrawalStore from "../../store/tables/settle/withdrawal.ts";
import { tableFile } from "../answer/csv.ts";
import { subjectRecord } from "../events/events.ts";
import * as Part from "../fields/answer-parts.ts";
import * as Answer from "../fields/answer-schemas.ts";
import { addressIn, SettlementListQuery } from "../fields/list-query.ts";
import { listPreset } from "../mcp/tool.ts";
import { problem, validationProblem } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { lookUpsIn, pageAnswer, type Route, route } from "../route/route.ts";

/** Where the money is, how it moved, and the tables of `till export`. */

const Balance = Part.record("Balance", {
  deposits: Type.Integer({ wants: "how many deposit addresses hold confirmed USDC" }),
  deposits_amount: { ...Part.exactUsdc, wants: "what they hold, in USDC" },
  wallets: Type.Integer({ wants: "how many wallets Till has for its merchants" }),
  wallets_amount: Part.optional({
    ...Part.exactUsdc,
    wants: "what they held when that was last read, if it is known",
  }),
  wallets_read_at: Part.optional(Part.instantOf("when that was, ISO 8601")),
  total_amount: Part.optional({
    ...Part.exactUsdc,
    wants: "both together, if that is known and no money is on its way",
  }),
});

const settlementStates =
  "pending, settled or failed; empty: nothing was left to move; elsewhere: not by a transaction of Till's";

const SettlementRecord = Part.record("Settlement", {
  id: Part.text("of the settlement"),
  state: called("SettlementState", oneOf(SettlementStore.states, settlementStates)),
  invoice_id: Type.Optional({ ...Part.id, wants: "the invoice that was paid there, or else there is slug" }),
  invoice_number: Type.Optional(Part.number),
  slug: Type.Optional(Part.text("the slug of the payment link that was paid there")),
  deposit_address: Part.address,
  payout_wallet: Part.addressOf("where it was moved to"),
  amount: { ...Part.exactUsdc, wants: "what was moved, in USDC; 0.00 unless settled or elsewhere" },
  tx_hash: Part.optional(Part.hashOf("the transaction, as far as it is known")),
  block_number: Part.optional(Type.Integer({ wants: "its block" })),
  created_at: Part.instant,
  retry_at: Part.optional(Part.instantOf("when Till tries again what failed, ISO 8601")),
});

const ExportQuery = Type.Object(
  {
    from: Type.Optional(Field.meaning("the first day; open when left out", Field.day)),
    to: Type.Optional(Field.meaning("the last day; open when left out", Field.day)),
  },
  { additionalProperties: false },
);

const tableNames = tables.map(({ name }) => name);

export const codesMissing =
  "It is not known what your books call these. See errors, and write them at the desk: /desk/settings/books";
export const codeMissing = "has no code";
const daysMissing = "must be given with to, both in one fiscal year";

/** Where the money is, from the books and the latest reading of the wallets: does not wait for a node. */
function balanceOf({
  db,
  config,
  treasury,
}: Pick<HttpDeps, "db" | "config" | "treasury">): Static<typeof Balance> {
  const { waiting, waitingDeposits } = MoneyReport.all(db);
  const recovered = UnsettledStore.listRecovered(db);
  const atDeposits = Usdc.sum([waiting, ...recovered.map(({ amount }) => amount)]);
  const wallets = PartyStore.listAccounts(db).length;
  const held = treasury()?.glance() ?? null;
  const balances = held?.balances ?? new Map<never, Usdc.Usdc>();
  const inWallets = balances.size === wallets ? Usdc.sum(balances.values()) : null;
  // Money on its way, or that has arrived since, would count twice or not at all.
  const isMoving =
    GasStore.listSettlements(db, { limit: 1, state: "pending" }).rows.length > 0 ||
    WithdrawalStore.listPending(db, config.network.chainId).length > 0;
  const isSame = wallets === 0 || (!isMoving && treasury()?.hasMoved() === false);
  return {
    deposits: waitingDeposits + recovered.length,
    deposits_amount: Usdc.formatExact(atDeposits),
    wallets,
    wallets_amount: inWallets === null ? null : Usdc.formatExact(inWallets),
    wallets_read_at: wallets === 0 || inWallets === null ? null : instantOrNull(held?.readAt ?? null),
    total_amount: inWallets === null || !isSame ? null : Usdc.formatExact(Usdc.sum([atDeposits, inWallets])),
  };
}

function settlementRecord(settlement: GasStore.ExportedSettlement): Static<typeof SettlementRecord> {
  return {
    id: String(settlement.id),
    state: settlement.state,
    ...subjectRecord({
      invoiceId: settlement.invoiceId,
      invoiceNumber: settlement.number,
      slug: settlement.linkSlug,
    }),
    deposit_address: settlement.depositAddress,
    payout_wallet: settlement.payoutWallet,
    amount: Usdc.formatExact(settlement.amount),
    tx_hash: settlement.movedBy,
    block_number: settlement.movedIn,
    created_at: instant(settlement.createdAt),
    retry_at: instantOrNull(settlement.retryAt),
  };
}

export const moneyRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/api/balance",
    scope: "read",
    summary: "Get what is at deposit addresses, in Till's wallets, and in total",
    tool: { name: "get_balance" },
    gives: Balance,
    does: (deps) => () => balanceOf(deps),
  }),
  route({
    method: "get",
    path: "/api/settlements",
    scope: "read",
    summary: "List what was moved to payout wallets, the newest first",
    tool: { name: "list_settlements", preset: listPreset },
    query: SettlementListQuery,
    gives: Answer.listOf(SettlementRecord),
    does:
      ({ db, invoices }) =>
      ({ query }) => {
        const { faults, lookUp, limit } = lookUpsIn(query);
        const invoice = lookUp("invoice", invoices.find, "the id or the number of an invoice");
        const link = lookUp("link", (slug) => LinkStore.bySlug(db, slug), "the slug of a link");
        if (query.invoice !== undefined && query.link !== undefined)
          faults.push({ field: "link", ...why("left_out_with", { other: "invoice" }) });
        if (faults.length > 0) return validationProblem(faults);
        const page = GasStore.listSettlements(db, {
          limit,
          before: query.starting_after === undefined ? undefined : Number(query.starting_after),
          state: query.state,
          deposit: (invoice ?? link)?.deposit.index,
          address: addressIn(query),
        });
        return pageAnswer(page, settlementRecord);
      },
  }),
  route({
    method: "get",
    path: "/api/exports/:table",
    scope: "read",
    summary: "Download a table for bookkeepers, of some days or of all",
    tool: {
      name: "export_csv",
      about: "Get a table for bookkeepers as CSV; of fewer days, if is_complete is false",
    },
    names: tableNames,
    query: ExportQuery,
    gives: "text/csv",
    fails: ["codes_missing"],
    does:
      (deps) =>
      ({ params, query }) => {
        const table = tables.find(({ name }) => name === params.table);
        if (!table) return problem("not_found", `There is no such table, but ${tableNames.join(", ")}.`);
        const reader = createFieldReader([]);
        const from = reader.read("from", query.from, Field.calendarDay) ?? null;
        const to = reader.read("to", query.to, Field.calendarDay) ?? null;
        if (from !== null && to !== null && to < from)
          reader.add("to", why("day_before", { other: "from", day: from }));
        if (reader.faults.length > 0) return validationProblem(reader.faults);
        const file = tableFile(deps, table, { from, to }, "point");
        if (!Array.isArray(file)) return file;
        const errors = file.map((field) =>
          field === "days" ? { field: "from", message: daysMissing } : { field, message: codeMissing },
        );
        return problem("codes_missing", codesMissing, { errors });
      },
  }),
];
