import { expect, test } from "bun:test";
import { readAuthorizationEnd } from "../../../src/chain/contract/authorization-end.ts";
import { createRpc, RpcUnreachable } from "../../../src/chain/node/rpc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";

test("a node that is down is not asked again for half of the blocks", async () => {
  let calls = 0;
  await using server = Bun.serve({
    port: 0,
    fetch() {
      calls += 1;
      return new Response("down", { status: 503 });
    },
  });
  const rpc = createRpc({ url: `http://127.0.0.1:${server.port}` });
  const nonce = { token: Address.zero, from: Address.zero, nonce: `0x${"0".repeat(64)}` } as const;
  const read = readAuthorizationEnd(rpc, nonce, { from: 0, to: 5_000 }, []);
  expect(await read.catch((thrown: unknown) => thrown)).toBeInstanceOf(RpcUnreachable);
  expect(calls).toBe(1);
});
