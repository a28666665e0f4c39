import { expect, test } from "bun:test";
import { join } from "node:path";
import { record } from "./scenario.ts";

/** Made with version 0.1.0 as it was before there were events. It stays: what it holds is promised to every caller. */
const recorded = Bun.file(join(import.meta.dir, "record.txt"));

test("requests of the contract are answered, and webhooks sent, byte by byte as ever", async () => {
  expect((await record()).split("\n")).toEqual((await recorded.text()).split("\n"));
});
