/** A call as code, in the languages that most shops are written in. All values come from the call's examples. */

export type Call = {
  method: string;
  /** As in the API: `/api/invoices/{id}`. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: object | null;
  needsKey: boolean;
};

type Sample = { title: string; language: "ts" | "python" | "php"; code: string };

export function samplesOf(baseUrl: string, call: Call): Sample[] {
  return [
    { title: "TypeScript", language: "ts", code: typescript(baseUrl, call) },
    { title: "Python", language: "python", code: python(baseUrl, call) },
    { title: "PHP", language: "php", code: php(baseUrl, call) },
  ];
}

const isFilled = (values: object) => Object.keys(values).length > 0;

function urlOf(baseUrl: string, { path, params, query }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? "");
  return `${baseUrl}${filled}${isFilled(query) ? `?${new URLSearchParams(query)}` : ""}`;
}

const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

/** With the client in clients/typescript. */
function typescript(baseUrl: string, { method, path, params, query, body, needsKey }: Call): string {
  const parts = Object.entries({ path: params, query, ...(body === null ? {} : { body }) }).filter(
    ([, part]) => isFilled(part),
  );
  // Names without quotes, as people write them.
  const literal = (part: object) => JSON.stringify(part, null, 2).replaceAll(/^( *)"(\w+)":/gm, "$1$2:");
  const asked = parts.map(([name, part]) => `  ${name}: ${indented(literal(part), "  ")},\n`).join("");
  const key = needsKey ? ", apiKey: process.env.TILL_API_KEY" : "";
  return `import { createTill } from "till-client";

const till = createTill({ baseUrl: ${JSON.stringify(baseUrl)}${key} });
const answer = await till.${method}(${JSON.stringify(path)}${asked === "" ? "" : `, {\n${asked}}`});
console.log(answer);
`;
}

function python(baseUrl: string, call: Call): string {
  const { method, body, needsKey } = call;
  const headers = [
    ...(needsKey ? [`        "Authorization": "Bearer " + os.environ["TILL_API_KEY"],\n`] : []),
    ...(body === null ? [] : [`        "Content-Type": "application/json",\n`]),
  ];
  const data = body === null ? "" : `    data=json.dumps(${indented(pythonOf(body), "    ")}).encode(),\n`;
  return `import json
${needsKey ? "import os\n" : ""}import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(urlOf(baseUrl, call))},
    method="${method.toUpperCase()}",
${headers.length === 0 ? "" : `    headers={\n${headers.join("")}    },\n`}${data})
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))
`;
}

function php(baseUrl: string, call: Call): string {
  const { method, body, needsKey } = call;
  const headers = [
    ...(needsKey ? [`"Authorization: Bearer " . getenv("TILL_API_KEY")`] : []),
    ...(body === null ? [] : [`"Content-Type: application/json"`]),
  ];
  const content = body === null ? "" : `    "content" => json_encode(${indented(phpOf(body), "    ")}),\n`;
  return `<?php
$context = stream_context_create(["http" => [
    "method" => "${method.toUpperCase()}",
    "header" => [${headers.join(", ")}],
    "ignore_errors" => true,
${content}]]);
$answer = file_get_contents(${phpText(urlOf(baseUrl, call))}, false, $context);
print_r(json_decode($answer, true));
`;
}

const words: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** Python's literals are JSON except for three words, which no example has as a text on its own line. */
const pythonOf = (value: object): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /: (true|false|null)(,?)$/gm,
    (_, word, comma) => `: ${words[word]}${comma}`,
  );

function phpOf(value: unknown, indent = ""): string {
  if (typeof value === "string") return phpText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}    `;
  const entries = Array.isArray(value)
    ? value.map((each) => phpOf(each, inner))
    : Object.entries(value).map(([name, each]) => `${phpText(name)} => ${phpOf(each, inner)}`);
  return entries.length === 0
    ? "[]"
    : `[\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}]`;
}

/** PHP expands variables in a text in double quotes. */
const phpText = (text: string) => JSON.stringify(text).replaceAll("$", "\\$").replaceAll("\\/", "/");
