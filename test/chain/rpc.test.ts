import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRpc, RpcUnreachable } from "../../src/chain/rpc.ts";

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
            await Bun.sleep(0);
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
    expect(failure).toMatchObject({ tooMuch: true });
    expect(String(failure)).toContain("more than 33554432 bytes");
    expect(sent).toBeLessThan(200);
  });
});
