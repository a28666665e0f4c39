import * as Standing from "../../domain/payment/standing.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { CreditNoteAnswer } from "../../http/fields/credit-note-schema.ts";
import type * as InvoiceSchemas from "../../http/fields/invoice-schemas.ts";
import type * as LinkSchemas from "../../http/fields/link-schemas.ts";
import type * as ReusableAnswer from "../../http/fields/reusable-link-schemas.ts";
import { isSlug } from "../../lib/crypto.ts";
import { UsageError } from "../command.ts";
import { type Client, createClient, FieldsRefused } from "./client.ts";

/** An invoice or a link named on the command line, in any way that people have at hand. */

export type InvoiceRecord = (typeof InvoiceSchemas.InvoiceAnswer)["static"];
export type LinkRecord = (typeof LinkSchemas.LinkAnswer)["static"];
export type CreditNoteRecord = (typeof CreditNoteAnswer)["static"];
type PublicLink = (typeof LinkSchemas.PublicLink)["static"] & (typeof LinkSchemas.PaymentStatus)["static"];

export type ReusableLinkRecord = (typeof ReusableAnswer.ReusableLinkRecord)["static"];
type PublicReusableLink = (typeof ReusableAnswer.PublicReusableLink)["static"];

export type Target = { kind: "invoice"; record: InvoiceRecord } | { kind: "link"; record: PublicLink };
type AnyTarget =
  | Target
  | { kind: "reusable"; record: { slug: string } }
  | { kind: "credit_note"; record: CreditNoteRecord };

/** The amounts owed at an address, from any response of the API. */
export type Payable = Pick<InvoiceRecord, "due_amount" | "return_amount" | "received_amount"> & {
  status: string;
} & Partial<Record<"expected_amount" | "expected_usdc" | "total_amount", string>>;

/** Returns the amount as issued, in USDC, whatever its currency. */
export const issuedOf = ({ expected_amount, expected_usdc, total_amount }: Payable): string =>
  expected_amount ?? expected_usdc ?? total_amount ?? "";

/**
 * Returns what is left to pay and to return. With credit notes Till states both; without, they follow from the rest.
 * Null if the amounts are inconsistent.
 */
