import * as Address from "../../src/domain/address.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { type Ledger, lineOf } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { TestTill } from "./till.ts";

/** What one invoice or link asks for, and where Till tells of it. */
export type Claim = {
  kind: "invoice" | "link";
  path: string;
  status: string;
  to: Address.Address;
  expected: bigint;
};

type Told = { status: string; lines: string[]; confirmed: string[]; received: bigint };

/** Creates an invoice or a link of some amount, by the API. */
export async function createClaim(till: TestTill, random: Random, webhookUrl: string): Promise<Claim> {
  const total = BigInt(random.between(1, 500)) * 1_000_000n;
  if (random.chance(0.5)) {
    const unit_price = Usdc.format(Usdc.fromMicro(total));
    const body = await till.createInvoice({
      webhook_url: webhookUrl,
      line_items: [{ description: "Work", quantity: 1, unit_price }],
    });
    const path = `/api/invoices/${body["invoice_id"]}`;
    const to = Address.checksum(body["deposit_address"] ?? "");
    return { kind: "invoice", path, status: `${path}/status`, to, expected: total };
  }
  const { body, status } = await till.api("POST", "/api/links", {
    business_name: "Acme",
    merchant_email: "billing@acme.example",
    expected_amount: Usdc.format(Usdc.fromMicro(total)),
    wallet_type: "managed",
    webhook_url: webhookUrl,
  });
  if (status !== 201) throw new Error(`no link: ${JSON.stringify(body)}`);
  return {
    kind: "link",
    path: `/api/links/${body.slug}`,
    status: `/api/payments/status/${body.slug}`,
    to: Address.checksum(body.deposit_address),
    expected: total,
  };
}

export async function ask(till: TestTill, claim: Claim): Promise<Told> {
  // The status first: money that comes between the two answers can then only add to the list.
  const { body } = await till.api("GET", claim.status);
  const payments: Payment[] = (await till.api("GET", `${claim.path}/payments`)).body.data;
  const line = (payment: Payment) => lineOf(payment.tx_hash, payment.block_number, micro(payment.amount));
  const confirmed = payments.filter((payment) => payment.confirmed);
  return {
    status: body.status,
    lines: payments.map(line),
    confirmed: confirmed.map(line),
    received: confirmed.reduce((sum, payment) => sum + micro(payment.amount), 0n),
  };
}

type Payment = { tx_hash: string; block_number: number; amount: string; confirmed: boolean };

function micro(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

/** Adds a fault when Till tells of money that no branch ever held, also not once the chain is noted anew. */
export async function judge(
  ledger: Ledger,
  claim: Claim,
  told: Told,
  faults: Set<string>,
  story: () => string,
): Promise<void> {
  if (ledger.everHeld(claim.to, told.lines)) return;
  await ledger.note();
  if (ledger.everHeld(claim.to, told.lines)) return;
  faults.add(
    `${claim.path} showed ${told.lines.length} transfers that no branch held together after: ${story()}`,
  );
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
  return found;
}

function rightStatuses(claim: Claim, total: bigint, ledger: Ledger): string[] {
  const isLink = claim.kind === "link";
  if (total > claim.expected) return ["excess"];
  if (total === claim.expected) return [isLink ? "confirmed" : "paid"];
  const status = total > 0n ? "partial" : isLink ? "pending" : "draft";
  return isLink && ledger.everLost(claim.to) ? [status, "error"] : [status];
}

export async function repeatedEvents(till: TestTill, claim: Claim): Promise<string[]> {
  const { body } = await till.api("GET", `${claim.path}/events`);
  const statuses: string[] = (body.data ?? []).map((event: { status: string }) => event.status);
  return statuses.filter((status, at) => statuses.indexOf(status) !== at);
}
