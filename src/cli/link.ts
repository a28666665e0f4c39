import type * as Answer from "../http/answer-schemas.ts";
import { parseLinkRequest } from "../http/link-request.ts";
import { createClient } from "./client.ts";
import { type Command, UsageError } from "./command.ts";
import { say, sayFacts, sayJson } from "./output.ts";
import { create, readRequestArgs } from "./request-args.ts";
import { rulesKnown } from "./request-rules.ts";

type CreatedLink = (typeof Answer.CreatedLink)["static"];

const text = { type: "string" } as const;
const fields = {
  "business-name": text,
  "expected-amount": text,
  "merchant-email": text,
  "wallet-type": text,
  "wallet-address": text,
  "product-description": text,
  "webhook-url": text,
  "success-url": text,
  "embed-origin": { type: "string", multiple: true },
} as const;

export const link: Command = {
  help: `Usage: till link --business-name NAME --expected-amount AMOUNT --merchant-email EMAIL --wallet-type TYPE
       till link --json FILE

  --business-name NAME, --expected-amount AMOUNT, --merchant-email EMAIL
  --wallet-type TYPE         managed, or byo with --wallet-address ADDRESS
  --product-description TEXT, --webhook-url URL, --success-url URL
                             \\n in TEXT begins a new line
  --embed-origin ORIGIN      a site that may frame the checkout; can be given several times
  --idempotency-key KEY      when no answer came, repeat with the same key: no second link is made
  --json [FILE]              answer as JSON; with FILE (- is standard input) the request comes from there

Example:
  till link --business-name "Corner Shop" --expected-amount 25.00 --merchant-email owner@corner.example \\
    --wallet-type managed`,

  async run(args) {
    const request = await readRequestArgs(args, fields);
    if (request.body === null) throw new UsageError("say what the link is for; till link --help shows how.");
    if (request.watch) throw new UsageError("--watch is for invoices.");
    const client = createClient(process.env);
    await create<CreatedLink>(client, "/api/links", request.body, request, {
      check: (body) => parseLinkRequest(body, rulesKnown),
      tell: request.json || !process.stdout.isTTY ? sayJson : sayCreated,
    });
    return 0;
  },
};

function sayCreated(made: CreatedLink): void {
  sayFacts([
    ["Link", { text: made.payment_link, color: "bold" }],
    ["Expected", `${made.expected_amount} USDC`],
    ["Address", made.deposit_address],
    ["Secret", made.webhook_secret ? `${made.webhook_secret} (of the webhook; not shown again)` : null],
  ]);
  say(`\nFor your page, one of:\n\n${made.iframe_snippet}\n\n${made.js_widget_snippet}`);
}
