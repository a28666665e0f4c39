import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildClient } from "../../../scripts/client.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { mainCalls } from "../../../src/http/docs/docs.ts";
import { examplesAt } from "../../../src/http/docs/examples.ts";
import { nameOf, operations } from "../../../src/http/docs/openapi.ts";
import { samplesOf } from "../../../src/http/docs/samples.ts";
import { shared } from "../../support/per-file.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { invoiceRequest, linkRequest, startTestTill } from "../../support/till/till.ts";

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
let key: string;
const dir = makeDataDir();

beforeAll(async () => {
  await buildClient(join(dir.path, "node_modules/till-client"));
  ({ key } = createApiKey(till.db, "samples", Date.now()));
});
afterAll(async () => {
  dir.remove();
});

const programs = { ts: process.execPath, python: "python3", php: "php" };

test("the main calls run as they are shown, in every language", async () => {
  const { calls } = examplesAt(till.baseUrl);
  const withKey = { authorization: `Bearer ${key}` };
  const found: string[] = [];
  for (const operation of operations) {
    const { method, path, scope } = operation;
    if (!mainCalls.includes(`${method} ${path}`)) continue;
    const { params = {}, query = {}, requests = {} } = calls[nameOf(operation)] ?? {};
    const [body = null] = Object.values(requests);
    for (const language of ["ts", "python", "php"] as const) {
      const { body: link } = await till.api("POST", "/api/links", linkRequest, withKey);
      const { body: invoice } = await till.api(
        "POST",
        "/api/invoices",
        { ...invoiceRequest, send_now: false },
        withKey,
      );
      const live = { id: invoice.invoice_id, slug: link.slug };
      const shown = {
        ...params,
        ...Object.fromEntries(Object.keys(params).map((name) => [name, live[name as "id"]])),
      };
      const asked = Object.keys(query).length === 0 ? {} : { limit: "20" };
      const call = { method, path, params: shown, query: asked, body, needsKey: scope !== "open" };
      const sample = samplesOf(till.baseUrl, call).find((each) => each.language === language);
      const file = join(dir.path, `sample.${language}`);
      writeFileSync(file, sample?.code ?? "");
      const ran = Bun.spawn([programs[language], file], {
        cwd: dir.path,
        env: { ...process.env, TILL_API_KEY: key },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const said = (await new Response(ran.stdout).text()) + (await new Response(ran.stderr).text());
      await ran.exited;
      expect([
        language,
        path,
        ran.exitCode,
        /invoice_number|payment_link|received_amount/.test(said),
        said,
      ]).toEqual([language, path, 0, true, expect.not.stringContaining("errors")]);
    }
    found.push(`${method} ${path}`);
  }
  expect(found.sort()).toEqual([...mainCalls].sort());
});

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
