import { parseArgs } from "node:util";
import { createClient } from "./client.ts";
import { type Command, UsageError } from "./command.ts";
import { type Cell, say, sayJson, sayTable, statusCell } from "./output.ts";
import type { InvoiceRecord, LinkRecord } from "./target.ts";

type Page<T> = { data: T[]; has_more: boolean };

export const list: Command = {
  help: `Usage: till list [invoices|links] [--status STATUS] [--overdue] [--limit COUNT] [--json]

  --status STATUS  invoices: draft, sent, paid, partial or excess; links: pending, confirmed, partial, excess or error
  --overdue        only invoices that should have been paid by now
  --limit COUNT    1 to 100, 20 when left out; the newest come first
  --json           the API's answer: data, has_more

Example:
  till list --overdue`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        status: { type: "string" },
        overdue: { type: "boolean", default: false },
        limit: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const [what = "invoices", ...more] = positionals;
    if (more.length > 0 || (what !== "invoices" && what !== "links"))
      throw new UsageError("say what to list: till list invoices, or till list links.");
    if (what === "links" && values.overdue)
      throw new UsageError("--overdue is for invoices; links have no due date.");
    const query = new URLSearchParams();
    if (values.status !== undefined) query.set("status", values.status);
    if (values.limit !== undefined) query.set("limit", values.limit);
    if (values.overdue) query.set("overdue", "true");

    const client = createClient(process.env);
    const page = await client.get<Page<object>>(`/api/${what}?${query}`);
    if (values.json) {
      sayJson(page);
      return 0;
    }
    if (page.data.length === 0)
      say(query.size === 0 ? `There are no ${what} yet.` : `No ${what} are like that.`);
    else if (what === "invoices") showInvoices(page as Page<InvoiceRecord>);
    else showLinks(page as Page<LinkRecord>);
    if (page.has_more) say(`There are more; --limit shows up to 100.`);
    return 0;
  },
};

function showInvoices({ data }: Page<InvoiceRecord>): void {
  const due = (invoice: InvoiceRecord): Cell =>
    invoice.overdue ? { text: `${invoice.due_date} overdue`, color: "red" } : invoice.due_date;
  sayTable(
    ["NUMBER", "STATUS", "TOTAL", "RECEIVED", "DUE", "VENDOR"],
    data.map((invoice) => [
      invoice.invoice_number,
      statusCell(invoice.status),
      invoice.total_amount,
      invoice.received_amount,
      due(invoice),
      invoice.vendor_name,
    ]),
  );
}

function showLinks({ data }: Page<LinkRecord>): void {
  sayTable(
    ["SLUG", "STATUS", "EXPECTED", "RECEIVED", "MADE", "BUSINESS"],
    data.map((link) => [
      link.slug,
      statusCell(link.status),
      link.expected_amount,
      link.received_amount,
      link.created_at.slice(0, 10),
      link.business_name,
    ]),
  );
}
