import { Type } from "@sinclair/typebox";
import {
  address,
  addressOf,
  closed,
  DepositProof,
  email,
  exactUsdc,
  hash,
  instantOf,
  record,
  text,
  usdc,
} from "./answer-parts.ts";

import { linkBillFields, taxInCurrency } from "./bill-schemas.ts";
import { partyParts } from "./customer-schemas.ts";

/** For programs that check it on the chain. */
export const ReceiptAnswer = record("Receipt", {
  receipt_proof: record("ReceiptProof", {
    version: Type.Literal(1, { wants: "1: what there is beside it" }),
    invoice_number: Type.Optional(Type.String({ wants: "the number of the invoice; not of a link" })),
    link: Type.Optional(Type.String({ wants: "the slug of the link; not of an invoice" })),
    merchant: closed({
      name: text("who was paid"),
      address: Type.Optional(Type.String({ wants: "as on the invoice; not of a link" })),
      email: Type.Optional(email("as on the invoice; not of a link")),
    }),
    receipt: Type.Optional(
      record("IssuedReceipt", {
        number: text("the receipt's own number"),
        issue_date: text("the day of its issue"),
        seller: closed({
          name: text("as saved when it was issued"),
          address: Type.Optional(Type.String()),
          details: Type.Optional(partyParts),
        }),
        currency: text("of the amounts in here"),
        rate: Type.Optional(text("what 1 USDC cost in it; only when it is not USDC")),
        total_amount: usdc,
        ...linkBillFields,
        tax_in_currency: taxInCurrency,
      }),
    ),
    total_amount: usdc,
    received_amount: exactUsdc,
    return_amount: Type.Optional({
      ...exactUsdc,
      wants: "what of that the merchant owes the payer: overpaid, or credited since; only when it is any",
    }),
    tolerance: Type.String({
      wants: "USDC: a payment that is short by no more than this counts as all of it",
    }),
    paid_at: instantOf("the time of the block in which it was complete, ISO 8601"),
    marked_paid_at: Type.Optional(
      instantOf("when the merchant recorded it as paid in another way, ISO 8601; only then"),
    ),
    chain_id: Type.Integer({ wants: "8453 is Base" }),
    token: addressOf("the contract of USDC"),
    deposit_address: address,
    deposit_proof: Type.Optional(DepositProof),
    transfers: Type.Array(
      closed({
        block_number: Type.Integer(),
        block_hash: hash,
        tx_hash: hash,
        log_index: Type.Integer({ wants: "its number among all logs of the block" }),
        from: addressOf("the address that paid"),
        amount: exactUsdc,
      }),
      { wants: "the confirmed transfers, the 200 largest if there are more, in the order of the chain" },
    ),
    other_transfers: Type.Integer({ wants: "how many smaller ones there are besides" }),
  }),
});
