import { type ObjectOptions, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import * as Invoice from "../../domain/bill/invoice.ts";
import { oneOf } from "../../invoicing/request/validation.ts";

/** Building blocks of the answers' schemas. */

export const closed = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });
export const optional = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const exactUsdc = Type.String({ wants: "USDC, with six decimals if it has a fraction of a cent" });
export const usdc = Type.String({ wants: 'USDC with two decimals, "1500.00"' });
export const address = Type.String({
  pattern: "^0x[0-9a-fA-F]{40}$",
  wants: "an EVM address in checksum form",
});
export const url = Type.String({ wants: "a URL", openapi: { format: "uri" } });
export const day = Type.String({ wants: "a day, YYYY-MM-DD", openapi: { format: "date" } });
export const instant = Type.String({ wants: "a time, ISO 8601", openapi: { format: "date-time" } });
export const id = Type.String({ wants: "a UUID", openapi: { format: "uuid" } });
export const number = Type.String({ wants: "INV-0001, INV-0002, …, as TILL_INVOICE_NUMBER says" });
export const slug = Type.String({ wants: "the end of the address of its page" });
export const text = (wants: string) => Type.String({ wants });
export const email = (wants: string) => Type.String({ wants, openapi: { format: "email" } });
export const merchantEmail = email("who bills");
export const secret = Type.Optional(
  Type.String({ wants: "the secret of the webhook, shown only here; only with webhook_url" }),
);
export const walletType = oneOf(Invoice.walletTypes, "whose wallet the money goes to");

export const expiresAt = Type.Optional({
  ...instant,
  wants: "when its page stops asking for money, ISO 8601; only when given",
});

export const annotations = {
  reference: Type.Optional(text("the merchant's, such as an order number; only when given")),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      wants: "the merchant's own, never shown to payers; only when given",
    }),
  ),
};

/** What invoices and links share beyond the contract; each field appears only when used. */
export const ownFields = {
  ...annotations,
  webhook_events: Type.Optional(
    oneOf(["standard"], "the form of its webhooks; only when it is not the contract's"),
  ),
  voided_at: Type.Optional({ ...instant, wants: "when it was voided, ISO 8601; only when it was" }),
  void_reason: Type.Optional(optional(text("why it was voided"))),
  marked_paid_at: Type.Optional({
    ...instant,
    wants: "since when it counts as paid in another way, ISO 8601",
  }),
};

export const hash = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$", wants: "32 bytes of hex, 0x…" });
export const DepositProof = closed(
  {
    address,
    payout_wallet: { ...address, wants: "the only wallet that the address can ever pay" },
    salt: hash,
    bytecode_hash: { ...hash, wants: "Keccak-256 of the creation code of the clone at the address" },
    implementation: address,
    factory: address,
    deployer: address,
    factory_salt: hash,
    factory_bytecode_hash: hash,
  },
  { noun: "DepositProof" },
);
