import type * as LinkSchemas from "../../../http/fields/link-schemas.ts";
import type * as ReusableAnswer from "../../../http/fields/reusable-link-schemas.ts";
import { parseLinkRequest } from "../../../invoicing/request/link/link.ts";
import { LinkRequest } from "../../../invoicing/request/link/link-schema.ts";
import { command, UsageError } from "../../command.ts";
import { bold, money } from "../../records/format.ts";
import { expectedFacts, priceFacts, priceText, untilFacts } from "../../records/link.ts";
import { say } from "../../terminal/output.ts";
import { type Facts, sayRecord } from "../../terminal/table.ts";
import {
  draftOf,
  faultBy,
  flagsOf,
  type Kind,
  merchantRows,
  type Row,
  type Rows,
  rulesKnown,
  type Walk,
  wholeNumber,
} from "./fields.ts";
import { issue, requestFlags, sayCode, secretFacts } from "./issue.ts";

type Link = (typeof LinkSchemas.CreatedLink)["static"];
type ReusableLink = (typeof ReusableAnswer.CreatedReusableLink)["static"];
type CreatedLink = Link | ReusableLink;

type LinkDraft = Partial<(typeof LinkRequest)["static"]>;

const amount: Row<LinkDraft> = {
  value: "AMOUNT",
  text: "in USDC, such as 25.00; in a currency, --amount takes its place",
  ask: "Amount, in USDC",
  hint: "25.00",
  optional: false,
  after: "merchant_email",
  fact: (draft) => [["Amount", amountOf(draft)]],
};

const rows: Rows<LinkDraft> = {
  business_name: {
    value: "NAME",
    text: "your name, at the top of the checkout",
    ask: "Your business name, at the top of the checkout",
    fact: (draft) => [["Business", `${draft.business_name} <${draft.merchant_email}>`]],
    keep: "merchant_name",
  },
  expected_amount: amount,
  merchant_email: { value: "EMAIL", text: "who bills", ask: "Your e-mail", keep: true },
  product_description: {
    value: "TEXT",
    text: "what it is for; \\n starts a new line",
    lines: true,
    ask: "What it is for",
    fact: "Product",
  },
  success_url: {
    value: "URL",
    text: "where the customer can go after paying",
    ask: "Page that the customer can go to after paying",
    hint: "https://…",
    after: "reference",
    fact: "Success",
  },
  expires_at: {
    value: "TIME",
    text: "when the checkout stops asking for money, such as 2026-12-31T18:00:00+01:00",
    ask: "Expires",
    hint: "2026-12-31T18:00:00+01:00",
    after: "success_url",
    fact: "Expires",
  },
  embed_origins: {
    flag: "embed-origin",
    value: "ORIGIN",
    text: "a site that may frame the checkout; repeatable",
    many: true,
  },
  ...merchantRows,
  reusable: { text: "a link that can be paid many times; on its own, asks for everything else" },
  currency: { value: "CODE", text: "of --amount, --amount-min and --amount-max, such as EUR (default USDC)" },
  rate: {
    value: "RATE",
    text: "what 1 USDC costs in it; for EUR and USD, Till asks exchanges when you leave it out",
  },
  amount: { value: "AMOUNT", text: "the price in the currency, in the place of --expected-amount" },
  tax_rate: { value: "PERCENT", text: "the tax in the price, such as 19" },
  collect: {
    value: "FIELD",
    text: "what a payer can fill in: name, address, tax_id or phone; repeatable",
    many: true,
  },
  questions: {
    flag: "question",
    value: "TEXT",
    text: "your own question to the payer; repeatable",
    many: true,
  },
  // A flag could only say yes, which is the default.
  prices_include_tax: null,
  amount_min: { value: "AMOUNT", text: "reusable: let the customer choose the amount, from this" },
  amount_max: { value: "AMOUNT", text: "reusable: up to this" },
  quantity_max: {
    value: "COUNT",
    text: "reusable: the most pieces in one payment, at one price each",
  },
};

const amountOf = (draft: LinkDraft) =>
  draft.reusable ? priceText(draft) : money(draft.amount ?? String(draft.expected_amount), draft);

