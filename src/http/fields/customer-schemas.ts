import { Type } from "@sinclair/typebox";
import { languageCodes } from "../../domain/language.ts";
import { oneOf } from "../../invoicing/request/validation.ts";
import { day, email, number, optional, record, text, usdc } from "./answer-parts.ts";

/** Sellers and buyers in the API's responses. */

/** The parts of an address, ids and so on, named as in a request. */
export const partyParts = Type.Record(Type.String(), Type.String());

export const CustomerRecord = record("Customer", {
  email: email("the mail address, which tells customers apart"),
  name: text("as on the newest invoice"),
  invoices: Type.Integer({ wants: "how many were made" }),
  open_amount: usdc,
  paid_amount: usdc,
  last_invoice_number: number,
  last_issue_date: day,
});

const savedParty = {
  email: email("as in the path"),
  name: optional(text("as it was saved")),
  address: optional(text("as it was saved")),
  details: optional({ ...partyParts, wants: "in parts" }),
};
export const SavedCustomer = record("SavedCustomer", {
  ...savedParty,
  language: Type.Optional(oneOf(languageCodes, "of invoices that say nothing of it; only when saved")),
});
export const SavedMerchant = record("SavedMerchant", {
  ...savedParty,
  payment_terms: optional(text("in words")),
  usd_parity: Type.Boolean({ wants: "whether 1 USDC counts as 1 USD" }),
});
