import { createClient } from "../api/client.ts";
import { limitOf, listFlags, listing } from "../api/listing.ts";
import { findOf, handleOf, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { answer } from "../terminal/output.ts";
import { unfoldLines } from "./issue/line-item.ts";

/** A refund, or an amount owed without one. */
type Row = Record<"id" | "status" | "amount", string> &
  Record<"invoice_number" | "link_slug" | "address" | "customer_email", string | null>;

const usage =
  "say what to refund, such as till refund INV-0001 --ask, or till refund list, till refund owed, till refund cancel ID.";

export const refund = command({
  calls: ["INVOICE|LINK [FLAGS]", "list|owed [FLAGS]", "cancel ID [--json]"],
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
    ...listFlags,
    json,
  },
  about: `Begins a refund. An owner approves it at the desk before anything is sent. What an invoice does not owe, credit first.`,
  examples: ["till refund INV-0001 --ask", "till refund owed"],

  async run(
    { json: asJson, reason, note, amount, address, ask, elsewhere, limit, all },
    [word, id, ...more],
  ) {
    if (word === undefined || more.length > 0 || (id !== undefined && word !== "cancel"))
      throw new UsageError(usage);
    if (word === "list" || word === "owed") {
      await lists[word](createClient(process.env), new URLSearchParams(), limitOf({ limit, all }), asJson);
      return 0;
    }
    if (all || limit !== undefined) throw new UsageError("--limit and --all are for lists.");
    if (word === "cancel") {
      if (id === undefined) throw new UsageError(usage);
      const path = `/api/refunds/${encodeURIComponent(id)}/cancel`;
      return answer(asJson, await createClient(process.env).post(path), "The refund is cancelled.");
    }
    const { client, target } = await findOf(word, ["invoice", "link"]);
    const made = await client.post<Row>("/api/refunds", {
      [target.kind]: handleOf(target),
      amount,
      address,
      ...(ask ? { ask } : {}),
      ...(elsewhere ? { elsewhere } : {}),
      reason: reason && unfoldLines(reason),
      note: note && unfoldLines(note),
    });
    return answer(asJson, made, `${made.id}: ${made.amount} USDC, ${made.status}.`);
  },
});

const forOf = ({ invoice_number, link_slug }: Row): string => invoice_number ?? link_slug ?? "";

const lists = {
  list: listing<Row>(
    "/api/refunds",
    () => "There are no refunds yet.",
    ({ id }) => id,
    [
      ["FOR", forOf],
      [{ right: "AMOUNT" }, "amount"],
      ["STATUS", "status"],
      ["ID", "id"],
      [{ below: "TO" }, "address"],
    ],
  ),
  owed: listing<Row>("/api/owed", () => "Nothing is to be returned.", forOf, [
    ["FOR", forOf],
    [{ right: "TO RETURN" }, "amount"],
    ["CUSTOMER", "customer_email"],
  ]),
};
