import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";

/** The official client, in each age of the protocol. */
export const ages = ["2025-11-25", "2026-07-28"] as const;
export type Age = (typeof ages)[number];

export type Asked = { message: string; requestedSchema?: unknown };
export type Said = { action: "accept" | "decline" | "cancel"; content?: Record<string, boolean> };
export const yes: Said = { action: "accept", content: { confirm: true } };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Result = { isError?: boolean; structuredContent?: any; text: string };

export type Agent = {
  client: Client;
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Result>;
  /** What it was asked, in order. */
  asked: Asked[];
};

/** Without `say` it is a client that shows no questions. */
export async function connect(
  transport: Transport,
  age: Age,
  say?: (asked: Asked) => Said | Promise<Said>,
): Promise<Agent> {
  const asked: Asked[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: say ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: age === "2026-07-28" ? { pin: age } : "legacy" },
    },
  );
  if (say)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params as Asked);
      return say(params as Asked);
    });
  await client.connect(transport);
  return {
    client,
    asked,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const { content, ...result } = await client.callTool({ name, arguments: args });
      const [first] = content as { type: string; text: string }[];
      return { ...(result as object), text: first?.text ?? "" } as Result;
    },
  };
}

export const bearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` };

export const overHttp = (url: string, key: string | null) =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: bearer(key) } });