/** For a reusable link: asks who decides each payment's amount, and the follow-up questions. */
async function askPrice({ prompts, draft, text }: Walk<LinkDraft>): Promise<void> {
  const choices = [
    { value: "fixed", label: "You: so many pieces at a price" },
    { value: "chosen", label: "The payer, between two amounts" },
  ] as const;
  const before = draft.amount_min === undefined ? "fixed" : "chosen";
  const who = await prompts.select("Who decides what one payment is of?", [...choices], before);
  if (who === "chosen") {
    delete draft.expected_amount;
    delete draft.quantity_max;
    await text("amount_min", { ask: "The least that can be paid, in USDC", hint: "1.00" });
    await text("amount_max", { ask: "The most that can be paid, in USDC", hint: "500.00" });
    return;
  }
  delete draft.amount_min;
  delete draft.amount_max;
  await text("expected_amount", { ask: "Price of one piece, in USDC", hint: "25.00" });
  const most = await prompts.text({
    message: "The most pieces in one payment",
    initial: draft.quantity_max === undefined ? "" : String(draft.quantity_max),
    fallback: "1",
    fault: (typed) => faultBy(check({ ...draft, quantity_max: wholeNumber(typed.trim()) }), "quantity_max"),
  });
  draft.quantity_max = Number(most);
}

const check = (body: unknown) => parseLinkRequest(body, rulesKnown);

const kindOf = (reusable: boolean): Kind<LinkDraft, CreatedLink> => ({
  name: "link",
  path: "/api/links",
  schema: LinkRequest,
  rows: reusable ? { ...rows, expected_amount: { ...amount, ask: "Amount", own: askPrice } } : rows,
  check,
  bodyOf: (draft) => draft,
  tell: sayCreated,
  watched: (created) =>
    "reusable" in created
      ? null
      : {
          path: `/api/payments/status/${created.slug}`,
          page: `/pay/${created.slug}`,
          name: `The link ${created.slug}`,
          ids: { slug: created.slug },
        },
  walk: {
    start: reusable ? { reusable } : {},
    title: reusable ? "Reusable payment link" : "Payment link",
    question: () => "Make this payment link?",
    send: (draft) => `Make it: ${amountOf(draft)}`,
    leave: "Leave without a link",
  },
});

export const link = command({
  calls: ["[--watch|--reusable]", "--business-name NAME … [FLAGS]", "--json FILE [--watch]"],
  flags: {
    ...flagsOf(kindOf(false)),
    ...requestFlags,
  },
  about: `Without flags, on a terminal, it asks for everything; Ctrl-C leaves without making a link. In scripts, pass flags, or a file with the request of POST /api/links.`,
  examples: [
    'till link --business-name "Corner Shop" --expected-amount 25.00 \\',
    "  --merchant-email owner@corner.example --wallet-type managed",
    'till link --reusable --business-name "Corner Shop" --expected-amount 25.00 \\',
    "  --quantity-max 10 --wallet-type managed \\",
    "  --merchant-email owner@corner.example",
  ],

  async run(values) {
    const given = draftOf(kindOf(false), values);
    const isReusable = given["reusable"] === true;
    if (isReusable && values.watch)
      throw new UsageError("--watch waits for one payment, and a reusable link has many: leave it out.");
    const isAlone = isReusable && Object.keys(given).length === 1;
    return await issue(kindOf(isReusable), values, isAlone ? {} : given);
  },
});

const headFacts: Facts<CreatedLink> = [["Link", "payment_link", bold]];

const reusableFacts: Facts<ReusableLink> = [...headFacts, ["Price", priceText], ...secretFacts];

const factsOf = ({ currency, rate_expires_at }: Link): Facts<Link> => [
  ...headFacts,
  ...(currency === undefined ? expectedFacts : priceFacts),
  ...(rate_expires_at === undefined ? [] : untilFacts),
  ["Address", "deposit_address"],
  ...secretFacts,
];

function sayCreated(created: CreatedLink): void {
  say("");
  if ("reusable" in created) sayRecord(reusableFacts, created);
  else sayRecord(factsOf(created), created);
  sayCode(created.payment_link);
  say(`\nFor your page, one of:\n\n${created.iframe_snippet}\n\n${created.js_widget_snippet}`);
}
