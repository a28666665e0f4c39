import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { shared } from "../support/per-file.ts";
import { makeDataDir, passphrase } from "../support/till/data-dir.ts";
import { runTill } from "../support/till/run-till.ts";
import { linkRequest, startTestTill } from "../support/till/till.ts";

/** A disk without room: it takes no byte. */
const full = { stdoutFile: "/dev/full" };

const dir = makeDataDir();

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
afterAll(async () => {
  dir.remove();
});

describe("what is shown once and cannot be written", () => {
  test("is no key: it is revoked at once", async () => {
    const env = { TILL_DATA_DIR: join(dir.path, "keys") };
    const made = await runTill(["key", "create"], { env, ...full });
    expect(made).toMatchObject({ exitCode: 1 });
    expect(made.stderr).toContain("cannot be written to standard output: ENOSPC");
    expect(made.stderr).not.toContain("Keep it");
    const [key] = JSON.parse((await runTill(["key", "list", "--json"], { env })).stdout);
    expect(key.revoked_at).not.toBeNull();
  });

  test("are no words of a wallet that somebody believes to have", async () => {
    const env = { TILL_DATA_DIR: till.config.dataDir, TILL_WALLET_PASSPHRASE: passphrase };
    expect((await runTill(["wallet", "backup", "--yes"], { env })).stdout.trim().split(" ")).toHaveLength(12);
    const shown = await runTill(["wallet", "backup", "--yes"], { env, ...full });
    expect(shown).toMatchObject({ exitCode: 1 });
    expect(shown.stderr).toContain("cannot be written");
  });

  test("is the secret of a webhook: the same call with the key that is named brings it again", async () => {
    const env = { TILL_BASE_URL: till.baseUrl };
    const request = JSON.stringify({ ...linkRequest, webhook_url: "https://shop.example/hook" });
    const lost = await runTill(["link", "--json", "-"], { env, stdin: request, ...full });
    expect(lost.exitCode).toBe(1);
    const [, key = ""] = /repeat it with --idempotency-key (\S+)/.exec(lost.stderr) ?? [];
    const again = await runTill(["link", "--json", "-", "--idempotency-key", key], { env, stdin: request });
    expect(again.exitCode).toBe(0);
    const { slug, webhook_secret } = JSON.parse(again.stdout);
    expect(webhook_secret).toStartWith("whsec_");
    const { data } = (await till.api("GET", "/api/links")).body;
    expect(data.map((link: { slug: string }) => link.slug)).toEqual([slug]);
  });
});
