import { describe, expect, test } from "bun:test";
import { startTestChain } from "../support/chain.ts";
import { startTestTill, until } from "../support/till.ts";

describe("GET /metrics", () => {
  test("counts what there is and every call to the node, as Prometheus reads it", async () => {
    const chain = await startTestChain();
    const till = await startTestTill(chain);
    try {
      await till.createInvoice();
      const read = async () => (await till.api("GET", "/metrics")).body as string;
      const text = await until(read, (body) =>
        body.includes('till_rpc_requests_total{method="eth_getLogs"}'),
      );
      expect(text).toContain('till_invoices{status="draft"} 1\n');
      expect(text).toContain("till_ready 1\n");
      expect(text).toMatch(/till_rpc_requests_total\{method="eth_chainId"\} [1-9]/);
      const lines = text.trimEnd().split("\n");
      const form = /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? \d+(\.\d+)?)$/;
      expect(lines.filter((line) => !form.test(line))).toEqual([]);
    } finally {
      await till.stop();
      await chain.stop();
    }
  });
});
