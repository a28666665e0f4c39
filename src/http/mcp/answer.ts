/**
 * Responses for agents. A text that a person may have written becomes `{ untrusted_text }`: a model cannot tell an
 * invoice's note from its instructions unless the note is marked. Everything not known to be Till's own counts as
 * written by somebody.
 */

const words = (text: string) => new Set(text.split(/\s+/));

/** Fields that are large, secret, or only useful to programs. */
const omitted = words(
  "deposit_proof iframe_snippet js_widget_snippet webhook_events webhook_secret webhook_url",
);

/** Fields that Till generates, or that nobody can fill with words. */
const own = words(
  `address_by amount amount_max amount_min at block_number code collect corrected_at created_at credit_note_number
  credited_amount credited_usdc currency delivery_date delivery_from delivery_to deposit_address
  deposits_amount discount_amount discount_percent due_amount due_date ended_at endpoint_id event_id expected_amount expected_usdc
  expires_at fetched_at field id invoice_id invoice_issue_date invoice_number invoice_url issue_date kind
  language last_invoice_number last_issue_date line_total link_slug marked_paid_at merchant_email open_amount paid_amount
  payment_link payout_wallet pdf_url rate
  rate_expires_at receipt_number received_amount refund_id refunded_amount retry_at return_amount return_usdc
  reusable_slug seen_at sends_at sent_at slug state status subtotal_amount tax_amount tax_category tax_rate
  taxable_amount total_amount tx_hash type unit_price url voided_at wallet_address wallet_type
  wallets_amount wallets_read_at way webhook_id x402_url`,
);

const isWord = (text: string) => text.length <= 300 && /^[\x21-\x7e]*$/.test(text);
const isHex = (text: string) => /^0x[\da-f]+$/i.test(text);

/** True if nobody can have put a sentence here. */
const isOwn = (text: string, name: string) => (own.has(name) && isWord(text)) || isHex(text);

const untrusted = (text: string) => ({ untrusted_text: text });

function marked(value: unknown, name = ""): unknown {
  if (typeof value === "string") return isOwn(value, name) ? value : untrusted(value);
  if (Array.isArray(value)) return value.map((each) => marked(each, name));
  if (typeof value !== "object" || value === null) return value;
  // Its names are somebody's words, too.
  if (name === "metadata") return untrusted(JSON.stringify(value));
  const shown = Object.entries(value).filter(([field]) => !omitted.has(field));
  return Object.fromEntries(shown.map(([field, each]) => [field, marked(each, field)]));
}

/** Returns a row without its nested parts, which other calls return. An event's data is kept. */
const brief = (row: object) =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => typeof value !== "object" || value === null || name === "data",
    ),
  );

/** Maximum entries, the newest, of a list without pages. */
const entriesMax = 50;

/** Returns a record or a list for an agent. A list with more includes where to continue. */
export function forAgent(body: unknown): Record<string, unknown> {
  const { data, has_more } = body as { data?: object[]; has_more?: boolean };
  if (!Array.isArray(data)) return marked(body) as Record<string, unknown>;
  if (has_more === undefined) {
    const older = Math.max(0, data.length - entriesMax);
    return { data: marked(data.slice(older)), ...(older > 0 && { older_entries_left_out: older }) };
  }
  const last = data.at(-1) as { id?: string; slug?: string; email?: string } | undefined;
  const next = has_more && { next_starting_after: last?.id ?? last?.slug ?? last?.email };
  return { data: marked(data.map(brief)), has_more, ...next };
}

/** A table can be endless, and a model has little room. */
const tableCharactersMax = 64 * 1024;

/** Returns the beginning of a table, in whole lines. */
export async function tableForAgent(answer: Response): Promise<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > tableCharactersMax) break;
  }
  const isCut = text.length > tableCharactersMax;
  const whole = isCut ? text.slice(0, text.lastIndexOf("\n", tableCharactersMax) + 1) : text;
  return { csv: untrusted(whole), is_complete: !isCut };
}
