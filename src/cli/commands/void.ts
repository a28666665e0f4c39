import { randomUUID } from "node:crypto";
import { apiPath, findAny, nameOf, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { confirm, refuseUnasked } from "../terminal/ask.ts";
import { say, sayAside, sayJson } from "../terminal/output.ts";
import { unfoldLines } from "./issue/line-item.ts";

export const voidCommand = command({
  calls: ["INVOICE|LINK --reason TEXT [FLAGS]"],
  words: [["INVOICE, LINK", targetHelp]],
  flags: {
    reason: { value: "TEXT", text: "why; the one who pays reads it; \\n begins a new line" },
    yes: { text: "do not ask, for scripts" },
    json,
  },
  about: `What is void stays void. Its page and PDF say so and ask for no money, and the customer of an invoice that was mailed
gets a mail. What has received money, or is marked as paid, cannot be voided.

A reusable link begins no payment any more; those that were begun can be paid.

Money that comes all the same is credited and settled as any other, and you are told of it.`,
  examples: ['till void INV-0001 --reason "Billed twice: please see INV-0002."'],

  async run({ reason, yes, json }, [word, ...more]) {
    if (word === undefined || more.length > 0)
      throw new UsageError('say what to void: till void INV-0001 --reason "Billed twice"');
    if (reason === undefined) throw new UsageError('say why, for the one who pays: --reason "Billed twice"');
    refuseUnasked(yes, "void");
    const { client, target } = await findAny(word);
    const isReusable = target.kind === "reusable";
    const name = isReusable ? `reusable link ${target.slug}` : nameOf(target);
    if (!yes && !(await confirm(`Void ${name} for good?`))) {
      sayAside("Nothing was voided.");
      return 1;
    }
    const record = await client.post(
      `${isReusable ? `/api/links/${target.slug}` : apiPath(target)}/void`,
      { reason: unfoldLines(reason) },
      randomUUID(),
    );
    if (json) sayJson(record);
    else say(`${name} is void.`);
    return 0;
  },
});
