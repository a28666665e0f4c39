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
    reason: { value: "TEXT", text: "why; the customer reads it; \\n starts a new line" },
    yes: { text: "do not ask, for scripts" },
    json,
  },
  about: `You cannot undo this. The page and PDF say that it is void and ask for no money. If you mailed the invoice, Till mails the customer. You cannot void what has received money or is marked as paid.

A void reusable link starts no new payments; customers can still pay those already started.

If money comes anyway, Till credits and settles it as usual, and tells you.`,
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
