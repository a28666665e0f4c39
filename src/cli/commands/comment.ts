import { randomUUID } from "node:crypto";
import { apiPath, findTarget, targetHelp } from "../api/target.ts";
import { command, json, UsageError } from "../command.ts";
import { say, sayJson } from "../terminal/output.ts";
import { unfoldLines } from "./issue/line-item.ts";

export const comment = command({
  calls: ["INVOICE|LINK TEXT [--json]"],
  words: [
    ["INVOICE, LINK", targetHelp],
    ["TEXT", "the comment; \\n starts a new line"],
  ],
  flags: { json },
  about: "Adds a comment to the timeline of the invoice or link (see till show). Only you can read it.",
  examples: ['till comment INV-0001 "Called them, they pay on Monday"'],

  async run(values, [word, text, ...more]) {
    if (word === undefined || text === undefined || more.length > 0)
      throw new UsageError('say on what, and what in quotes: till comment INV-0001 "They pay on Monday"');
    const { client, target } = await findTarget(word);
    const body = { text: unfoldLines(text) };
    const answer = await client.post(`${apiPath(target)}/comments`, body, randomUUID());
    if (values.json) sayJson(answer);
    else say("Noted.");
    return 0;
  },
});
