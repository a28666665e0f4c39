import { randomUUID } from "node:crypto";
import { marks } from "../../domain/closing.ts";
import { apiPath, findTarget, nameOf, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { say, sayJson } from "../terminal/output.ts";
import { unfoldLines } from "./issue/line-item.ts";

export const mark = command({
  calls: ["INVOICE|LINK paid|unpaid [FLAGS]"],
  words: [
    ["INVOICE, LINK", targetHelp],
    ["paid", "it was paid in another way, such as by bank or in cash"],
    ["unpaid", "undo that mark"],
  ],
  flags: {
    note: { value: "TEXT", text: "a note for you alone, kept with the event; customers never see it" },
    json,
  },
  about: `What you mark as paid asks for no more money until you mark it as unpaid. You cannot mark what is void, or what Till has seen paid in full.`,
  examples: ['till mark INV-0001 paid --note "By bank on 3 November"', "till mark INV-0001 unpaid"],

  async run({ note, json }, [word, as, ...more]) {
    if (word === undefined || !marks.some((mark) => mark === as) || more.length > 0)
      throw new UsageError("say what to mark, and as what: till mark INV-0001 paid, or unpaid.");
    const { client, target } = await findTarget(word);
    const record = await client.post(
      `${apiPath(target)}/mark`,
      { as, ...(note === undefined ? {} : { note: unfoldLines(note) }) },
      randomUUID(),
    );
    if (json) sayJson(record);
    else say(`${nameOf(target)} is marked as ${as}.`);
    return 0;
  },
});
