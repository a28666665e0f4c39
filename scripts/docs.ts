/**
 * Writes the tables of the handbook that come from the code: the commands, the calls of the API and how to make one in each
 * language, the tools of agents, the settings and the entries of the log. Each stands between two comments, `<!-- NAME: made by bun run docs -->` and `<!-- end of NAME -->`.
 */
import { join } from "node:path";
import { commands } from "../src/cli/run.ts";
import { logEvents, logFields } from "../src/config/log-events.ts";
import { defaultOf, pageOf, settingNames, settings } from "../src/config/settings.ts";
import { examplesAt } from "../src/http/docs/examples.ts";
import { type Operation, operations } from "../src/http/docs/openapi.ts";
import { samplesOf } from "../src/http/docs/samples.ts";
import { asksAlways, type Tool } from "../src/http/mcp/tool.ts";

/** The pages with tables, and what makes each table. */
export const tables: Record<string, Record<string, () => string>> = {
  "clients/README.md": { samples: samplesText },
  "docs/commands.md": { commands: commandTable },
  "docs/api.md": { calls: callTable },
  "docs/agents.md": { tools: toolTable },
  "docs/settings.md": { variables: variableTable },
  "docs/log.md": { entries: entryTable, fields: fieldTable },
};

/** The text of a page with its tables made anew. Throws when the place of a table is missing. */
export function withTables(page: string, text: string): string {
  return Object.entries(tables[page] ?? {}).reduce((whole, [name, table]) => {
    const [begin, end] = [`<!-- ${name}: made by bun run docs -->`, `<!-- end of ${name} -->`];
    const [before, rest] = halves(whole, begin);
    const [, after] = halves(rest, end);
    return `${before}${begin}\n${table()}\n${end}${after}`;
  }, text);
}

function halves(text: string, mark: string): [string, string] {
  const [before, after, ...more] = text.split(mark);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`A page must have the line ${mark} once.`);
  }
  return [before, after];
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** How to create an invoice, in each language. */
function samplesText(): string {
  const requests = examplesAt("").calls["POST /api/invoices"]?.requests ?? {};
  const [body = null] = Object.values(requests);
  const call = { method: "post", path: "/api/invoices", params: {}, query: {}, body, needsKey: true };
  return samplesOf("https://pay.example", call)
    .map(({ title, language, code }) => `\n${title}:\n\n\`\`\`${language} sample\n${code}\`\`\`\n`)
    .join("");
}

function commandTable(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [`\`till ${name}\``, summary]);
  return table(["Command", "What it does"], rows);
}

function variableTable(): string {
  const rows = settingNames.map((name) => {
    const isOfDesk = pageOf(name) !== null;
    return [`\`TILL_${name}\`${isOfDesk ? " ◆" : ""}`, defaultOf(name), settings[name].meaning];
  });
  return table(["Variable", "Default", "Meaning"], rows);
}

function entryTable(): string {
  const rows = Object.entries(logEvents).map(([name, { level, meaning }]) => [`\`${name}\``, level, meaning]);
  return table(["Event", "Level", "Meaning"], rows);
}

function fieldTable(): string {
  return table(
    ["Field", "Meaning"],
    Object.entries(logFields).map(([name, meaning]) => [`\`${name}\``, meaning]),
  );
}

function callTable(): string {
  const rows = operations.map((operation) => [
    `\`${operation.method.toUpperCase()} ${operation.path}\``,
    operation.scope === "open" ? "no" : `\`${operation.scope}\``,
    `${operation.summary}${queryOf(operation)}`,
  ]);
  return table(["Call", "Key", "What it does"], rows);
}

function asksWhen(tool: Tool): string {
  if (tool.asks === undefined) return "";
  return asksAlways(tool) ? "always" : "if it mails, or names a wallet";
}

function toolTable(): string {
  const rows = operations.flatMap(({ tool, scope, method, path }) => {
    if (tool === undefined) return [];
    const key = scope === "open" ? "read" : scope;
    return [[`\`${tool.name}\``, `\`${key}\``, asksWhen(tool), `\`${method.toUpperCase()} ${path}\``]];
  });
  return table(["Tool", "Key", "Asks a person", "The call"], rows);
}

function queryOf({ query }: Operation): string {
  const names = Object.keys(query?.properties ?? {});
  return names.length === 0 ? "" : `; \`?${names.map((name) => `${name}=`).join("&")}\``;
}

if (import.meta.main) {
  for (const page of Object.keys(tables)) {
    const file = join(import.meta.dir, "..", page);
    await Bun.write(file, withTables(page, await Bun.file(file).text()));
  }
}
