import { describe, expect, test } from "bun:test";
import type { HttpDeps } from "../../src/http/deps.ts";
import { healthRoutes } from "../../src/http/routes/health.ts";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const hash = `0x${"ab".repeat(32)}`;

async function ready(isPublic: boolean) {
  const routes = healthRoutes({
    config: { isPublic } as HttpDeps["config"],
    problems: () => ["the node at https://node.example does not answer"],
    warnings: () => [
      `send at least 0.001 ETH to ${address}.`,
      `the confirmed payment ${hash} left the chain`,
    ],
  });
  const answer = await routes.handle(new Request("http://till.example/health/ready"));
  return {
    status: answer.status,
    body: (await answer.json()) as { reasons: string[]; warnings: string[] },
  };
}

describe("GET /health/ready", () => {
  test("says what is wrong, and who is meant, to who runs it on this machine", async () => {
    const { status, body } = await ready(false);
    expect(status).toBe(503);
    expect(body.reasons).toEqual(["the node at https://node.example does not answer"]);
    expect(body.warnings.join(" ")).toContain(address);
  });

  test("of a public Till does not give away the accounts by which a merchant's payments can be found", async () => {
    const { body } = await ready(true);
    expect(body.warnings).toEqual([
      "send at least 0.001 ETH to 0x….",
      "the confirmed payment 0x… left the chain",
    ]);
  });
});
