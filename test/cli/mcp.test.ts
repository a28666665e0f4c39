import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createApiKey } from "../../src/http/access/api-key.ts";
import { ages, connect, yes } from "../support/mcp/agent.ts";
import { shared } from "../support/per-file.ts";
import { endProcesses, environment, program, startProcess } from "../support/till/process.ts";
import { invoiceRequest, startTestTill } from "../support/till/till.ts";

// Before Till ends.
afterAll(endProcesses);
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
let key: string;
beforeAll(async () => {
  key = createApiKey(till.db, "agent", Date.now(), { scope: "shop" }).key;
});

const [file = "", ...before] = program;
const overStdio = (changes: Record<string, string> = {}) =>
  new StdioClientTransport({
    command: file,
    args: [...before, "mcp"],
    env: { ...environment, TILL_BASE_URL: till.baseUrl, TILL_API_KEY: key, ...changes },
    stderr: "ignore",
  });

describe.each([...ages])("till mcp, in the age of %s", (age) => {
  test("passes on tools, questions and their answers", async () => {
    const agent = await connect(overStdio(), age, () => yes);
    expect(await agent.tools()).toContain("void_invoice");
    const { structuredContent: made } = await agent.call("create_invoice", invoiceRequest);
    const [seen, voided] = await Promise.all([
      agent.call("get_invoice", { id: made.invoice_id }),
      agent.call("void_invoice", { id: made.invoice_id, reason: "Zweimal – ungültig" }),
    ]);
    expect(seen.structuredContent.id).toBe(made.invoice_id);
    expect([voided.structuredContent.status, agent.asked.length]).toEqual(["void", 1]);
    const { contents } = await agent.client.readResource({ uri: `till://invoices/${made.invoice_id}` });
    expect((contents[0] as { text: string }).text).toContain('"status":"void"');
    await agent.client.close();
  });
});

test("says why Till takes no message", async () => {
  await expect(connect(overStdio({ TILL_API_KEY: `till_${"x".repeat(43)}` }), "2025-11-25")).rejects.toThrow(
    "unknown",
  );
  await expect(connect(overStdio({ TILL_BASE_URL: "http://127.0.0.1:9" }), "2025-11-25")).rejects.toThrow(
    "no Till answers",
  );
});

test("answers every call, whatever it is that answers there, and goes on after what is no message", async () => {
  const answers = ["<html>", "{}", "data: {", ""];
  const types = ["text/html", "application/json", "text/event-stream", "text/event-stream"];
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { id } = (await request.json()) as { id: number };
      return new Response(answers[id], { headers: { "content-type": types[id] ?? "" } });
    },
  });
  const child = Bun.spawn([...program, "mcp"], {
    env: { ...environment, TILL_BASE_URL: proxy.url.origin },
    stdio: [
      Buffer.from("null\n{\n[]\n".concat(...answers.map((_, id) => `{"id":${id},"method":"ping"}\n`))),
      "pipe",
      "ignore",
    ],
  });
  const said = (await new Response(child.stdout).text()).trim().split("\n");
  expect(
    said
      .map((line) => JSON.parse(line))
      .map(({ id, error }) => [id, error.code])
      .sort(),
  ).toEqual(answers.map((_, id) => [id, -32000]));
  expect(await child.exited).toBe(0);
  await proxy.stop();
});

test("--print-config has the key only when asked for it", async () => {
  const printed = async (...flags: string[]) => {
    const child = startProcess([...program, "mcp", "--print-config", ...flags], {
      env: { TILL_BASE_URL: till.baseUrl, TILL_API_KEY: key },
    });
    expect(await child.exited).toBe(0);
    return child.output();
  };
  const plain = await printed();
  expect(plain).not.toContain(key);
  const configurations = JSON.parse(plain);
  expect(configurations["Claude Code, .mcp.json"].mcpServers.till).toEqual({
    type: "http",
    url: `${till.baseUrl}/mcp`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what Claude Code fills in
    headers: { Authorization: "Bearer ${TILL_API_KEY}" },
  });
  const { command, args, env } = configurations["Claude Desktop, claude_desktop_config.json"].mcpServers.till;
  expect(JSON.parse(await printed("--with-key"))["VS Code, .vscode/mcp.json"].servers.till.headers).toEqual({
    Authorization: `Bearer ${key}`,
  });
  // It is what a file has that was printed without the key.
  const asPrinted = { command, args, env: { ...environment, ...env } } as const;
  await expect(
    connect(new StdioClientTransport({ ...asPrinted, stderr: "ignore" }), "2025-11-25"),
  ).rejects.toThrow('TILL_API_KEY is still "(--with-key writes it here)": write a key there.');
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...environment, ...env, TILL_API_KEY: key },
  });
  const agent = await connect(transport, "2025-11-25");
  expect(await agent.tools()).toContain("get_balance");
  await agent.client.close();
});
