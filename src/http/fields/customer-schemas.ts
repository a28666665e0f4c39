import { Type } from "@sinclair/typebox";
import { closed, day, email, number, optional, text, usdc } from "./answer-parts.ts";

/** Sellers and buyers in the API's answers. */

/** The parts of an address, ids and so on, named as in a request. */
export const partyParts = Type.Record(Type.String(), Type.String());

const customer = {
  email: email("the mail address, which tells customers apart"),
  name: text("as on the newest invoice"),
  invoices: Type.Integer({ wants: "how many were made" }),
  open_amount: usdc,
  paid_amount: usdc,
  last_invoice_number: number,
  last_issue_date: day,
};

export const CustomerRecord = closed(customer, { noun: "Customer" });

const savedParty = {
  email: email("as in the path"),
  name: optional(text("as it was saved")),
  address: optional(text("as it was saved")),
  details: optional({ ...partyParts, wants: "in parts" }),
};
export const SavedCustomer = closed(savedParty, { noun: "SavedCustomer" });
export const SavedMerchant = closed(
  {
    ...savedParty,
    payment_terms: optional(text("in words")),
    usd_parity: Type.Boolean({ wants: "whether 1 USDC counts as 1 USD" }),
  },
  { noun: "SavedMerchant" },
);
