import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { mainCalls } from "../../../src/http/docs/docs.ts";
import { examplesAt } from "../../../src/http/docs/examples.ts";
import { nameOf, operations } from "../../../src/http/docs/openapi.ts";
import { samplesOf } from "../../../src/http/docs/samples.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { project } from "../../support/till/handbook.ts";
import { invoiceRequest, linkRequest, startTestTill } from "../../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
let key: string;
const dir = makeDataDir();

beforeAll(async () => {
  // The package as it is built is tested in test/clients/: here is what it is built from.
  const client = join(dir.path, "node_modules/till-client");
  mkdirSync(client, { recursive: true });
  writeFileSync(join(client, "package.json"), '{ "type": "module", "exports": "./client.ts" }');
  const source = join(project, "clients/typescript/src/index.ts");
  writeFileSync(join(client, "client.ts"), `export * from ${JSON.stringify(source)};\n`);
  ({ key } = createApiKey(till.db, "samples", Date.now()));
});
afterAll(async () => {
  dir.remove();
});

/** Runs files one after the other in one process of a language, with a line of dashes after each. */
const runners = {
  ts: (files: string[]) => [
    process.execPath,
    "--eval",
    files.map((file) => `await import(${JSON.stringify(file)}); console.log("-----");`).join("\n"),
  ],
  python: (files: string[]) => [
    "python3",
    "-c",
    `import runpy\nfor file in ${JSON.stringify(files)}:\n    runpy.run_path(file)\n    print("-----", flush=True)`,
  ],
  php: (files: string[]) => [
    "php",
    "-r",
    `foreach (${JSON.stringify(files)} as $file) { (function () use ($file) { include $file; })(); echo "-----\\n"; }`,
  ],
};

test.each(["ts", "python", "php"] as const)(
  "the main calls run as they are shown, in %s",
  async (language) => {
    const { calls } = examplesAt(till.baseUrl);
    const withKey = { authorization: `Bearer ${key}` };
    const shownCalls = operations.filter(({ method, path }) => mainCalls.includes(`${method} ${path}`));
    expect(shownCalls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...mainCalls].sort());
    const files: string[] = [];
    for (const operation of shownCalls) {
      const { method, path, scope } = operation;
      const { params = {}, query = {}, requests = {} } = calls[nameOf(operation)] ?? {};
      const [body = null] = Object.values(requests);
      const { body: link } = await till.api("POST", "/api/links", linkRequest, withKey);
      const draft = { ...invoiceRequest, send_now: false };
      const { body: invoice } = await till.api("POST", "/api/invoices", draft, withKey);
      const live = { id: invoice.invoice_id, slug: link.slug };
      const shown = {
        ...params,
        ...Object.fromEntries(Object.keys(params).map((name) => [name, live[name as "id"]])),
      };
      const asked = Object.keys(query).length === 0 ? {} : { limit: "20" };
      const call = { method, path, params: shown, query: asked, body, needsKey: scope !== "open" };
      const sample = samplesOf(till.baseUrl, call).find((each) => each.language === language);
      const file = join(dir.path, `sample-${files.length}.${language}`);
      writeFileSync(file, sample?.code ?? "");
      files.push(file);
    }
    const ran = Bun.spawn(runners[language](files), {
      cwd: dir.path,
      env: { ...process.env, TILL_API_KEY: key },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [said, failed] = await Promise.all([
      new Response(ran.stdout).text(),
      new Response(ran.stderr).text(),
    ]);
    expect([await ran.exited, failed]).toEqual([0, ""]);
    const answers = said.split("-----\n").slice(0, -1);
    expect(answers).toHaveLength(files.length);
    for (const [at, answer] of answers.entries()) {
      expect([shownCalls[at]?.path, answer]).toEqual([
        shownCalls[at]?.path,
        expect.stringMatching(/invoice_number|payment_link|received_amount/),
      ]);
      expect(answer).not.toContain("errors");
    }
  },
);

test("/llms.txt links every call to where it is described", async () => {
  const answer = await fetch(`${till.localUrl}/llms.txt`);
  expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const text = await answer.text();
  expect(text).toStartWith("# Till\n\n> ");
  const page = await (await fetch(`${till.localUrl}/docs`)).text();
  const links = [...text.matchAll(/\((\S+)\/docs#(\S+)\)/g)];
  expect(links).toHaveLength(operations.length);
  for (const [, base, anchor] of links) {
    expect(base).toBe(till.baseUrl);
    expect(page).toContain(`id="${anchor}"`);
  }
});
