import { type LinkRequest, parseLinkRequest } from "../../../http/links/link-request.ts";
import { amountText } from "../../terminal/output.ts";
import { faultBy, rulesKnown } from "./request-args.ts";
import { type Form, linesHint, type Plan, type Purpose, summaryOf } from "./walk.ts";

/** The questions that make a payment link, in order. */

export type Draft = Partial<(typeof LinkRequest)["static"]>;

export const linkPurpose: Purpose<Draft> = {
  path: "/api/links",
  start: ({ merchant_name, merchant_address: _, ...merchant }) => ({
    ...merchant,
    ...(merchant_name === undefined ? {} : { business_name: merchant_name }),
  }),
  merchantOf: ({ business_name, ...draft }, before) => ({
    ...(business_name === undefined ? {} : { merchant_name: business_name }),
    ...before,
    ...draft,
  }),
  faultOf: (draft, field) => faultBy(parseLinkRequest(draft, rulesKnown), field),
  plan,
};

function plan({ draft, text, wallet, reference, webhook }: Form<Draft>): Plan {
  const optional = true;
  return {
    steps: [
      text("business_name", { label: "Your business name, at the top of the checkout" }),
      text("merchant_email", { label: "Your e-mail" }),
      text("expected_amount", { label: "Amount, in USDC", hint: "25.00" }),
      text("product_description", { label: "What it is for", optional, hint: linesHint }),
      wallet,
      reference,
      text("success_url", {
        label: "Page that the customer can go to after paying",
        optional,
        hint: "https://…",
      }),
      text("expires_at", { label: "Expires", optional, hint: "2026-12-31T18:00:00+01:00" }),
      webhook,
    ],
    title: "Payment link",
    summary: () =>
      summaryOf([
        ["Business", `${draft.business_name} <${draft.merchant_email}>`],
        ["Amount", `${amountText(String(draft.expected_amount))} USDC`],
        ["Product", draft.product_description],
        ["Wallet", draft.wallet_type === "byo" ? draft.wallet_address : "kept by Till"],
        ["Reference", draft.reference],
        ["Success", draft.success_url],
        ["Expires", draft.expires_at],
        ["Webhook", draft.webhook_url],
      ]),
    question: () => "Make this payment link?",
    send: () => `Make it: ${amountText(String(draft.expected_amount))} USDC`,
    leave: "Leave without a link",
  };
}
