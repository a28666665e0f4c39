import { afterAll, describe, expect, test } from "bun:test";
import { keyWarnings } from "../../src/doctor/database-findings.ts";
import { createApiKey, useApiKey } from "../../src/http/access/api-key.ts";
import { closeDatabase } from "../../src/store/database.ts";
import * as ApiKeyStore from "../../src/store/tables/installation/api-key.ts";
import { makeDataDir, openNewDatabase, passphrase } from "../support/till/data-dir.ts";
import { storeInvoice } from "../support/till/records.ts";
import { callTill } from "../support/till/run-till.ts";
import { startTestTill } from "../support/till/till.ts";

const dir = makeDataDir();
const db = openNewDatabase(dir.path);
afterAll(() => {
  closeDatabase(db);
  dir.remove();
});

const day = 86_400_000;
const end = Date.UTC(2026, 5, 30);

describe("a key that ends", () => {
  test("is told of a week before, and for a month after its last use if it was in use", () => {
    const { id, key } = createApiKey(db, "webshop", 0, { expiresAt: end });
    createApiKey(db, "never ends", 0);
    createApiKey(db, "never used", 0, { expiresAt: end - 60 * day });
    const told = (now: number) =>
      keyWarnings(db, now)
        .map(({ message }) => message)
        .filter((message) => message.includes("webshop"));
    expect([told(end - 7 * day - 1), told(end - 7 * day)]).toEqual([
      [],
      ["the API key webshop expires at 2026-06-30T00:00:00.000Z"],
    ]);
    expect(told(end)).toEqual([]);
    expect(useApiKey(db, key, end - 1)?.name).toBe("webshop");
    expect(useApiKey(db, key, end)).toBeNull();
    const over =
      "the API key webshop expired at 2026-06-30T00:00:00.000Z, and was last used at 2026-06-29T23:59:59.999Z";
    expect([told(end), told(end - 1 + 30 * day), told(end + 30 * day)]).toEqual([[over], [over], []]);
    // Nobody uses the one that nobody ever used.
    expect(keyWarnings(db, end)).toHaveLength(1);
    ApiKeyStore.revoke(db, id, end);
    expect(keyWarnings(db, end)).toEqual([]);
  });

  test("is told of by health, Home and the doctor, and to strangers without its name", async () => {
    const till = await startTestTill(
      { rpcUrl: "http://127.0.0.1:9" },
      { TILL_BASE_URL: "https://pay.example.com" },
    );
    try {
      storeInvoice(till.db);
      const { key } = createApiKey(till.db, "webshop", Date.now(), { expiresAt: Date.now() + day });
      const health = async (headers = {}): Promise<string[]> =>
        (await till.api("GET", "/health/ready", undefined, headers)).body.warnings ?? [];
      expect(await health({ authorization: `Bearer ${key}` })).toContainEqual(
        expect.stringMatching(/^the API key webshop expires at .*; make another one with till key create/),
      );
      const public_ = await health();
      expect(public_).toContain("an API key ends soon, or has ended");
      expect(public_.join()).not.toContain("webshop");
      const home = (await till.api("GET", "/desk")).body as string;
      expect(home).toContain("An API key expires soon");
      expect(home).toContain('href="/desk/settings/keys"');
      const { stdout } = await callTill(["doctor", "--json"], {
        env: {
          TILL_CHAIN: "anvil",
          TILL_RPC_URL: "http://127.0.0.1:9",
          TILL_DATA_DIR: till.config.dataDir,
          TILL_WALLET_PASSPHRASE: passphrase,
        },
      });
      expect(JSON.parse(stdout).findings).toContainEqual(
        expect.objectContaining({
          check: "keys",
          level: "warning",
          message: expect.stringMatching(/^The API key webshop expires at .*\.$/),
        }),
      );
    } finally {
      await till.stop();
    }
  });
});
