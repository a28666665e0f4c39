import { parseArgs } from "node:util";
import { messageOf } from "../lib/error.ts";
import { createClient, NoAnswer, parseBaseUrl, Refused } from "./client.ts";
import { type Command, UsageError } from "./command.ts";
import { say, sayJson } from "./output.ts";

export const health: Command = {
  help: `Usage: till health [URL] [--json]

  URL     where to ask, when it is not TILL_BASE_URL (default http://127.0.0.1:3000)
  --json  answer as JSON: status, reasons

Exits with 0 when Till is ready, and with 1 and the reasons when it is not or does not answer.

Example, beside a server that the world knows by another name:
  till health http://127.0.0.1:3000`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false } },
    });
    const [url, ...more] = positionals;
    if (more.length > 0) throw new UsageError("give one URL at most.");
    // What it asks for is open, so no key is sent anywhere.
    const given = url === undefined ? process.env["TILL_BASE_URL"] : parseBaseUrl(url, "URL");
    const client = createClient({ TILL_BASE_URL: given });
    const reasons = await problemsOf(() => client.get("/health/ready"));
    if (values.json) sayJson({ status: reasons.length === 0 ? "ok" : "not ready", reasons });
    else
      say(reasons.length === 0 ? "ok" : `not ready:\n${reasons.map((reason) => `  ${reason}`).join("\n")}`);
    return reasons.length === 0 ? 0 : 1;
  },
};

async function problemsOf(ask: () => Promise<unknown>): Promise<string[]> {
  try {
    await ask();
    return [];
  } catch (thrown) {
    if (thrown instanceof NoAnswer || thrown instanceof Refused) return messageOf(thrown).split("\n");
    throw thrown;
  }
}
