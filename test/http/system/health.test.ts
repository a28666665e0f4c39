import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as HealthPass from "../../../src/doctor/health-pass.ts";
import { inPublic, type Topic, warning, wrong } from "../../../src/domain/finding.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import type { AppDeps } from "../../../src/http/route/app-deps.ts";
import { serve } from "../../../src/http/route/route.ts";
import { healthRoutes } from "../../../src/http/system/health.ts";
import { createVault } from "../../../src/lib/crypto.ts";
import { db, makeDatabase, removeDatabase } from "../../support/till/database.ts";
import { startTestTill, type TestTill, until } from "../../support/till/till.ts";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const nodeWords =
  "The node at node.example:8545 refused eth_getLogs: see HTTPS://NODE.example/%41bc (code 7)";

const vault = createVault(Buffer.alloc(32, 1));

beforeAll(makeDatabase);
afterAll(removeDatabase);

const problems = [wrong("chain", nodeWords), wrong("chain", "the chain was last read 90 s ago")];
const warnings = () => [warning("settlement", `send at least 0.001 ETH to ${address}`)];

async function ready(isPublic: boolean, key?: string, deps = { problems: () => problems, warnings }) {
  const routes = serve(healthRoutes, {
    config: { isPublic },
    db,
    now: Date.now,
    relayer: () => null,
    vault: async () => vault,
    ...deps,
  } as AppDeps);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await routes.handle(new Request("http://till.example/health/ready", { headers }));
  return {
    status: answer.status,
    body: (await answer.json()) as { status: string; reasons: string[]; warnings?: string[] },
  };
}

test("a node that has never answered is not called well, nor up to date at the desk", async () => {
  const silent = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: () => new Promise<Response>(() => {}),
  });
  const railOf = async ({ baseUrl }: TestTill) =>
    /<p class="watch [^>]*>([^<]*)</.exec(await (await fetch(`${baseUrl}/desk/settings/health`)).text())?.[1];
  for (const [rpcUrl, reason, said] of [
    [silent.url.href, "no node has answered yet", "Starting"],
    ["http://127.0.0.1:9", "ECONNREFUSED", "Payments show up late"],
  ] as const) {
    const till = await startTestTill({ rpcUrl });
    await until(
      async () => (await till.api("GET", "/health/ready")).body.reasons?.join() ?? "",
      (reasons) => reasons.includes(reason),
    );
    expect(await railOf(till)).toBe(said);
    await till.stop();
  }
  await silent.stop(true);
});

describe("GET /health/ready", () => {
  test("says everything to who runs it on this machine, and to who has a key or the wallet", async () => {
    const { key } = createApiKey(db, "ours", Date.now());
    const pass = HealthPass.issue(vault, Date.now());
    for (const answer of [await ready(false), await ready(true, key), await ready(true, pass)]) {
      expect(answer.status).toBe(503);
      expect(answer.body.reasons).toEqual([nodeWords, "the chain was last read 90 s ago"]);
      expect(answer.body.warnings?.join()).toContain(address);
    }
  });

  test.each(["storage", "check"] satisfies Topic[])(
    "asks for no warnings with a problem of %s",
    async (about) => {
      const unreadable = () => {
        throw new Error("database disk image is malformed");
      };
      const answer = await ready(false, undefined, {
        problems: () => [wrong(about, "it")],
        warnings: unreadable,
      });
      expect(answer).toEqual({ status: 503, body: { status: "not ready", reasons: ["it"] } });
    },
  );

  test("of a public Till tells everybody what is concerned, in its own words", async () => {
    const late = HealthPass.issue(vault, Date.now() - 61_000);
    const foreign = HealthPass.issue(createVault(Buffer.alloc(32, 2)), Date.now());
    for (const key of [undefined, `till_${"A".repeat(43)}`, late, foreign]) {
      const { status, body } = await ready(true, key);
      expect(status).toBe(503);
      expect(body.reasons).toEqual(["the chain cannot be read just now, so payments show late"]);
      expect(body.warnings).toEqual(["settlement waits, or could not move the money of a deposit"]);
    }
  });

  test.each(["storage", "chain", "payments", "flood", "settlement", "mail"] satisfies Topic[])(
    "names nobody in what it says of %s",
    (about) => {
      expect(JSON.stringify(inPublic([warning(about, nodeWords), warning(about, address)]))).not.toMatch(
        /0x|node|example|http/i,
      );
    },
  );
});
