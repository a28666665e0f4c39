import type * as Answer from "../../http/fields/answer-schemas.ts";
import type { CreditNoteAnswer } from "../../http/fields/credit-note-schema.ts";
import type * as ReusableAnswer from "../../http/fields/reusable-link-schemas.ts";
import { isSlug } from "../../lib/crypto/id.ts";
import { UsageError } from "../command.ts";
import { type Client, createClient, FieldsRefused } from "./client.ts";

/** What a person names on the command line: an invoice or a link, by whatever they have at hand. */

export type InvoiceRecord = (typeof Answer.InvoiceRecord)["static"];
export type LinkRecord = (typeof Answer.LinkRecord)["static"];
export type CreditNoteRecord = (typeof CreditNoteAnswer)["static"];
type PublicLink = (typeof Answer.PublicLink)["static"] & (typeof Answer.PaymentStatus)["static"];

export type ReusableLinkRecord = (typeof ReusableAnswer.ReusableLinkRecord)["static"];
type PublicReusableLink = (typeof ReusableAnswer.PublicReusableLink)["static"];

export type Target = { kind: "invoice"; record: InvoiceRecord } | { kind: "link"; record: PublicLink };
type AnyTarget = Target | { kind: "reusable"; slug: string };
type NamedTarget = AnyTarget | { kind: "credit_note"; record: CreditNoteRecord };

/** What is to be paid of an invoice in all, in USDC: with what was credited, whatever it is billed in. */
export const dueOf = (
  invoice: Pick<InvoiceRecord, "due_amount" | "expected_usdc" | "total_amount">,
): string => invoice.due_amount ?? invoice.expected_usdc ?? invoice.total_amount;

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const addressForm = /^0x[0-9a-f]{40}$/i;
const slugForm = /^[\w-]{1,100}$/;
/** What a number may be made of; how numbers look is for Till to say. */
const numberForm = /^(?=.*\d)[\w./-]{1,50}$/;

/** The help line for what `findTarget` takes. */
export const targetHelp =
  "an id, a number such as INV-0001, a slug, the address of its page, or its deposit address";

/** The help line for a credit note, which `findNamed` takes too. */
export const creditNoteHelp = "an id, or a number such as CN-0001";

/**
 * Finds an invoice or a link by id, number, slug, URL or deposit address, and the client of the Till that has it.
 * Throws a UsageError for a word that can be none of these, for a reusable link and for a credit note, an Error when there
 * is none, and what the client throws.
 */
export async function findTarget(word: string): Promise<{ client: Client; target: Target }> {
  const { client, target } = await findAny(word);
  if (target.kind === "reusable") {
    throw new UsageError(
      `${word} is a reusable link: name one of its payments. till show ${target.slug} shows them.`,
    );
  }
  return { client, target };
}

/** The same for a command that knows reusable links too. */
export async function findAny(word: string): Promise<{ client: Client; target: AnyTarget }> {
  const { client, target } = await findNamed(word);
  if (target.kind === "credit_note") {
    const { credit_note_number: number, invoice_number: invoice } = target.record;
    throw new UsageError(
      `${number} is a credit note of ${invoice}: name the invoice. till show ${number} shows the credit note, till send ${number} mails it.`,
    );
  }
  return { client, target };
}

/** The same for a command that knows credit notes too. */
export async function findNamed(word: string): Promise<{ client: Client; target: NamedTarget }> {
  const url = /^https?:\/\//i.test(word) && URL.canParse(word) ? new URL(word) : null;
  const [, page, name] = /^\/(i|pay|api\/invoices|api\/links)\/([^/]+)/.exec(url?.pathname ?? "") ?? [];
  if (url && name === undefined) throw new UsageError(`${word} is not the address of an invoice or a link.`);
  const wanted = name === undefined ? word : decodeURIComponent(name);
  if (!slugForm.test(wanted) && !numberForm.test(wanted))
    throw new UsageError(`${JSON.stringify(wanted)} is not ${targetHelp}.`);

  const client = createClient(process.env, { origin: url?.origin ?? null });
  const target = await find(client, wanted, page);
  if (!target) {
    throw new Error(
      addressForm.test(wanted)
        ? `${wanted} is not the deposit address of any invoice or link of Till at ${client.baseUrl}.`
        : `Till at ${client.baseUrl} knows no invoice, link or credit note ${JSON.stringify(wanted)}.`,
    );
  }
  return { client, target };
}