export function standingOf(record: Payable): Pick<Standing.Standing, "due" | "toReturn"> | null {
  if (record.due_amount !== undefined && record.return_amount !== undefined) {
    const [due, toReturn] = [record.due_amount, record.return_amount].map(Usdc.parseExact);
    return due == null || toReturn == null ? null : { due, toReturn };
  }
  const [expected, received] = [issuedOf(record), record.received_amount].map(Usdc.parseExact);
  if (expected == null || received == null) return null;
  const isPaid = record.status === "paid" || record.status === "confirmed";
  return Standing.of({
    deposit: {
      expected,
      net: expected,
      received,
      tolerance: Usdc.zero,
      elsewhere: Usdc.zero,
      refunded: Usdc.zero,
      refunding: Usdc.zero,
      refundedElsewhere: Usdc.zero,
    },
    voidedAt: record.status === "void" ? 0 : null,
    markedPaidAt: isPaid ? 0 : null,
  });
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const addressForm = /^0x[0-9a-f]{40}$/i;
const slugForm = /^[\w-]{1,100}$/;
/** The characters a number may have; Till knows the actual pattern. */
const numberForm = /^[a-z_./-]{0,49}\d[\w./-]{0,49}$/i;

/** The help line for words that `findTarget` accepts. */
export const targetHelp =
  "an id, a number such as INV-0001, a slug, the address of its page, or its deposit address";

/** The help line for a credit note. */
export const creditNoteHelp = "an id, or a number such as CN-0001";

type Found<Kind> = { client: Client; target: Extract<AnyTarget, { kind: Kind }> };

/**
 * Finds an invoice or a link by id, number, slug, URL or deposit address, and a client for its Till. Throws a
 * UsageError for a word that can be none of these, for a reusable link and for a credit note, an Error if nothing is
 * found, and whatever the client throws.
 */
export const findTarget = (word: string) => findOf(word, ["invoice", "link"]);

/** The same for these kinds; throws a UsageError for others. */
export async function findOf<const Kind extends AnyTarget["kind"]>(
  word: string,
  kinds: readonly Kind[],
): Promise<Found<Kind>> {
  const { client, target } = await findAny(word);
  const isWanted = (each: AnyTarget): each is Found<Kind>["target"] =>
    kinds.some((kind) => kind === each.kind);
  if (isWanted(target)) return { client, target };
  throw new UsageError(refusalOf(word, target));
}

function refusalOf(word: string, { kind, record }: AnyTarget): string {
  if (kind === "reusable")
    return `${word} is a reusable link: name one of its payments. till show ${record.slug} shows them.`;
  if (kind !== "credit_note") return `${word} is a payment link, not an invoice.`;
  const { credit_note_number: number, invoice_number: invoice } = record;
  return `${number} is a credit note of ${invoice}: name the invoice. till show ${number} shows the credit note, till send ${number} mails it.`;
}

async function findAny(word: string): Promise<{ client: Client; target: AnyTarget }> {
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

async function find(client: Client, name: string, page: string | undefined): Promise<AnyTarget | null> {
  if (uuidForm.test(name)) {
    const record = await client.find<InvoiceRecord>(`/api/invoices/${name.toLowerCase()}`);
    return record ? { kind: "invoice", record } : await creditNote(client, name);
  }
  if (addressForm.test(name)) {
    const query = `deposit_address=${name}`;
    const link = await first<LinkRecord>(client, `/api/links?${query}`);
    return link ? await findLink(client, link.slug) : await listed(client, query);
  }
  if (page === "i") return await listed(client, `slug=${encodeURIComponent(name)}`);
  if (page === "pay" || page === "api/links") return await findLink(client, name);
  if (page === undefined && (isSlug(name) || !numberForm.test(name))) {
    // A link's public view needs no key, so try it first.
    const bySlug =
      (await findLink(client, name)) ?? (await listed(client, `slug=${encodeURIComponent(name)}`));
    if (bySlug) return bySlug;
  }
  if (!numberForm.test(name)) return null;
  return (await numbered(client, name)) ?? (await creditNote(client, name));
}

async function creditNote(client: Client, name: string): Promise<AnyTarget | null> {
  const record = await client.find<CreditNoteRecord>(`/api/credit-notes/${encodeURIComponent(name)}`);
  return record && { kind: "credit_note", record };
}

/** Returns null also if this Till has no numbers of this form. */
async function numbered(client: Client, number: string): Promise<Target | null> {
  try {
    return await listed(client, `invoice_number=${encodeURIComponent(number)}`);
  } catch (thrown) {
    if (thrown instanceof FieldsRefused) return null;
    throw thrown;
  }
}

async function findLink(client: Client, slug: string): Promise<AnyTarget | null> {
  const link = await client.find<(typeof LinkSchemas.PublicLink)["static"] | PublicReusableLink>(
    `/api/links/${encodeURIComponent(slug)}`,
  );
  if (!link) return null;
  if ("reusable" in link) return { kind: "reusable", record: link };
  const status = await client.get<(typeof LinkSchemas.PaymentStatus)["static"]>(
    `/api/payments/status/${slug}`,
  );
  return { kind: "link", record: { ...link, ...status } };
}

/** Finds the merchant's own view, which has more than the public one. */
export const findLinkRecord = (client: Client, slug: string) => own<LinkRecord>(client, "links", slug);

/** Returns the merchant's own view of either. */
export const ownView = async (
  client: Client,
  { kind, record }: Target,
): Promise<InvoiceRecord | LinkRecord> =>
  kind === "invoice" ? record : await findLinkRecord(client, record.slug);

export const findReusableRecord = (client: Client, slug: string) =>
  own<ReusableLinkRecord>(client, "reusable-links", slug);

async function own<T>(client: Client, list: string, slug: string): Promise<T> {
  const record = await first<T>(client, `/api/${list}?slug=${slug}`);
  if (!record) throw new Error(`Till at ${client.baseUrl} does not list ${slug} among its ${list}.`);
  return record;
}

async function listed(client: Client, query: string): Promise<Target | null> {
  const record = await first<InvoiceRecord>(client, `/api/invoices?${query}`);
  return record && { kind: "invoice", record };
}

/** Returns the first record of a list; null if it is empty. */
async function first<T>(client: Client, path: string): Promise<T | null> {
  return (await client.get<{ data: T[] }>(path)).data[0] ?? null;
}

/** Returns its path in the API, which also prefixes what belongs to it. */
export function apiPath({ kind, record }: AnyTarget): string {
  if (kind === "invoice") return `/api/invoices/${record.id}`;
  return kind === "credit_note" ? `/api/credit-notes/${record.id}` : `/api/links/${record.slug}`;
}

/** Returns the number or the slug that it goes by. */
export function handleOf({ kind, record }: AnyTarget): string {
  if (kind === "invoice") return record.invoice_number;
  return kind === "credit_note" ? record.credit_note_number : record.slug;
}

const nouns = { invoice: "", credit_note: "", link: "link ", reusable: "reusable link " } as const;

/** Returns its name for people. */
export const nameOf = (target: AnyTarget): string => `${nouns[target.kind]}${handleOf(target)}`;
