/**
 * What an agent gets of an answer. A text that a person may have written comes as `{ untrusted_text }`: a model cannot
 * tell an invoice's note from what it was told to do, unless the note is marked. Whatever is not known to be Till's own
 * counts as written by somebody.
 */

/** Large, or a secret, or of use to programs alone. */
const omitted = new Set([
  "deposit_proof",
  "iframe_snippet",
  "js_widget_snippet",
  "webhook_events",
  "webhook_secret",
  "webhook_url",
]);

/** In lists, these are left to the call that gets one. */
const omittedInLists = new Set([
  "embed_origins",
  "exchange_rate",
  "line_items",
  "merchant_address_snapshot",
  "merchant_details",
  "metadata",
  "payer_details",
  "questions",
  "tax_breakdown",
  "tax_in_currency",
  "vendor_address",
  "vendor_details",
]);

/** Texts that Till makes, or lets nobody fill with words. */
const own = new Set(
  `address_by amount amount_max amount_min at block_number code collect corrected_at
  created_at credit_note_number credited_amount credited_usdc currency customer_email deposit_address
  deposits_amount delivery_date delivery_from delivery_to discount_amount discount_percent due_amount due_date
  ended_at expected_amount expected_usdc expires_at failure fetched_at from id invoice_id invoice_issue_date
  invoice_number invoice_url issue_date language line_total link_slug marked_paid_at merchant_email
  payer_email payment_link payout_wallet pdf_url rate rate_expires_at receipt_number received_amount
  refund_id refunded_amount retry_at return_amount return_usdc reusable_slug seen_at sends_at sent_at slug state
  status subtotal_amount tax_amount tax_category tax_rate taxable_amount total_amount tx_hash type unit_price url
  vendor_email voided_at wallet_address wallet_type wallets_amount wallets_read_at way x402_url`.split(/\s+/),
);

/** No sentence fits in here. */
const isWord = (text: string) => text.length <= 300 && /^[\x21-\x7e]*$/.test(text);

/** The most entries of a list that has no pages. */
const entriesMax = 50;

const untrusted = (text: string) => ({ untrusted_text: text });

function marked(value: unknown, name: string, inList: boolean): unknown {
  if (typeof value === "string") return own.has(name) && isWord(value) ? value : untrusted(value);
  if (Array.isArray(value)) return value.map((each) => marked(each, name, inList));
  if (typeof value !== "object" || value === null) return value;
  // Its names are somebody's words, too.
  if (name === "metadata") return untrusted(JSON.stringify(value));
  const shown = Object.entries(value).filter(
    ([field]) => !omitted.has(field) && !(inList && omittedInLists.has(field)),
  );
  return Object.fromEntries(shown.map(([field, each]) => [field, marked(each, field, inList)]));
}

type Named = { id?: string; slug?: string };

/** A record or a list, for an agent. A list with more names what to go on from. */
export function forAgent(body: object): Record<string, unknown> {
  if (!("data" in body) || !Array.isArray(body.data))
    return marked(body, "", false) as Record<string, unknown>;
  const rows: unknown[] = body.data;
  if (!("has_more" in body)) {
    const left = Math.max(0, rows.length - entriesMax);
    return { data: marked(rows.slice(left), "", false), ...(left > 0 && { older_entries_left_out: left }) };
  }
  const last = rows.at(-1) as Named | undefined;
  const next = body.has_more === true && last ? { next_starting_after: last.id ?? last.slug } : {};
  return { data: marked(rows, "", true), has_more: body.has_more, ...next };
}

/** A table has rows without end, and a model little room. */
const tableBytesMax = 64 * 1024;

/** The beginning of a table as whole lines. */
export async function tableForAgent(answer: Response): Promise<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let text = "";
  let isCut = false;
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    isCut = text.length > tableBytesMax;
    if (isCut) break;
  }
  const whole = isCut ? text.slice(0, text.lastIndexOf("\n", tableBytesMax) + 1) : text;
  return { csv: untrusted(whole), is_complete: !isCut };
}
