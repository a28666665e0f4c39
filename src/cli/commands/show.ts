import {
  apiPath,
  type CreditNoteRecord,
  creditNoteHelp,
  findLinkRecord,
  findOf,
  findReusableRecord,
  type LinkRecord,
  targetHelp,
} from "../api/target.ts";
import { command, onlyWord } from "../command.ts";
import { creditNoteFacts, creditNotes, invoiceFacts, lines } from "../records/invoice.ts";
import { begun, linkFacts, reusableFacts } from "../records/link.ts";
import * as Payable from "../records/payable.ts";
import { answer, say } from "../terminal/output.ts";
import { type Columns, sayList, sayRecord } from "../terminal/table.ts";

export const show = command({
  calls: ["INVOICE|LINK|CREDIT-NOTE [--json]"],
  words: [
    ["INVOICE, LINK", targetHelp],
    ["CREDIT-NOTE", creditNoteHelp],
  ],
  flags: { json: { text: "the API's record, with credit notes, payments, webhook events and timeline" } },
  examples: ["till show INV-0001"],

  async run({ json }, words) {
    const word = onlyWord(words, "say what to show: till show INV-0001");
    const { client, target } = await findOf(word, ["invoice", "link", "reusable", "credit_note"]);
    if (target.kind === "credit_note")
      return answer(json, target.record, () => {
        sayRecord(creditNoteFacts, target.record);
        sayBelow("Line items", target.record.line_items, lines);
      });
    if (target.kind === "reusable") {
      const { slug } = target.record;
      const record = await findReusableRecord(client, slug);
      const { data: payments, has_more } = await client.get<{ data: LinkRecord[]; has_more: boolean }>(
        `/api/links?reusable_slug=${slug}`,
      );
      return answer(json, { ...record, payments, has_more }, () => {
        sayRecord(reusableFacts, record);
        sayBelow("Payments", payments, begun);
        if (has_more) say(`There are more: till list links --reusable ${slug} --all`);
      });
    }
    const listOf = async <T>(what: string) =>
      (await client.get<{ data: T[] }>(`${apiPath(target)}/${what}`)).data;
    const payments = await listOf<Payable.Transfer>("payments");
    const events = await listOf<Payable.EventRecord>("events");
    const timeline = await listOf<Payable.TimelineEntry>("timeline");
    const invoice = target.kind === "invoice" ? target.record : null;
    const isCredited = invoice?.credited_amount !== undefined;
    const credits = isCredited ? await listOf<CreditNoteRecord>("credit-notes") : null;
    const link = invoice === null ? await findLinkRecord(client, target.record.slug) : null;
    const credited = credits ? { credit_notes: credits } : {};
    return answer(json, { ...target.record, ...link, ...credited, payments, events, timeline }, () => {
      if (invoice) {
        sayRecord(invoiceFacts, invoice);
        sayBelow("Line items", invoice.line_items, lines);
      }
      if (link) sayRecord(linkFacts, link);
      sayBelow("Credit notes", credits ?? [], creditNotes);
      sayBelow("Payments", payments, Payable.payments);
      sayBelow("Webhook events", events, Payable.events);
      sayBelow("Timeline", timeline, Payable.timeline);
    });
  },
});

function sayBelow<T>(title: string, records: readonly T[], columns: Columns<T>): void {
  if (records.length === 0) return;
  say(`\n${title}`);
  sayList(records, columns);
}
