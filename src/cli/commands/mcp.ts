import { createInterface } from "node:readline";
import { type Client, createClient, NoAnswer } from "../api/client.ts";
import { command } from "../command.ts";
import { print, sayAside } from "../terminal/output.ts";

/** Placeholder for a key in --print-config. */
const noKey = "(--with-key writes it here)";

/** Longer than Till waits for a person. Every few seconds it reports that it is still waiting. */
const answerTimeoutMs = 360_000;

export const mcp = command({
  calls: ["", "--print-config [--with-key]"],
  flags: {
    "print-config": {
      text: "print the configuration of Claude Desktop, Claude Code, Cursor and VS Code as JSON",
    },
    "with-key": { text: "write TILL_API_KEY itself into it, not its name: keep it to yourself then" },
  },
  about: `For agents on this machine that speak the Model Context Protocol to a program. It passes on what they say to the Till at TILL_BASE_URL, with TILL_API_KEY. Others speak to TILL_BASE_URL/mcp themselves.

An agent may do what its key may do: give it one of the scope read or shop, of one merchant if that is enough. No tool moves money.`,
  examples: ["till key create --name agent --scope read", "till mcp --print-config"],

  async run(values) {
    const isLeft = process.env["TILL_API_KEY"]?.trim() === noKey;
    const client = createClient({ ...process.env, ...(isLeft && { TILL_API_KEY: "" }) });
    if (values["print-config"]) {
      print(JSON.stringify(configurations(client.baseUrl, values["with-key"]), null, 2));
      return 0;
    }
    const hint = isLeft ? ` TILL_API_KEY is still "${noKey}": write a key there.` : "";
    const forward = createBridge(client, print, hint);
    const running = new Set<Promise<void>>();
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === "") continue;
      const done = forward(line).finally(() => running.delete(done));
      running.add(done);
    }
    await Promise.all(running);
    return 0;
  },
});

type Message = {
  id?: string | number;
  method?: string;
  params?: { name?: string; uri?: string; requestId?: string | number; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: string };
};

const isCall = (message: Message): message is Message & { id: string | number } =>
  message.id !== undefined && message.method !== undefined;

function messageIn(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" ? message : null;
  } catch {
    return null;
  }
}

/** Encodes a text for a header. */
const inHeader = (text: string) =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** Sends each line as a request, and writes each message of the response as a line. */
function createBridge(client: Client, say: (line: string) => void, hint: string) {
  let session: string | null = null;
  /** The version agreed at the start of a connection, in the older form of the protocol; null without one. */
  let agreedVersion: string | null = null;
  const open = new Map<string | number, AbortController>();

  function headersOf({ method, params }: Message): Record<string, string> {
    const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"] ?? agreedVersion;
    const named = params?.name ?? params?.uri;
    return {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(typeof version === "string" && { "mcp-protocol-version": inHeader(version) }),
      ...(session !== null && { "mcp-session-id": session }),
      ...(method !== undefined && { "mcp-method": inHeader(method) }),
      ...(typeof named === "string" && { "mcp-name": inHeader(named) }),
    };
  }

  function fail({ id, method }: Message, message: string): void {
    if (id === undefined || method === undefined) sayAside(`till mcp: ${message}`);
    else say(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message } }));
  }

  async function pass(incoming: Message, answer: Response): Promise<void> {
    session = answer.headers.get("mcp-session-id") ?? session;
    const type = answer.headers.get("content-type") ?? "";
    let isAnswered = !isCall(incoming);
    const tell = (text: string) => {
      const message = JSON.parse(text) as Message;
      isAnswered ||= message.method === undefined && message.id === incoming.id;
      if (incoming.method === "initialize") agreedVersion = message.result?.protocolVersion ?? agreedVersion;
      say(JSON.stringify(message));
    };
    if (type.startsWith("text/event-stream")) {
      let rest = "";
      for await (const text of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
        const lines = `${rest}${text}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith("data: {")) tell(line.slice("data: ".length));
      }
    } else if (type.includes("json")) {
      const text = await answer.text();
      const { jsonrpc, detail } = JSON.parse(text) as { jsonrpc?: string; detail?: string };
      if (jsonrpc === undefined) return fail(incoming, `${detail ?? "This is not Till."}${hint}`);
      tell(text);
    }
    if (!isAnswered) fail(incoming, `${client.baseUrl} answered ${answer.status} without a message.`);
  }

  return async (line: string): Promise<void> => {
    const incoming = messageIn(line);
    if (incoming === null) return sayAside("till mcp: a line is no message, which must be a JSON object.");
    // Without such a connection, a call is cancelled by hanging up.
    if (incoming.method === "notifications/cancelled" && agreedVersion === null)
      return open.get(incoming.params?.requestId ?? "")?.abort();
    const hangUp = new AbortController();
    if (isCall(incoming)) open.set(incoming.id, hangUp);
    const request = { method: "POST", headers: headersOf(incoming), body: line, signal: hangUp.signal };
    try {
      await client.send("/mcp", request, answerTimeoutMs, (answer) => pass(incoming, answer));
    } catch (thrown) {
      if (!(thrown instanceof NoAnswer)) throw thrown;
      if (!hangUp.signal.aborted) fail(incoming, thrown.message);
    } finally {
      if (isCall(incoming)) open.delete(incoming.id);
    }
  };
}

/** The configuration for each program's file. Those that can talk to Till do so directly. */
function configurations(baseUrl: string, withKey: boolean): Record<string, object> {
  const known = (withKey && process.env["TILL_API_KEY"]?.trim()) || undefined;
  const url = `${baseUrl}/mcp`;
  const headers = (name: string) => ({ Authorization: `Bearer ${known ?? `\${${name}}`}` });
  // The executable needs no separate source file.
  const source = import.meta.dir.startsWith("/$bunfs") ? [] : [Bun.main];
  const env = { TILL_BASE_URL: baseUrl, TILL_API_KEY: known ?? noKey };
  const input = { type: "promptString", id: "till-api-key", description: "API key of Till", password: true };
  return {
    "Claude Desktop, claude_desktop_config.json": {
      mcpServers: { till: { command: process.execPath, args: [...source, "mcp"], env } },
    },
    "Claude Code, .mcp.json": {
      mcpServers: { till: { type: "http", url, headers: headers("TILL_API_KEY") } },
    },
    "Cursor, .cursor/mcp.json": { mcpServers: { till: { url, headers: headers("env:TILL_API_KEY") } } },
    "VS Code, .vscode/mcp.json": {
      servers: { till: { type: "http", url, headers: headers("input:till-api-key") } },
      inputs: known ? [] : [input],
    },
  };
}
