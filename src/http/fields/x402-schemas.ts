import { oneOf } from "../../invoicing/request/validation.ts";
import { hashOf, optional, record, url, urlOf } from "./answer-parts.ts";

/** The response to a program that paid by x402, or does not need to. */
export const X402Payment = record("X402Payment", {
  status: oneOf(
    ["confirming", "confirmed"],
    "confirming: all of it is in a block; confirmed: it counts, or was paid in another way",
  ),
  transaction: optional(hashOf("the hash of what paid it last, unless it was paid in another way")),
  page_url: url,
  receipt_url: urlOf("the URL of the proof of its receipt, which is there once it is confirmed"),
});
