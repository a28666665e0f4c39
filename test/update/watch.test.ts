import { afterAll, beforeAll, expect, test } from "bun:test";
import { version } from "../../src/config/version.ts";
import { inPublic, warning } from "../../src/domain/finding.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";
import { makeStand, releaseOf, type Stand } from "./stand.ts";

let stand: Stand;
let files: Record<string, string | Buffer> = {};
let asked = 0;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    asked += 1;
    const file = files[new URL(request.url).pathname.split("/").at(-1) ?? ""];
    return file === undefined ? new Response("", { status: 404 }) : new Response(file);
  },
});
beforeAll(() => {
  stand = makeStand();
});
afterAll(async () => {
  stand.remove();
  await server.stop(true);
});

const publish = (newest: string, safeFrom: string) => {
  files = releaseOf(stand.signer, { version: newest, safeFrom, executable: "" });
};
const noNode = { rpcUrl: "http://127.0.0.1:9" };
const releases = () => stand.wish({ from: null, releases: `${server.url.origin}/releases` });
const title = "A security update of Till is out";
const sentence = `Till ${version} has a security hole that is known; 900.1.0 does not; run till update`;

/** What a Till with this setting says, once it has asked, or when there was time for it. */
async function saidBy(setting: string, isTold: (till: TestTill, warnings: string[]) => boolean) {
  asked = 0;
  const till = await startTestTill(noNode, { TILL_UPDATE_CHECK: setting }, { releases });
  try {
    await till.createInvoice();
    const warnings = await until(
      async (): Promise<string[]> => (await till.api("GET", "/health/ready")).body.warnings ?? [],
      (found) => isTold(till, found),
    );
    const home = (await till.api("GET", "/desk")).body as string;
    return { warnings, home, logged: till.logged.join("\n") };
  } finally {
    await till.stop();
  }
}

test("TILL_UPDATE_CHECK has Till say when a release fixes a security hole of this one, and only then", async () => {
  publish("900.1.0", "900.0.0");
  const urgent = await saidBy("true", (_, warnings) => warnings.includes(sentence));
  expect(urgent.home).toContain(title);
  publish("900.1.0", "0.0.1");
  const plain = await saidBy("true", () => asked === 2);
  expect(plain.warnings.join()).not.toContain("900.1.0");
  expect(plain.home).not.toContain(title);
});

test("without it, nobody is asked", async () => {
  publish("900.1.0", "900.0.0");
  const { warnings, home } = await saidBy("false", () => true);
  expect([asked, warnings.join().includes("900"), home.includes(title)]).toEqual([0, false, false]);
});

test("a place that does not answer is told of in the log alone", async () => {
  files = {};
  const { warnings, logged } = await saidBy("true", (till) =>
    till.logged.some((line) => line.includes("[update.unknown]")),
  );
  expect(logged).toContain("[update.unknown]");
  expect(logged).toContain("There is no release at 127.0.0.1");
  expect(warnings.join()).not.toContain("release");
});

test("the public does not hear of a hole", () => {
  expect(inPublic([warning("update", sentence), warning("clock", "late")])).toEqual([
    "the clock of this machine may be wrong",
  ]);
});
