import type { Health } from "../../../http/fields/health-schema.ts";
import { type Client, createClient, NoAnswer, parseBaseUrl, Refused } from "../../api/client.ts";
import { command, json, UsageError } from "../../command.ts";
import { answer } from "../../terminal/output.ts";

export const health = command({
  calls: ["[URL] [--json]"],
  words: [["URL", "where to ask (default TILL_BASE_URL, or http://TILL_HOST:TILL_PORT)"]],
  flags: { json },
  about: `Exits with 0 if Till is ready, and with 1 and the reasons if it is not or does not answer. Warnings need your attention, but Till keeps working. On the server itself, give the local URL if its public name differs.`,
  examples: ["till health http://127.0.0.1:3000"],

  async run(values, [url, ...more]) {
    if (more.length > 0) throw new UsageError("give at most one URL.");
    // Anybody may ask; a public Till tells everything only to a key. A typed URL is sent none.
    const place = url === undefined ? process.env : { TILL_BASE_URL: parseBaseUrl(url, "URL") };
    const client = createClient(place);
    const { reasons, warnings } = await lookAt(client);
    const status = reasons.length === 0 ? "ok" : "not ready";
    const lines = [
      ...paragraph(status, reasons),
      ...(warnings.length > 0 ? paragraph("warnings", warnings) : []),
    ];
    return answer(values.json, { status, reasons, warnings }, lines.join("\n"), reasons.length === 0);
  },
});

type Readiness = (typeof Health)["static"];

async function lookAt(client: Client): Promise<{ reasons: readonly string[]; warnings: readonly string[] }> {
  try {
    const { warnings = [] } = await client.get<Readiness>("/health/ready");
    return { reasons: [], warnings };
  } catch (thrown) {
    if (thrown instanceof Refused) return { reasons: thrown.message.split("\n"), warnings: thrown.warnings };
    if (thrown instanceof NoAnswer) return { reasons: [thrown.message], warnings: [] };
    throw thrown;
  }
}

function paragraph(title: string, lines: readonly string[]): string[] {
  return [lines.length > 0 ? `${title}:` : title, ...lines.map((line) => `  ${line}`)];
}
