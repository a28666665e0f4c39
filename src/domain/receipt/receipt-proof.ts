import { instant } from "../../lib/time.ts";
import * as Currency from "../bill/currency.ts";
import type { IssuedReceipt } from "../link/bill.ts";
import type { Link } from "../link/link.ts";
import * as Standing from "../payment/standing.ts";
import { taxInCurrencyRecord } from "../record/bill.ts";
import { partyRecord } from "../record/invoice.ts";
import { linkBillRecord } from "../record/link.ts";
import * as Usdc from "../usdc.ts";
import * as Address from "../wallet/address.ts";
import { type DepositProof, proofOf as depositProofOf } from "../wallet/deposit-proof.ts";
import type { Network } from "../wallet/network.ts";
import * as Receipt from "./receipt.ts";

const version = 1;

/** One transfer as anybody can find it on the chain. Hashes are in lower case. */
export type ProvedTransfer = {
  block_number: number;
  block_hash: string;
  tx_hash: string;
  /** Its index among all logs of the block. */
  log_index: number;
  from: Address.Address;
  /** USDC, `"1500.00"`, with six decimals if it has a fraction of a cent. */
  amount: string;
};

/**
 * The content of a receipt, for a program that verifies it on the chain without Till. It holds no secret, but
 * `deposit_proof` reveals whose wallet the deposit address belongs to, so payers do not get that. The customer is not
 * named, as proofs are passed on.
 */
export type ReceiptProof = {
  version: typeof version;
  /** Exactly one of the two is present. */
  invoice_number?: string;
  link?: string;
  merchant: { name: string; address?: string; email?: string };
  /** The legally required text of a receipt with tax, for links; none of it is on the chain. */
  receipt?: ReturnType<typeof issuedRecord>;
  total_amount: string;
  received_amount: string;
  /**
   * The part of it that the merchant owes: money beyond the amount, which credit notes may have lowered. Absent if
   * nothing.
   */
  return_amount?: string;
  /** A payment short by at most this counts as full. */
  tolerance: string;
  /** When the transfer that completed the amount was made, ISO 8601. */
  paid_at: string;
  /** Present only when the merchant marked it as paid in another way. */
  marked_paid_at?: string;
  chain_id: number;
  /** The USDC contract. */
  token: Address.Address;
  deposit_address: Address.Address;
  deposit_proof?: DepositProof;
  /** In chain order. */
  transfers: ProvedTransfer[];
  /** Number of further, smaller transfers, which are not proved. */
  other_transfers: number;
};

type ProofOptions = {
  network: Pick<Network, "chainId" | "usdc">;
  /** For the merchant only, who may see whose wallet the address pays. */
  withDepositProof: boolean;
};

export function proofOf(receipt: Receipt.Receipt, { network, withDepositProof }: ProofOptions): ReceiptProof {
  const { of } = receipt;
  const { deposit, markedPaidAt } = of;
  const { toReturn } = Standing.of(of);
  return {
    version,
    ...namesOf(receipt),
    total_amount: Usdc.format(deposit.expected),
    received_amount: Usdc.formatExact(deposit.received),
    ...(toReturn === 0n ? {} : { return_amount: Usdc.formatExact(toReturn) }),
    tolerance: Usdc.formatExact(deposit.tolerance),
    paid_at: instant(Receipt.paidAt(receipt)),
    ...(markedPaidAt === null ? {} : { marked_paid_at: instant(markedPaidAt) }),
    chain_id: network.chainId,
    token: network.usdc,
    deposit_address: deposit.address,
    ...(withDepositProof ? { deposit_proof: depositProofOf(deposit) } : {}),
    transfers: receipt.payments.map((payment) => ({
      block_number: payment.blockNumber,
      block_hash: payment.blockHash,
      tx_hash: payment.txHash,
      log_index: payment.logIndex,
      from: payment.payer,
      amount: Usdc.formatExact(payment.amount),
    })),
    other_transfers: receipt.otherPayments,
  };
}

/** The item and the merchant as on the payer's page: a link shows no address of the merchant. */
function namesOf({
  of,
  issued,
}: Receipt.Receipt): Pick<ReceiptProof, "invoice_number" | "link" | "merchant" | "receipt"> {
  if (of.kind === "link")
    return {
      link: of.slug,
      merchant: { name: of.businessName },
      ...(issued === null ? {} : { receipt: issuedRecord(issued, of) }),
    };
  const { number, merchantName: name, merchantAddress: address, merchantEmail: email } = of;
  return { invoice_number: number, merchant: { name, address, email } };
}

