import { Type } from "@sinclair/typebox";
import { oneOf } from "../../invoicing/request/validation.ts";
import { closed, optional, url } from "./answer-parts.ts";

/** The answer to a program that paid by x402, or need not. */
const payment = {
  status: oneOf(
    ["confirming", "confirmed"],
    "confirming: all of it is in a block; confirmed: it counts, or was paid in another way",
  ),
  transaction: optional(
    Type.String({ wants: "the hash of what paid it last, unless it was paid in another way" }),
  ),
  page_url: url,
  receipt_url: { ...url, wants: "the URL of the proof of its receipt, which is there once it is confirmed" },
};

export const X402Payment = closed(payment, { noun: "X402Payment" });
