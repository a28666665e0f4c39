import { expect, test } from "bun:test";
import { join } from "node:path";
import { record } from "./scenario.ts";

/** Made with version 0.1.0 as it was before there were events. It stays: what it holds is promised to every caller. */
const recorded = Bun.file(join(import.meta.dir, "record.txt"));

/** What answers and pages say since then: where a program pays. No webhook has it. */
const field = /,"x402_url":"<base>\/x402\/<slug-\d+>"/g;
const header = /^link: <<base>\/x402\/<slug-\d+>>; rel="payment"\n/gm;

test("requests of the contract are answered, and webhooks sent, byte by byte as ever", async () => {
  const now = await record();
  expect([field, header].map((added) => now.match(added)?.length ?? 0)).toEqual([19, 2]);
  const asBefore = now.replace(field, "").replace(header, "");
  expect(asBefore.split("\n")).toEqual((await recorded.text()).split("\n"));
});
