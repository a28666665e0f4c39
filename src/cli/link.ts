import { randomUUID } from "node:crypto";
import type * as Answer from "../http/answer-schemas.ts";
import { parseLinkRequest } from "../http/link-request.ts";
import { createClient } from "./client.ts";
import { command } from "./command.ts";
import type { Draft as LinkDraft } from "./link-walk.ts";
import { amountText, say, sayFacts, sayJson } from "./output.ts";
import { sayCode } from "./qr-code.ts";
import { create, merchantFlags, requestFlags, requestOf } from "./request-args.ts";
import { rulesKnown } from "./request-rules.ts";
import { watch } from "./watch.ts";

type CreatedLink = (typeof Answer.CreatedLink)["static"];

const fields = {
  "business-name": { value: "NAME", text: "your name, at the top of the checkout" },
  "expected-amount": { value: "AMOUNT", text: "in USDC, such as 25.00" },
  "merchant-email": { value: "EMAIL", text: "who bills" },
  "product-description": { value: "TEXT", text: "what it is for; \\n begins a new line" },
  "success-url": { value: "URL", text: "where the customer can go after paying" },
  "embed-origin": {
    value: "ORIGIN",
    text: "a site that may frame the checkout; can be given several times",
    many: true,
  },
  ...merchantFlags,
} as const;

export const link = command({
  calls: ["[--watch]", "--business-name NAME … [FLAGS]", "--json FILE [--watch]"],
  flags: { ...fields, ...requestFlags },
  about: `Without flags it asks for everything, on a terminal; Ctrl-C leaves without a link. Scripts give flags, or a file with the request of POST /api/links.`,
  examples: [
    'till link --business-name "Corner Shop" --expected-amount 25.00 \\',
    "  --merchant-email owner@corner.example --wallet-type managed",
  ],

  async run(values) {
    const request = await requestOf("link", values, fields);
    const client = createClient(process.env);
    const json = request.json || !process.stdout.isTTY;
    const made = request.body
      ? await create<CreatedLink>(client, "/api/links", request.body, request, {
          check: (body) => parseLinkRequest(body, rulesKnown),
          tell: json ? sayJson : sayCreated,
        })
      : await ask(request.idempotencyKey ?? randomUUID());
    if (request.watch) {
      const path = `/api/payments/status/${made.slug}`;
      await watch(client, { path, name: `The link ${made.slug}`, ids: { slug: made.slug } }, { json });
    }
    return 0;

    async function ask(key: string): Promise<CreatedLink> {
      const [{ walk }, { linkPurpose }] = await Promise.all([import("./walk.ts"), import("./link-walk.ts")]);
      return await walk<CreatedLink, LinkDraft>(client, key, linkPurpose, sayCreated);
    }
  },
});

function sayCreated(made: CreatedLink): void {
  say("");
  sayFacts([
    ["Link", { text: made.payment_link, color: "bold" }],
    ["Expected", `${amountText(made.expected_amount)} USDC`],
    ["Address", made.deposit_address],
    ["Secret", made.webhook_secret ?? null],
    ["", made.webhook_secret ? "of the webhook; it is not shown again" : null],
  ]);
  sayCode(made.payment_link);
  say(`\nFor your page, one of:\n\n${made.iframe_snippet}\n\n${made.js_widget_snippet}`);
}
