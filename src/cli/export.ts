import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isTimeZone } from "../config.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Invoice from "../domain/invoice.ts";
import { networks } from "../domain/network.ts";
import * as Quantity from "../domain/quantity.ts";
import { invoiceUrl, transactionUrl } from "../domain/urls.ts";
import * as Usdc from "../domain/usdc.ts";
import { byteOrderMark, line, plainText } from "../lib/csv.ts";
import { instant, instantOrNull } from "../lib/instant.ts";
import { printable } from "../lib/text.ts";
import { type TimedPayment, withBlockTimes } from "../service/block-times.ts";
import * as ChainStore from "../store/chain.ts";
import { type Db, openReadOnly } from "../store/database.ts";
import * as ExportStore from "../store/export.ts";
import { newestSchema, SchemaTooNew, schemaOf } from "../store/migrations.ts";
import { type Command, UsageError } from "./command.ts";
import { dataDirOf } from "./data-dir.ts";
import { sayAside } from "./output.ts";
import { openOutput } from "./output-file.ts";

export const exportCommand: Command = {
  help: `Usage: till export invoices|items|payments [--format csv|json] [--from DATE] [--to DATE]
                   [--out FILE] [--force]

  invoices  one row for each invoice
  items     one row for each line item
  payments  one row for each payment of an invoice or a payment link, with the time of its block
  --format  csv (the default; opens in any spreadsheet) or json
  --from    the first day, as 2026-01-31: of issue, or of payment in TILL_TIMEZONE (default UTC)
  --to      the last day
  --out     where to write; standard output when left out
  --force   replace FILE if it exists

Works on TILL_DATA_DIR (default ./data), also beside a running server. The times of blocks come from the node at
TILL_RPC_URL. The links in the rows begin with TILL_BASE_URL, if it is set.

Example:
  till export payments --from 2026-01-01 --to 2026-12-31 --out payments-2026.csv`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: "string", default: "csv" },
        from: { type: "string" },
        to: { type: "string" },
        out: { type: "string" },
        force: { type: "boolean", default: false },
      },
    });
    const [what, ...more] = positionals;
    const table = tables.find(({ name }) => name === what);
    if (!table || more.length > 0)
      throw new UsageError("say what to export: till export invoices, items or payments.");
    const { format } = values;
    if (format !== "csv" && format !== "json") throw new UsageError("--format must be csv or json.");
    const days = { from: parseDay("--from", values.from), to: parseDay("--to", values.to) };
    const timeZone = process.env["TILL_TIMEZONE"]?.trim() || "UTC";
    if (!isTimeZone(timeZone))
      throw new UsageError(`TILL_TIMEZONE is ${JSON.stringify(timeZone)}, which is not a time zone.`);

    const db = openReadOnly(dataDirOf(process.env));
    try {
      if (schemaOf(db) > newestSchema) throw new SchemaTooNew(schemaOf(db), newestSchema);
      const output = openOutput(values.out === undefined ? null : resolve(values.out), values.force);
      try {
        await output.write(format === "csv" ? byteOrderMark + line(table.columns) : "[");
        let first = true;
        for await (const row of table.rows(db, { days, timeZone })) {
          if (format === "csv") await output.write(line(table.columns.map((column) => cellOf(row[column]))));
          else await output.write(`${first ? "\n" : ",\n"}${printable(JSON.stringify(row))}`);
          first = false;
        }
        await output.write(format === "csv" ? "" : "\n]\n");
        output.finish();
      } finally {
        output.close();
      }
      return 0;
    } finally {
      db.close();
    }
  },
};

type Cell = string | number | boolean | null;
type Row = Record<string, Cell>;
type Selection = { days: ExportStore.Days; timeZone: string };

type Table = {
  name: string;
  columns: readonly string[];
  rows(db: Db, selection: Selection): Iterable<Row> | AsyncIterable<Row>;
};

