import * as Invoice from "../../domain/bill/invoice.ts";
import * as Link from "../../domain/link/link.ts";
import { alternatives } from "../../lib/text/english.ts";
import { createClient } from "../api/client.ts";
import { limitOf, listFlags, listing } from "../api/listing.ts";
import type { InvoiceRecord, LinkRecord, ReusableLinkRecord } from "../api/target.ts";
import { command, UsageError } from "../command.ts";
import { invoices } from "../records/invoice.ts";
import { links, reusables } from "../records/link.ts";

export const list = command({
  calls: ["[invoices|links|reusable] [FLAGS]"],
  words: [
    ["invoices", "the invoices (the default)"],
    ["links", "the payment links"],
    ["reusable", "the reusable links"],
  ],
  flags: {
    status: {
      value: "STATUS",
      text: `invoices: ${alternatives(Invoice.statuses)};\nlinks: ${alternatives(Link.statuses)}`,
    },
    reference: { value: "TEXT", text: "only those with this reference" },
    reusable: { value: "SLUG", text: "only payments of this reusable link" },
    overdue: { text: "only invoices past their due date" },
    ...listFlags,
  },
  about: "BALANCE is what is left to pay; below zero, what you owe the customer.",
  examples: ["till list --overdue"],

  async run(values, [what = "invoices", ...more]) {
    if (more.length > 0 || (what !== "invoices" && what !== "links" && what !== "reusable"))
      throw new UsageError("say what to list: till list invoices, till list links or till list reusable.");
    if (what !== "invoices" && values.overdue)
      throw new UsageError("--overdue is for invoices; links have no due date.");
    if (what !== "links" && values.reusable !== undefined)
      throw new UsageError("--reusable is for links: till list links --reusable SLUG.");
    if (what === "reusable" && values.status !== undefined)
      throw new UsageError("--status is for invoices and links.");
    const query = new URLSearchParams();
    if (values.status !== undefined) query.set("status", values.status);
    if (values.reference !== undefined) query.set("reference", values.reference);
    if (values.reusable !== undefined) query.set("reusable_slug", values.reusable);
    if (values.overdue) query.set("overdue", "true");
    await listings[what](createClient(process.env), query, limitOf(values), values.json);
    return 0;
  },
});

const noneOf = (what: string) => (isAll: boolean) =>
  isAll ? `There are no ${what} yet.` : `No ${what} match.`;

const listings = {
  invoices: listing<InvoiceRecord>("/api/invoices", noneOf("invoices"), ({ id }) => id, invoices),
  links: listing<LinkRecord>("/api/links", noneOf("links"), ({ slug }) => slug, links),
  reusable: listing<ReusableLinkRecord>(
    "/api/reusable-links",
    noneOf("reusable links"),
    ({ slug }) => slug,
    reusables,
  ),
};