/** Without the buyer, as proofs are passed on. */
function issuedRecord({ number, issueDate, seller, taxInCurrency }: IssuedReceipt, link: Link) {
  const { name, address, details } = seller;
  return {
    number,
    issue_date: issueDate,
    seller: {
      name,
      ...(address === null ? {} : { address }),
      ...(details === null ? {} : { details: partyRecord(details) }),
    },
    currency: Currency.codeOf(link),
    ...(link.currency === null ? {} : { rate: link.currency.rate }),
    total_amount: Currency.formatOf(link, link.bill?.totals.total ?? Usdc.zero),
    ...linkBillRecord(link),
    ...taxInCurrencyRecord(taxInCurrency),
  };
}

type Fields = { readonly [name: string]: unknown };

/**
 * Parses a proof from untrusted JSON: the claims of a well-formed file, none of them verified. `value` is a proof, or
 * an object with one as `receipt_proof`. Throws a NotAReceipt.
 */
export function read(value: unknown): ReceiptProof {
  const outer = objectOf(value, "it");
  const fields =
    outer["receipt_proof"] === undefined ? outer : objectOf(outer["receipt_proof"], "its receipt_proof");
  if (fields["version"] !== version)
    throw new NotAReceipt(
      `its version is ${String(fields["version"]).slice(0, 20)}, and this Till reads version ${version}`,
    );
  const merchant = objectOf(fields["merchant"], "its merchant");
  const transfers = fields["transfers"];
  if (!Array.isArray(transfers)) throw new NotAReceipt("its transfers are not a list");
  if (transfers.length > Receipt.paymentsMax)
    throw new NotAReceipt(`it has more than ${Receipt.paymentsMax} transfers`);
  return {
    version,
    ...optional(text, fields, "invoice_number"),
    ...optional(text, fields, "link"),
    merchant: {
      name: text(merchant, "name"),
      ...optional(text, merchant, "address"),
      ...optional(text, merchant, "email"),
    },
    total_amount: amount(fields, "total_amount"),
    received_amount: amount(fields, "received_amount"),
    ...optional(amount, fields, "return_amount"),
    tolerance: amount(fields, "tolerance"),
    paid_at: time(fields, "paid_at"),
    ...optional(time, fields, "marked_paid_at"),
    chain_id: whole(fields, "chain_id"),
    token: address(fields, "token"),
    deposit_address: address(fields, "deposit_address"),
    // Validated by whoever recomputes the address.
    ...optional((all, name) => all[name] as DepositProof, fields, "deposit_proof"),
    transfers: transfers.map((each) => {
      const transfer = objectOf(each, "one of its transfers");
      return {
        block_number: whole(transfer, "block_number"),
        block_hash: hash(transfer, "block_hash"),
        tx_hash: hash(transfer, "tx_hash"),
        log_index: whole(transfer, "log_index"),
        from: address(transfer, "from"),
        amount: amount(transfer, "amount"),
      };
    }),
    other_transfers: whole(fields, "other_transfers"),
  };
}

function objectOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new NotAReceipt(`${what} is missing or not a JSON object`);
  return { ...value };
}

/** Till accepts names and addresses of at most 500 characters. */
const textLengthMax = 1_000;

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && value.length <= textLengthMax) return value;
  throw new NotAReceipt(`its ${name} is missing or not a text of at most ${textLengthMax} characters`);
}

function optional<N extends string, T>(
  read: (fields: Fields, name: string) => T,
  fields: Fields,
  name: N,
): { [key in N]?: T } {
  return fields[name] === undefined ? {} : ({ [name]: read(fields, name) } as { [key in N]?: T });
}

function time(fields: Fields, name: string): string {
  const value = text(fields, name);
  if (!Number.isNaN(Date.parse(value)) && instant(Date.parse(value)) === value) return value;
  throw new NotAReceipt(`its ${name} is not a time such as "2026-11-05T14:12:31.000Z"`);
}

function amount(fields: Fields, name: string): string {
  const value = text(fields, name);
  if (Usdc.parseExact(value) !== null) return value;
  throw new NotAReceipt(`its ${name} is not an amount of USDC such as "1500.00"`);
}

function whole(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new NotAReceipt(`its ${name} is missing or not a whole number`);
}

function hash(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && /^0x[0-9a-f]{64}$/.test(value)) return value;
  throw new NotAReceipt(`its ${name} is missing or not 0x and 64 hex digits in lower case`);
}

function address(fields: Fields, name: string): Address.Address {
  const value = fields[name];
  const parsed = typeof value === "string" ? Address.parse(value) : null;
  if (parsed?.ok) return parsed.address;
  throw new NotAReceipt(`its ${name} is missing or not an address in checksum form`);
}

export class NotAReceipt extends Error {
  override readonly name = "NotAReceipt";
  constructor(what: string) {
    super(`This is not a receipt of Till: ${what}`);
  }
}
