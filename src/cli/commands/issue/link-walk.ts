import { type LinkRequest, parseLinkRequest } from "../../../invoicing/request/link.ts";
import { amountText } from "../../terminal/output.ts";
import { priceText } from "../show.ts";
import { faultBy, rulesKnown } from "./request-args.ts";
import { type Form, linesHint, type Step, summaryOf, type WalkPlan, type WalkPurpose } from "./walk.ts";

/** The questions for a payment link, in order. */

export type LinkDraft = Partial<(typeof LinkRequest)["static"]>;

/** The walk to a one-time link, or to a reusable one. */
export const linkPurpose = (reusable: boolean): WalkPurpose<LinkDraft> => ({
  path: "/api/links",
  start: ({ merchant_name, merchant_address: _, tax_rate: __, ...merchant }) => ({
    ...merchant,
    ...(reusable ? { reusable } : {}),
    ...(merchant_name === undefined ? {} : { business_name: merchant_name }),
  }),
  merchantOf: ({ business_name, ...draft }, before) => ({
    ...(business_name === undefined ? {} : { merchant_name: business_name }),
    ...before,
    ...draft,
  }),
  faultOf,
  plan,
});

const faultOf = (draft: object, field: string) => faultBy(parseLinkRequest(draft, rulesKnown), field);

function plan(form: Form<LinkDraft>): WalkPlan {
  const { draft, text, wallet, reference, webhook } = form;
  const optional = true;
  const price = () => (draft.reusable ? priceText(draft) : amountText(String(draft.expected_amount)));
  return {
    steps: [
      text("business_name", { label: "Your business name, at the top of the checkout" }),
      text("merchant_email", { label: "Your e-mail" }),
      draft.reusable
        ? reusablePrice(form)
        : text("expected_amount", { label: "Amount, in USDC", hint: "25.00" }),
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
    title: draft.reusable ? "Reusable payment link" : "Payment link",
    summary: () =>
      summaryOf([
        ["Business", `${draft.business_name} <${draft.merchant_email}>`],
        ["Amount", `${price()} USDC`],
        ["Product", draft.product_description],
        ["Wallet", draft.wallet_type === "byo" ? draft.wallet_address : "kept by Till"],
        ["Reference", draft.reference],
        ["Success", draft.success_url],
        ["Expires", draft.expires_at],
        ["Webhook", draft.webhook_url],
      ]),
    question: () => "Make this payment link?",
    send: () => `Make it: ${price()} USDC`,
    leave: "Leave without a link",
  };
}

/** Asks who decides each payment's amount, and the questions that follow from it. */
function reusablePrice({ prompts, draft, text }: Form<LinkDraft>): Step {
  const one = text("expected_amount", { label: "Price of one piece, in USDC", hint: "25.00" });
  const least = text("amount_min", { label: "The least that can be paid, in USDC", hint: "1.00" });
  const most = text("amount_max", { label: "The most that can be paid, in USDC", hint: "500.00" });
  return {
    field: "expected_amount",
    label: "Amount",
    async ask() {
      const choices = [
        { value: "fixed", label: "You: so many pieces at a price" },
        { value: "chosen", label: "The payer, between two amounts" },
      ] as const;
      const before = draft.amount_min === undefined ? "fixed" : "chosen";
      const who = await prompts.select("Who decides what one payment is of?", [...choices], before);
      if (who === "fixed") {
        delete draft.amount_min;
        delete draft.amount_max;
        await one.ask();
        draft.quantity_max = Number(
          await prompts.text({
            message: "The most pieces in one payment",
            initial: draft.quantity_max === undefined ? "" : String(draft.quantity_max),
            fallback: "1",
            fault: (typed) => faultOf({ ...draft, quantity_max: wholeNumber(typed) }, "quantity_max"),
          }),
        );
      } else {
        delete draft.expected_amount;
        delete draft.quantity_max;
        await least.ask();
        await most.ask();
      }
    },
  };
}

/** Anything but a whole number stays text: the API says what it must be. */
const wholeNumber = (typed: string) => (/^\d+$/.test(typed.trim()) ? Number(typed) : typed);
