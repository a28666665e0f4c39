import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRpc, RpcUnreachable } from "../../../src/chain/node/rpc.ts";
import { createTransferReader, topicOf } from "../../../src/chain/transfer/transfer-log.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { usedMs } from "../../support/processor.ts";

let server: ReturnType<typeof Bun.serve>;
let sent = 0;

beforeAll(() => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            sent += 1;
            if (sent > 500) return controller.close();
            controller.enqueue(megabyte);
            await new Promise(setImmediate);
          },
        }),
      ),
  });
});
afterAll(() => server.stop(true));

describe("createRpc", () => {
  test("does not take an answer without an end into memory", async () => {
    const rpc = createRpc({ url: `http://127.0.0.1:${server.port}` });
    const failure = await rpc.request("eth_getLogs", []).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(RpcUnreachable);
    expect(failure).toMatchObject({ tooMuch: "surely" });
    expect(String(failure)).toContain("more than 16777216 bytes");
    expect(sent).toBeLessThan(200);
  });

  /** A server that sends `piece` again and again after the beginning of an answer, and how many it sent. */
  function startEndless(piece: string, maxPieces: number) {
    const bytes = new TextEncoder().encode(piece);
    const counted = { pieces: 0 };
    const endless = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0","result":')),
            async pull(controller) {
              counted.pieces += 1;
              if (counted.pieces > maxPieces) return controller.close();
              controller.enqueue(bytes);
              await new Promise(setImmediate);
            },
          }),
        ),
    });
    return { rpc: createRpc({ url: `http://127.0.0.1:${endless.port}` }), counted, endless };
  }

  const pieceBytes = 100_000;
  const fields = Array.from({ length: 10_000 }, (_, i) => `"${i}":${i},`).join("");
  test.each([
    ["lists in lists", "[".repeat(pieceBytes), "nested more than 16 deep"],
    ["an object of numbered fields", `{${fields}`, "an object of more than 128 fields"],
    ["a number without end", `${"7".repeat(pieceBytes)},`, "a number of more than 128 characters"],
  ])("reads little of what nobody would answer: %s", async (_, piece, reason) => {
    const { rpc, counted, endless } = startEndless(piece, 200);
    try {
      const failure = await rpc.request("eth_getLogs", []).catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(RpcUnreachable);
      expect(String(failure)).toContain(reason);
      // What was on its way when the connection was ended.
      expect(counted.pieces).toBeLessThan(50);
    } finally {
      await endless.stop(true);
    }
  });

  // Each with a server of its own: what is left of an answer that was cut off can spoil the next on its connection.
  test.each(["eth_chainId", "eth_getBalance", "eth_sendRawTransaction"])(
    "takes no long answer where a short one belongs: %s",
    async (method) => {
      const { rpc, endless } = startEndless(" ".repeat(1_000), 1_000);
      try {
        const failure = await rpc.request(method, []).catch((thrown: unknown) => thrown);
        expect(String(failure)).toContain("more than 16384 bytes");
      } finally {
        await endless.stop(true);
      }
    },
  );

  test("reads a long answer as it is, and lets everything else go on meanwhile", async () => {
    const result = Array.from({ length: 20_000 }, (_, i) => ({
      address: '0xé\\ "\n\u0000',
      topics: [`0x${i}`, null, [], {}],
      data: `0x${"a1".repeat(64)}`,
      removed: i % 2 === 0,
      index: i / 7,
    }));
    const long = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { id } = (await request.json()) as { id: number };
        return Response.json({ jsonrpc: "2.0", id, result });
      },
    });
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    try {
      const rpc = createRpc({ url: `http://127.0.0.1:${long.port}` });
      const answer = rpc.request("eth_getLogs", []);
      setImmediate(count);
      expect(await answer).toEqual(result);
      isDone = true;
      // One for each 128 KiB of 5 MB.
      expect(turns).toBeGreaterThan(30);
    } finally {
      await long.stop(true);
    }
  });

  test("names the HTTP status of an answer that is no JSON", async () => {
    const page = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
    });
    const rpc = createRpc({ url: `http://127.0.0.1:${page.port}` });
    const failure = await rpc.request("eth_chainId", []).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(RpcUnreachable);
    expect(String(failure)).toEndWith("did not answer eth_chainId: HTTP 502, and not as JSON");
    await page.stop(true);
  });

  test.each([
    { code: -32007, message: "15/second request limit reached - reduce calls per second" },
    { code: -32016, message: "over rate limit" },
    { code: 429, message: "Your app has exceeded its compute units per second capacity" },
    { code: -32005, message: "Too Many Requests" },
  ])("takes too many calls for no refusal, also with HTTP 200: $message", async (error) => {
    let calls = 0;
    const busy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        calls += 1;
        const { id } = (await request.json()) as { id: number };
        return Response.json({ jsonrpc: "2.0", id, error });
      },
    });
    try {
      const rpc = createRpc({ url: `http://127.0.0.1:${busy.port}` });
      const reader = createTransferReader(rpc, Address.zero, 2_000);
      const recipients = new Map([[topicOf(Address.zero), 0]]);
      const failure = await reader
        .read({ from: 1, to: 2_000 }, recipients)
        .catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(RpcUnreachable);
      expect(String(failure)).toContain(error.message);
      expect(calls).toBe(1);
      expect(reader.range).toBe(2_000);
    } finally {
      await busy.stop(true);
    }
  });

  test("is not held up by 600 KB of what a node says, and repeats no key of it in any spelling", async () => {
    const key = "Key-Of-This-Node/v2";
    const said = `${"a.".repeat(150_000)} ${key.toUpperCase()} `;
    let before = "";
    const talking = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { id } = (await request.json()) as { id: number };
        return Response.json({ jsonrpc: "2.0", id, error: { code: -32000, message: before + said } });
      },
    });
    try {
      const rpc = createRpc({ url: `http://127.0.0.1:${talking.port}/${encodeURIComponent(key)}` });
      for (before of ["", "key-of-this-node/v2 ", "%4Bey-Of-This-Node%2fv2 ", `${"x".repeat(290)} ${key} `]) {
        const usedBefore = usedMs();
        const failure = await rpc.request("eth_chainId", []).catch((thrown: unknown) => thrown);
        expect(usedMs() - usedBefore).toBeLessThan(2_000);
        expect(String(failure).toLowerCase()).not.toContain("key-of");
        expect(String(failure)).not.toContain("%4B");
        expect(String(failure).length).toBeLessThan(500);
      }
    } finally {
      await talking.stop(true);
    }
  });
});
