import { type ObjectOptions, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { languageCodes } from "../../domain/language.ts";
import * as Common from "../../domain/receivable/common.ts";
import { oneOf } from "../../invoicing/request/validation.ts";

/** Building blocks of the responses' schemas. */

export const closed = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });
/** A schema that /openapi.json defines once, by its noun. */
export const record = <T extends TProperties>(noun: string, properties: T) => closed(properties, { noun });
export const optional = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const exactUsdc = Type.String({ wants: "USDC, with six decimals if it has a fraction of a cent" });
export const billed = Type.String({ wants: 'in its currency, "1500.00"' });
export const unitPrice = Type.String({ wants: "the same with up to six decimals" });
export const usdc = Type.String({ wants: 'USDC with two decimals, "1500.00"' });
/** A text whose format programs are told. */
const formed = (format: string, wants: string) => Type.String({ wants, openapi: { format } });
export const addressOf = (wants: string) => Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", wants });
export const address = addressOf("an EVM address in checksum form");
export const urlOf = (wants: string) => formed("uri", wants);
export const url = urlOf("a URL");
export const day = formed("date", "a day, YYYY-MM-DD");
export const instantOf = (wants: string) => formed("date-time", wants);
export const instant = instantOf("a time, ISO 8601");
export const id = formed("uuid", "a UUID");
export const number = Type.String({ wants: "such as INV-0001: see TILL_INVOICE_NUMBER" });
export const slug = Type.String({ wants: "the end of the address of its page" });
export const text = (wants: string) => Type.String({ wants });
export const email = (wants: string) => formed("email", wants);
export const merchantEmail = email("who bills");
export const secret = Type.Optional(
  Type.String({ wants: "the secret of the webhook, shown only here; only with webhook_url" }),
);
export const walletType = oneOf(Common.walletTypes, "whose wallet the money goes to");

export const expiresAt = Type.Optional(
  instantOf("when its page stops asking for money, ISO 8601; only when given"),
);

export const annotations = {
  reference: Type.Optional(text("the merchant's, such as an order number; only when given")),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      wants: "the merchant's own, never shown to payers; only when given",
    }),
  ),
};

/** Fields common to invoices and links beyond the contract; each appears only if used. */
export const ownFields = {
  ...annotations,
  language: Type.Optional(oneOf(languageCodes, "of its mails, PDF and page; only when given")),
  webhook_events: Type.Optional(
    oneOf(["standard"], "the form of its webhooks; only when it is not the contract's"),
  ),
  voided_at: Type.Optional(instantOf("when it was voided, ISO 8601; only when it was")),
  void_reason: Type.Optional(optional(text("why it was voided"))),
  marked_paid_at: Type.Optional(instantOf("since when it counts as paid in another way, ISO 8601")),
};

export const hashOf = (wants: string) => Type.String({ pattern: "^0x[0-9a-fA-F]{64}$", wants });
export const hash = hashOf("32 bytes of hex, 0x…");
export const DepositProof = record("DepositProof", {
  address,
  payout_wallet: addressOf("the only wallet that the address can ever pay"),
  salt: hash,
  bytecode_hash: hashOf("Keccak-256 of the creation code of the clone at the address"),
  implementation: address,
  factory: address,
  deployer: address,
  factory_salt: hash,
  factory_bytecode_hash: hash,
});

export const payable = {
  x402_url: Type.Optional(
    urlOf("where a program pays it by x402 or MPP; not with TILL_RELAY=off, and not in webhooks"),
  ),
};
