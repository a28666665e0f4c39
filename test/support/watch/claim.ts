import { Database } from "bun:sqlite";
import { join } from "node:path";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { Random } from "../random.ts";
import { invoiceRequest, type TestTill } from "../till/till.ts";
import { type Ledger, lineOf } from "./ledger.ts";

/** What one invoice or link asks for, and where Till tells of it. */
export type Claim = {
  kind: "invoice" | "link";
  /** What a webhook names it by: the id of an invoice, the slug of a link. */
  id: string;
  path: string;
  status: string;
  to: Address.Address;
  expected: bigint;
  webhookSecret: string;
  /** Every status that Till was seen to tell. */
  told: Set<string>;
};

type Api = Pick<TestTill, "api">;
type Told = { status: string; shown: string | null; lines: string[]; confirmed: string[] };

/** Creates an invoice or a link of some amount, by the API. */
export async function createClaim(till: Api, random: Random, webhookUrl: string): Promise<Claim> {
  const expected = BigInt(random.between(1, 500)) * 1_000_000n;
  const amount = Usdc.format(Usdc.fromMicro(expected));
  const kind = random.chance(0.5) ? "invoice" : "link";
  const request =
    kind === "invoice"
      ? {
          ...invoiceRequest,
          send_now: false,
          line_items: [{ description: "Work", quantity: 1, unit_price: amount }],
        }
      : {
          business_name: "Acme",
          merchant_email: "billing@acme.example",
          expected_amount: amount,
          wallet_type: "managed",
        };
  const { body, status } = await till.api("POST", `/api/${kind}s`, { ...request, webhook_url: webhookUrl });
  if (status !== 201) throw new Error(`no ${kind}: ${JSON.stringify(body)}`);
  const id: string = kind === "invoice" ? body.invoice_id : body.slug;
  return {
    kind,
    id,
    path: `/api/${kind}s/${id}`,
    status: kind === "invoice" ? `/api/invoices/${id}/status` : `/api/payments/status/${id}`,
    to: Address.checksum(body.deposit_address),
    expected,
    webhookSecret: body.webhook_secret,
    told: new Set(),
  };
}

type Payment = { tx_hash: string; block_number: number; amount: string; confirmed: boolean };

export async function ask(till: Api, claim: Claim): Promise<Told> {
  // The status first: money that comes between the two answers can then only add to the list.
  const { body } = await till.api("GET", claim.status);
  claim.told.add(body.status);
  const payments: Payment[] = (await till.api("GET", `${claim.path}/payments`)).body.data;
  const line = (payment: Payment) => lineOf(payment.tx_hash, payment.block_number, micro(payment.amount));
  return {
    status: body.status,
    shown: body.received_amount ?? null,
    lines: payments.map(line),
    confirmed: payments.filter((payment) => payment.confirmed).map(line),
  };
}

function micro(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

/** Adds a fault when Till tells of money that no branch ever held, also not once the chain is noted anew. */
export async function judge(ledger: Ledger, claim: Claim, told: Told, faults: Set<string>): Promise<void> {
  if (ledger.everHeld(claim.to, told.lines)) return;
  await ledger.note();
  if (ledger.everHeld(claim.to, told.lines)) return;
  faults.add(`${claim.path} showed [${told.lines}], which no branch held together`);
}

/** How what Till says of one claim differs from the chain. */
export function differences(claim: Claim, told: Told, ledger: Ledger): string[] {
  const total = ledger.total(claim.to);
  const found: string[] = [];
  const lines = ledger.lines(claim.to);
  if (told.lines.join() !== lines.join()) {
    found.push(`${claim.path} shows [${told.lines}] and the chain has [${lines}]`);
  }
  if (told.confirmed.length !== lines.length) found.push(`${claim.path}: not everything is confirmed`);
  if (!rightStatuses(claim, total, ledger).includes(told.status)) {
    found.push(`${claim.path} is ${told.status} with ${total} of ${claim.expected}`);
  }
  if (told.shown !== null && told.shown !== cents(total)) {
    found.push(`${claim.path} shows ${told.shown} received with ${total}`);
  }
  return found;
}

/** Micro-USDC as the API shows a sum: rounded down to cents. */
export function cents(total: bigint): string {
  return `${total / 1_000_000n}.${String((total / 10_000n) % 100n).padStart(2, "0")}`;
}

/** Less than a cent shows as 0.00, and decides nothing. */
const cent = 10_000n;

/** The status that a sum makes; null for none. */
export function reportedStatus(claim: Claim, total: bigint): string | null {
  if (total >= claim.expected + cent) return "excess";
  if (total >= claim.expected) return claim.kind === "link" ? "confirmed" : "paid";
  return total >= cent ? "partial" : null;
}

function rightStatuses(claim: Claim, total: bigint, ledger: Ledger): string[] {
  const isLink = claim.kind === "link";
  const status = reportedStatus(claim, total) ?? (isLink ? "pending" : "draft");
  return isLink && total < claim.expected && ledger.everLost(claim.to) ? [status, "error"] : [status];
}

type Row = {
  block_hash: string;
  log_index: number;
  block_number: number;
  tx_hash: string;
  amount: number;
  confirmed: number;
};

/** How the rows of Till's database differ from the chain, field by field; and rows of nobody's. */
export function rowDifferences(dataDir: string, claims: readonly Claim[], ledger: Ledger): string[] {
  const db = new Database(join(dataDir, "till.db"), { readonly: true });
  // A Till that was killed and starts again holds it for a moment.
  db.run("PRAGMA busy_timeout = 30000");
  try {
    const found: string[] = [];
    let count = 0;
    for (const claim of claims) {
      const rows = db
        .query<Row, [string]>(
          `SELECT block_hash, log_index, block_number, tx_hash, amount, confirmed
           FROM transfer JOIN receivable USING (deposit_index) WHERE address = ? ORDER BY block_number, log_index`,
        )
        .all(claim.to);
      count += rows.length;
      const told = rows.map((row) => Object.values(row).join(" "));
      const real = ledger
        .entries(claim.to)
        .map((entry) =>
          [entry.blockHash, entry.logIndex, entry.block, entry.txHash, entry.amount, 1].join(" "),
        );
      if (told.join() !== real.join()) {
        found.push(`${claim.path} has the rows [${told}] and the chain has [${real}]`);
      }
      const sums = db
        .query<{ received_amount: number; pending_amount: number }, [string]>(
          "SELECT received_amount, pending_amount FROM receivable WHERE address = ?",
        )
        .get(claim.to);
      if (sums?.received_amount !== Number(ledger.total(claim.to)) || sums.pending_amount !== 0) {
        found.push(`${claim.path} has the sums ${JSON.stringify(sums)}, not ${ledger.total(claim.to)}`);
      }
    }
    const all = db.query<{ count: number }, []>("SELECT count(*) AS count FROM transfer").get()?.count;
    if (all !== count) found.push(`${all} transfers are recorded, of which ${count} belong to something`);
    return found;
  } finally {
    db.close();
  }
}