/** The same for commands that only know invoices. Throws a UsageError for a link. */
export async function findInvoice(word: string): Promise<{ client: Client; invoice: InvoiceRecord }> {
  const { client, target } = await findTarget(word);
  if (target.kind === "link") throw new UsageError(`${word} is a payment link, not an invoice.`);
  return { client, invoice: target.record };
}

async function find(client: Client, name: string, page: string | undefined): Promise<NamedTarget | null> {
  if (uuidForm.test(name)) {
    const record = await client.find<InvoiceRecord>(`/api/invoices/${name.toLowerCase()}`);
    return record ? { kind: "invoice", record } : await creditNote(client, name);
  }
  if (addressForm.test(name)) {
    const query = `deposit_address=${name}`;
    const { data } = await client.get<{ data: LinkRecord[] }>(`/api/links?${query}`);
    return data[0] ? await findLink(client, data[0].slug) : await listed(client, query);
  }
  if (page === "i") return await listed(client, `slug=${encodeURIComponent(name)}`);
  if (page === "pay" || page === "api/links") return await findLink(client, name);
  if (page === undefined && (isSlug(name) || !numberForm.test(name))) {
    // The public view of a link needs no key, so it is asked for first.
    const bySlug =
      (await findLink(client, name)) ?? (await listed(client, `slug=${encodeURIComponent(name)}`));
    if (bySlug) return bySlug;
  }
  if (!numberForm.test(name)) return null;
  return (await numbered(client, name)) ?? (await creditNote(client, name));
}

async function creditNote(client: Client, name: string): Promise<NamedTarget | null> {
  const record = await client.find<CreditNoteRecord>(`/api/credit-notes/${encodeURIComponent(name)}`);
  return record && { kind: "credit_note", record };
}

/** Null also for what is no number at this Till. */
async function numbered(client: Client, number: string): Promise<Target | null> {
  try {
    return await listed(client, `invoice_number=${encodeURIComponent(number)}`);
  } catch (thrown) {
    if (thrown instanceof FieldsRefused) return null;
    throw thrown;
  }
}

async function findLink(client: Client, slug: string): Promise<AnyTarget | null> {
  const link = await client.find<(typeof Answer.PublicLink)["static"] | PublicReusableLink>(
    `/api/links/${encodeURIComponent(slug)}`,
  );
  if (!link) return null;
  if ("reusable" in link) return { kind: "reusable", slug: link.slug };
  const status = await client.get<(typeof Answer.PaymentStatus)["static"]>(`/api/payments/status/${slug}`);
  return { kind: "link", record: { ...link, ...status } };
}

/** The merchant's own view, which has more than the public one; null when there is none. */
export async function findLinkRecord(client: Client, slug: string): Promise<LinkRecord | null> {
  const { data } = await client.get<{ data: LinkRecord[] }>(`/api/links?slug=${slug}`);
  return data[0] ?? null;
}

/** The merchant's own view of a reusable link, and its latest payments. */
export async function findReusableRecord(
  client: Client,
  slug: string,
): Promise<{ reusable: ReusableLinkRecord; payments: LinkRecord[]; hasMore: boolean }> {
  const reusable = await client.get<{ data: ReusableLinkRecord[] }>(`/api/reusable-links?slug=${slug}`);
  const { data, has_more } = await client.get<{ data: LinkRecord[]; has_more: boolean }>(
    `/api/links?reusable_slug=${slug}`,
  );
  const [record] = reusable.data;
  if (!record) throw new Error(`Till at ${client.baseUrl} knows no reusable link ${slug}.`);
  return { reusable: record, payments: data, hasMore: has_more };
}

async function listed(client: Client, query: string): Promise<Target | null> {
  const { data } = await client.get<{ data: InvoiceRecord[] }>(`/api/invoices?${query}`);
  return data[0] ? { kind: "invoice", record: data[0] } : null;
}

/** Where the API has what belongs to it. */
export function apiPath(target: Target): string {
  return target.kind === "invoice" ? `/api/invoices/${target.record.id}` : `/api/links/${target.record.slug}`;
}

/** What a person calls it. */
export function nameOf({ kind, record }: Target): string {
  return kind === "invoice" ? record.invoice_number : `link ${record.slug}`;
}
