import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { qrTerminal } from "../document/qr.ts";
import * as Calendar from "../domain/calendar.ts";
import type * as Answer from "../http/answer-schemas.ts";
import { parseInvoiceRequest } from "../http/invoice-request.ts";
import { messageOf } from "../lib/error.ts";
import { type Client, createClient } from "./client.ts";
import { type Command, UsageError } from "./command.ts";
import { watchInvoice } from "./invoice-watch.ts";
import { parseItem } from "./line-item.ts";
import { hasColors, print, say, sayFacts, sayJson } from "./output.ts";
import { create, type RequestArgs, readRequestArgs } from "./request-args.ts";
import { rulesKnown } from "./request-rules.ts";

type CreatedInvoice = (typeof Answer.CreatedInvoice)["static"];

const text = { type: "string" } as const;
const fields = {
  "merchant-email": text,
  "merchant-name": text,
  "merchant-address": text,
  "vendor-email": text,
  "vendor-name": text,
  "vendor-address": text,
  item: { type: "string", multiple: true },
  "issue-date": text,
  "due-date": text,
  "wallet-type": text,
  "wallet-address": text,
  notes: text,
  "webhook-url": text,
} as const;

export const invoice: Command = {
  help: `Usage: till invoice [--watch]
       till invoice --merchant-email EMAIL … --item "10 x 150.00 Design" … [--watch]
       till invoice --json FILE [--watch]

Without flags it asks for everything, on a terminal; Ctrl-C leaves without an invoice. It remembers who you are in
~/.config/till/merchant.json. Scripts give flags or a file with the request of POST /api/invoices:

  --merchant-email EMAIL, --merchant-name NAME, --merchant-address TEXT
  --vendor-email EMAIL, --vendor-name NAME, --vendor-address TEXT
  --item "QUANTITY x PRICE TEXT"           can be given several times
  --issue-date DATE, --due-date DATE       YYYY-MM-DD
  --wallet-type TYPE                       managed, or byo with --wallet-address ADDRESS
  --notes TEXT, --webhook-url URL
                         \\n in a TEXT begins a new line
  --idempotency-key KEY  when no answer came, repeat with the same key: no second invoice is made
  --json [FILE]          answer as JSON, the default without a terminal; the request comes from FILE (- is
                         standard input)
  --watch                wait until it is paid

Example:
  till invoice --merchant-email billing@acme.example --merchant-name "Acme Ltd" --merchant-address "1 Main Street" \\
    --vendor-email ap@globex.example --vendor-name "Globex GmbH" --item "10 x 150.00 Design" --due-date 2030-01-31 \\
    --wallet-type managed`,

  async run(args) {
    const request = await readRequestArgs(args, fields);
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    if (request.body === null && (!isTerminal || request.json)) {
      throw new UsageError(
        "there is no terminal to ask on: give --json FILE or flags; till invoice --help lists them.",
      );
    }
    const client = createClient(process.env);
    const json = request.json || !process.stdout.isTTY;
    const made =
      request.body === null
        ? await askAndCreate(client, request.idempotencyKey ?? randomUUID())
        : await create<CreatedInvoice>(client, "/api/invoices", bodyOf(request), request, {
            check: (body) => parseInvoiceRequest(body, rulesKnown),
            tell: json ? sayJson : sayCreated,
          });
    if (request.watch) await watchInvoice(client, made.invoice_id, { json });
    return 0;
  },
};

/** The request as the API takes it. */
function bodyOf({ body, fromFile }: RequestArgs): unknown {
  if (fromFile) return body;
  const items = body?.["line_items"];
  return Array.isArray(items) ? { ...body, line_items: items.map(parseItem) } : body;
}

/** Creates it from answers on the terminal. A Till that is not there is told of before the first question. */
async function askAndCreate(client: Client, key: string): Promise<CreatedInvoice> {
  const [{ openPrompts }, { walk }, { memoryFile, recall, remember }] = await Promise.all([
    import("./prompt.ts"),
    import("./invoice-walk.ts"),
    import("./merchant-memory.ts"),
  ]);
  await client.get("/api/invoices?limit=1");
  const file = memoryFile(process.env);
  const prompts = openPrompts();
  try {
    const { draft, made } = await walk(
      {
        prompts,
        today: Calendar.dayAt(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone),
        send: (draft) => client.post<CreatedInvoice>("/api/invoices", { ...draft, send_now: true }, key),
      },
      { ...recall(file), line_items: [] },
    );
    try {
      const isFirst = file !== null && !existsSync(file);
      if (file !== null) remember(file, draft);
      if (isFirst) prompts.info(`Your details are kept for next time in ${file}`);
    } catch (thrown) {
      prompts.warn(`Your details could not be kept for next time: ${messageOf(thrown)}`);
    }
    sayCreated(made);
    return made;
  } finally {
    prompts.close();
  }
}

function sayCreated(made: CreatedInvoice): void {
  say("");
  sayFacts([
    ["Invoice", { text: made.invoice_number, color: "bold" }],
    ["Total", `${made.total_amount} USDC`],
    [
      "Mailed",
      made.sent_at ??
        (made.mail
          ? `no, and Till does not try again: ${made.mail.reason}. Give the customer the link of the page, or issue a new invoice with another address`
          : "not yet: the mail server has not accepted it, and Till keeps trying for two days"),
    ],
    ["Page", made.invoice_url],
    ["PDF", made.pdf_url],
    ["Address", made.deposit_address],
    ["Secret", made.webhook_secret ? `${made.webhook_secret} (of the webhook; not shown again)` : null],
  ]);
  const code = qrTerminal(made.invoice_url);
  const width = Bun.stringWidth(code.slice(0, code.indexOf("\n")));
  if (hasColors() && width <= process.stdout.columns) print(`\n${code}\n`);
}
