import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { shared } from "../../support/per-file.ts";
import { blocks, project } from "../../support/till/handbook.ts";
import { startTestTill } from "../../support/till/till.ts";

/** Within the project, so that it finds the client's library. */
const dir = join(project, "test/output/client");

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

beforeAll(async () => {
  mkdirSync(dir, { recursive: true });
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
});

const run = async (...command: string[]) => {
  const env = { ...process.env, TILL_BASE_URL: till.baseUrl, TILL_API_KEY: "" };
  const child = Bun.spawn(command, { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, faults] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, faults };
};

test("the handbook's client compiles strictly against the generated types, and does its job", async () => {
  const [job = "", ...more] = blocks("typescript");
  expect(more).toEqual([]);
  const document = await (await fetch(`${till.baseUrl}/openapi.json`)).text();
  writeFileSync(join(dir, "till.ts"), astToString(await openapiTS(document)));
  writeFileSync(join(dir, "job.ts"), job);
  // What is not so must not compile.
  writeFileSync(
    join(dir, "wrong.ts"),
    job.replace('status: "draft"', 'status: "open"').replace("made.invoice_id", "made.id"),
  );
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: "ESNext",
    module: "Preserve",
    moduleDetection: "force",
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["bun"],
  };
  const files = ["job.ts", "wrong.ts"];
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
  const compiled = await run(
    process.execPath,
    join(project, "node_modules/typescript-native/bin/tsc"),
    "-p",
    dir,
    "--pretty",
    "false",
  );
  expect([compiled.code, compiled.faults]).toEqual([1, ""]);
  const errors = compiled.out.match(/^\S+\(\d+.*: error/gm) ?? [];
  expect(errors.map((line) => line.replace(/^.*?(\w+\.ts)\(.*/, "$1"))).toEqual(["wrong.ts", "wrong.ts"]);

  const { out, faults } = await run(process.execPath, join(dir, "job.ts"));
  expect(faults).toBe("");
  expect(out.split("\n").slice(0, 3)).toEqual(["draft 1500.00", "INV-0001", "pending 25.00"]);
});
