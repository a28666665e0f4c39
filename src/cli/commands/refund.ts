import { createClient } from "../api/client.ts";
import { findOf, nameOf, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { answer, sayTable } from "../terminal/output.ts";
import { unfoldLines } from "./issue/line-item.ts";

/** A refund, or what is owed and in none. */
type Row = Record<"id" | "status" | "amount", string> &
  Record<"invoice_number" | "link_slug" | "address" | "customer_email", string | null>;

const usage =
  "say what to refund, such as till refund INV-0001 --ask, or till refund list, till refund owed, till refund cancel ID.";

export const refund = command({
  calls: ["INVOICE|LINK [FLAGS]", "list|owed [--json]", "cancel ID [--json]"],
  words: [
    ["INVOICE, LINK", targetHelp],
    ["list", "the newest refunds"],
    ["owed", "what is to be returned and in no refund yet"],
    ["ID", "the id of a refund"],
  ],
  flags: {
    amount: {
      value: "AMOUNT",
      text: "USDC, with two or six decimals; without it, all that is to be returned",
    },
    ask: { text: "mail the customer a link to a page where they name the address" },
    address: { value: "ADDRESS", text: "where it goes, as the customer told you" },
    elsewhere: { text: "you gave it back already, outside of Till" },
    reason: { value: "TEXT", text: "for the customer" },
    note: { value: "TEXT", text: "for you alone" },
    json,
  },
  about: `Begins a refund. An owner approves it at the desk before anything is sent. What an invoice does not owe, credit first.`,
  examples: ["till refund INV-0001 --ask", "till refund owed"],

  async run({ json: asJson, reason, note, amount, address, ask, elsewhere }, [word, id, ...more]) {
    if (word === undefined || more.length > 0 || (id !== undefined && word !== "cancel"))
      throw new UsageError(usage);
    if (word === "list" || word === "owed") return listed(word, asJson);
    if (word === "cancel") {
      if (id === undefined) throw new UsageError(usage);
      const path = `/api/refunds/${encodeURIComponent(id)}/cancel`;
      return answer(asJson, await createClient(process.env).post(path), "The refund is cancelled.");
    }
    const { client, target } = await findOf(word, ["invoice", "link"]);
    const made = await client.post<Row>("/api/refunds", {
      ...(target.kind === "invoice" ? { invoice: nameOf(target) } : { link: target.record.slug }),
      ...(amount === undefined ? {} : { amount }),
      ...(address === undefined ? {} : { address }),
      ...(ask ? { ask } : {}),
      ...(elsewhere ? { elsewhere } : {}),
      ...(reason === undefined ? {} : { reason: unfoldLines(reason) }),
      ...(note === undefined ? {} : { note: unfoldLines(note) }),
    });
    return answer(asJson, made, `${made.id}: ${made.amount} USDC, ${made.status}.`);
  },
});

async function listed(what: "list" | "owed", asJson: boolean): Promise<0 | 1> {
  const path = what === "list" ? "/api/refunds?limit=100" : "/api/owed?limit=100";
  const page = await createClient(process.env).get<{ data: Row[] }>(path);
  return answer(asJson, page, () =>
    what === "list"
      ? sayTable(
          ["FOR", { right: "AMOUNT" }, "STATUS", "ID", { below: "TO" }],
          page.data.map((row) => [forOf(row), row.amount, row.status, row.id, row.address ?? ""]),
          "There are no refunds yet.",
        )
      : sayTable(
          ["FOR", { right: "TO RETURN" }, "CUSTOMER"],
          page.data.map((row) => [forOf(row), row.amount, row.customer_email ?? ""]),
          "Nothing is to be returned.",
        ),
  );
}

const forOf = ({ invoice_number, link_slug }: Row): string => invoice_number ?? link_slug ?? "";
