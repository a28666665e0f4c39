import { expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { bearer } from "../../support/mcp/agent.ts";
import { shared } from "../../support/per-file.ts";
import { startTestTill } from "../../support/till/till.ts";

/** The official client before its second version, which most agents have. */

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

test("lists tools, calls one, answers a question and reads a resource", async () => {
  const id = (await till.createInvoice())["invoice_id"];
  const { key } = createApiKey(till.db, "agent", Date.now(), { scope: "shop" });
  const client = new Client({ name: "old", version: "1" }, { capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { confirm: true } };
  });
  const url = new URL(`${till.localUrl}/mcp`);
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: bearer(key) } }) as Transport,
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("void_invoice");
  const seen = await client.callTool({ name: "get_invoice", arguments: { id } });
  expect(seen.structuredContent).toMatchObject({ id, status: "draft" });
  const voided = await client.callTool({ name: "void_invoice", arguments: { id, reason: "Twice" } });
  expect(voided.structuredContent).toMatchObject({ id, status: "void" });
  expect(asked).toEqual([expect.stringContaining("void an invoice, for good")]);
  const { contents } = await client.readResource({ uri: `till://invoices/${id}` });
  expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining('"status":"void"') })]);
  await client.close();
});
