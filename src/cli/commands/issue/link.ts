import type * as Answer from "../../../http/fields/answer-schemas.ts";
import type * as ReusableAnswer from "../../../http/fields/reusable-link-schemas.ts";
import { parseLinkRequest } from "../../../invoicing/request/link.ts";
import { command, UsageError } from "../../command.ts";
import { amountText, say, sayFacts } from "../../terminal/output.ts";
import { priceText } from "../show.ts";
import { issue, sayCode } from "./issue.ts";
import type { LinkDraft } from "./link-walk.ts";
import { merchantFlags, requestFlags, rulesKnown } from "./request-args.ts";

type CreatedLink =
  | (typeof Answer.CreatedLink)["static"]
  | (typeof ReusableAnswer.CreatedReusableLink)["static"];

const fields = {
  "business-name": { value: "NAME", text: "your name, at the top of the checkout" },
  "expected-amount": { value: "AMOUNT", text: "in USDC, such as 25.00" },
  "merchant-email": { value: "EMAIL", text: "who bills" },
  "product-description": { value: "TEXT", text: "what it is for; \\n starts a new line" },
  "success-url": { value: "URL", text: "where the customer can go after paying" },
  "expires-at": {
    value: "TIME",
    text: "when the checkout stops asking for money, such as 2026-12-31T18:00:00+01:00",
  },
  "embed-origin": {
    value: "ORIGIN",
    text: "a site that may frame the checkout; repeatable",
    many: true,
  },
  ...merchantFlags,
  reusable: { text: "a link that can be paid many times; on its own, asks for everything else" },
  "amount-min": { value: "AMOUNT", text: "reusable: let the customer choose the amount, from this" },
  "amount-max": { value: "AMOUNT", text: "reusable: up to this" },
  "quantity-max": {
    value: "COUNT",
    text: "reusable: the most pieces in one payment, at --expected-amount each",
  },
} as const;

export const link = command({
  calls: ["[--watch|--reusable]", "--business-name NAME … [FLAGS]", "--json FILE [--watch]"],
  flags: { ...fields, ...requestFlags },
  about: `Without flags, on a terminal, it asks for everything; Ctrl-C leaves without making a link. In scripts, pass flags, or a file with the request of POST /api/links.`,
  examples: [
    'till link --business-name "Corner Shop" --expected-amount 25.00 \\',
    "  --merchant-email owner@corner.example --wallet-type managed",
    'till link --reusable --business-name "Corner Shop" --expected-amount 25.00 \\',
    "  --quantity-max 10 --wallet-type managed \\",
    "  --merchant-email owner@corner.example",
  ],

  async run(values) {
    if (values.reusable && values.watch)
      throw new UsageError("--watch waits for one payment, and a reusable link has many: leave it out.");
    const { reusable, ...others } = fields;
    const asks = values.reusable && Object.keys(others).every((flag) => !(flag in values));
    return await issue<CreatedLink, LinkDraft>(values, {
      name: "link",
      path: "/api/links",
      fields: asks ? others : fields,
      check: (body) => parseLinkRequest(body, rulesKnown),
      purpose: async () => (await import("./link-walk.ts")).linkPurpose(values.reusable),
      tell: sayCreated,
      watched: (created) =>
        "reusable" in created
          ? null
          : {
              path: `/api/payments/status/${created.slug}`,
              name: `The link ${created.slug}`,
              ids: { slug: created.slug },
            },
    });
  },
});

function sayCreated(created: CreatedLink): void {
  say("");
  sayFacts([
    ["Link", { text: created.payment_link, color: "bold" }],
    ...("reusable" in created
      ? ([["Price", `${priceText(created)} USDC`]] as const)
      : ([
          ["Expected", `${amountText(created.expected_amount)} USDC`],
          ["Address", created.deposit_address],
        ] as const)),
    ["Secret", created.webhook_secret ?? null],
    ["", created.webhook_secret ? "of the webhook; it is not shown again" : null],
  ]);
  sayCode(created.payment_link);
  say(`\nFor your page, one of:\n\n${created.iframe_snippet}\n\n${created.js_widget_snippet}`);
}