const tables: readonly Table[] = [
  {
    name: "invoices",
    columns: [
      "invoice_number",
      "issue_date",
      "due_date",
      "status",
      "overdue",
      "merchant_name",
      "merchant_email",
      "vendor_name",
      "vendor_email",
      "vendor_address",
      "currency",
      "total_amount",
      "received_amount",
      "wallet_type",
      "wallet_address",
      "deposit_address",
      "created_at",
      "sent_at",
      "notes",
      "id",
      "invoice_url",
    ],
    *rows(db, { days, timeZone }) {
      const today = Calendar.dayAt(Date.now(), timeZone);
      for (const invoice of ExportStore.eachInvoice(db, days)) {
        yield {
          invoice_number: Invoice.number(invoice.sequence),
          issue_date: invoice.issueDate,
          due_date: invoice.dueDate,
          status: invoice.status,
          overdue: Invoice.isOverdue(invoice, today),
          merchant_name: invoice.merchantName,
          merchant_email: invoice.merchantEmail,
          vendor_name: invoice.vendorName,
          vendor_email: invoice.vendorEmail,
          vendor_address: invoice.vendorAddress,
          currency: "USDC",
          total_amount: Usdc.format(invoice.total),
          received_amount: Usdc.formatExact(invoice.received),
          wallet_type: invoice.walletType,
          wallet_address: invoice.payoutWallet,
          deposit_address: invoice.depositAddress,
          created_at: instant(invoice.createdAt),
          sent_at: instantOrNull(invoice.sentAt),
          notes: invoice.notes,
          id: invoice.id,
          invoice_url: pageOf(invoice.slug),
        };
      }
    },
  },
  {
    name: "items",
    columns: [
      "invoice_number",
      "issue_date",
      "vendor_name",
      "position",
      "description",
      "quantity",
      "unit_price",
      "line_total",
      "currency",
    ],
    *rows(db, { days }) {
      for (const item of ExportStore.eachItem(db, days)) {
        yield {
          invoice_number: Invoice.number(item.sequence),
          issue_date: item.issueDate,
          vendor_name: item.vendorName,
          position: item.position,
          description: item.description,
          quantity: Quantity.format(Quantity.fromMillionths(item.quantity)),
          unit_price: Usdc.format(item.unitPrice),
          line_total: Usdc.format(item.lineTotal),
          currency: "USDC",
        };
      }
    },
  },
  {
    name: "payments",
    columns: [
      "payment_date",
      "block_time",
      "seen_at",
      "invoice_number",
      "payment_link",
      "name",
      "amount",
      "currency",
      "confirmed",
      "deposit_address",
      "block_number",
      "tx_hash",
      "transaction_url",
    ],
    async *rows(db, { days, timeZone }) {
      const chainId = ChainStore.identity(db)?.chainId;
      const explorer =
        Object.values(networks).find((network) => network.chainId === chainId)?.explorer ?? null;
      // A payment is seen after its block was made, in whatever time zone; this day is early enough.
      const sinceMs = days.from === null ? 0 : Date.parse(`${days.from}T00:00:00Z`) - twoDaysMs;
      const payments = ExportStore.eachPayment(db, sinceMs);
      for await (const payment of withBlockTimes(payments, rpcUrls(), sayTimesMissing)) {
        const day = Calendar.dayAt(payment.blockMs ?? payment.seenAt, timeZone);
        if ((days.from !== null && day < days.from) || (days.to !== null && day > days.to)) continue;
        yield paymentRow(payment, day, explorer);
      }
    },
  },
];

const twoDaysMs = 2 * 86_400_000;

function paymentRow(payment: TimedPayment, day: string, explorer: string | null): Row {
  return {
    payment_date: day,
    block_time: instantOrNull(payment.blockMs),
    seen_at: instant(payment.seenAt),
    invoice_number: payment.sequence === null ? null : Invoice.number(payment.sequence),
    payment_link: payment.linkSlug,
    name: payment.vendorName ?? payment.businessName,
    amount: Usdc.formatExact(payment.amount),
    currency: "USDC",
    confirmed: payment.confirmed,
    deposit_address: payment.depositAddress,
    block_number: payment.blockNumber,
    tx_hash: payment.txHash,
    transaction_url: transactionUrl(explorer, payment.txHash),
  };
}

function sayTimesMissing(reason: string): void {
  sayAside(
    `till export: the times of blocks are missing (${reason}). Where block_time is empty, payment_date is the day on ` +
      "which Till saw the payment.",
  );
}

function rpcUrls(): string[] {
  const urls = (process.env["TILL_RPC_URL"] ?? "").split(",").map((url) => url.trim());
  return urls.filter((url) => URL.canParse(url));
}

/** Null without a base URL. */
function pageOf(slug: string): string | null {
  const base = process.env["TILL_BASE_URL"]?.trim();
  return base && URL.canParse(base) ? invoiceUrl(new URL(base).origin, slug) : null;
}

function cellOf(value: Cell | undefined): string {
  return typeof value === "string" ? plainText(value) : String(value ?? "");
}

function parseDay(option: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!Calendar.isDay(text))
    throw new UsageError(`${option} is ${JSON.stringify(text)}; it must be a day such as 2026-01-31.`);
  return text;
}
