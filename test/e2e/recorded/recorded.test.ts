import { expect, test } from "bun:test";
import { join } from "node:path";
import { record } from "./scenario.ts";

/** Made with version 0.1.0 as it was before there were events. It stays: what it holds is promised to every caller. */
const recorded = Bun.file(join(import.meta.dir, "record.txt"));

/** What answers and pages say since then: where a program pays, and what is usually wrong. No webhook has it. */
const field = /,"x402_url":"<base>\/x402\/<slug-\d+>"/g;
/** The days of the requests are over. */
const warnings = /,"warnings":\[[^\]]*\]/g;
const header = /^link: <<base>\/x402\/<slug-\d+>>; rel="payment"\n/gm;

test("requests of the contract are answered, and webhooks sent, byte by byte as ever", async () => {
  const now = await record();
  const added = [field, header, warnings];
  expect(added.map((each) => now.match(each)?.length ?? 0)).toEqual([19, 2, 2]);
  const asBefore = now.replace(field, "").replace(header, "").replace(warnings, "");
  expect(asBefore.split("\n")).toEqual((await recorded.text()).split("\n"));
});
