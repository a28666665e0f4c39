import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Hex } from "viem";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import type { RelayRequest } from "../../src/settle/relay/accept.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode, send, stranger } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { codeOf, type Owed, openRelays, owed, price, relayOf, relaysTo } from "../support/chain/relays.ts";
import { newSigner, newSmartSigner, type Signer } from "../support/chain/signer.ts";
import { until } from "../support/till/till.ts";

let chain: TestChain;
let gas: TestGasAccount;
let relays: Awaited<ReturnType<typeof openRelays>>;
beforeAll(async () => {
  chain = await startTestChain();
  gas = await openGasAccount(chain);
  relays = await openRelays(chain, gas);
});
afterAll(async () => {
  gas.close();
  await chain.stop();
});

const gasSpent = async () => {
  const count = await chain.rpc("eth_getTransactionCount", [gas.wallet.gasAddress, "latest"]);
  return Number(count);
};

/** Some wallets end a signature by the parity itself, which the token does not take. */
async function newSignerFromZero(on: TestChain, micro: bigint): Promise<Signer> {
  const signer = await newSigner(on, micro);
  return {
    ...signer,
    async sign(auth) {
      const { signature, ...signed } = await signer.sign(auth);
      const parity = Number.parseInt(signature.slice(-2), 16) - 27;
      return { ...signed, signature: `${signature.slice(0, -2)}0${parity}` as Hex };
    },
  };
}

describe("a payer with USDC and no ETH", () => {
  for (const [kind, make] of [
    ["a key", newSigner],
    ["a key whose wallet counts v from 0", newSignerFromZero],
    ["a smart wallet", newSmartSigner],
  ] as const) {
    test(`pays by the signature of ${kind}`, async () => {
      const signer = await make(chain, price);
      const { deposit, request } = owed(gas.db);
      const relay = await relays.end(await relays.accept(await request(signer)));
      expect(relay).toMatchObject({ state: "confirmed", payer: signer.address, amount: price });
      expect(await relays.held(deposit)).toBe(price);
      expect(BigInt(String(await chain.rpc("eth_getBalance", [signer.address, "latest"])))).toBe(0n);
      expect(codeOf(await relays.accept(await request(signer)))).toBe("closed");
    });
  }

  test("is not asked again for what is deep in the chain and not in the books yet", async () => {
    const [signer, other] = [await newSigner(chain, price), await newSigner(chain, price)];
    const { deposit, request } = owed(gas.db);
    const answer = await relays.accept(await request(signer));
    expect(relays.awake.at(-1)).toBe(deposit.index);
    const isMined = () => relays.step(relayOf(answer));
    await until(isMined, ({ relay }) => relay.state === "mined");
    expect((await isMined()).relay.state).toBe("mined");
    expect(codeOf(await relays.accept(await request(other)))).toBe("busy");
    await relays.end(answer);
    expect(codeOf(await relays.accept(await request(other)))).toBe("closed");
    expect(await relays.held(deposit)).toBe(price);
  });
});

describe("nothing is sent", () => {
  const cases: Record<string, (signer: Signer, owedNow: Owed) => Promise<[RelayRequest, string]>> = {
    "for another amount": async (signer, { request }) => [
      await request(signer, { amount: price - 1n }),
      "amount",
    ],
    "to another address": async (signer, { request }) => [
      await request(signer, { to: stranger }),
      "receiver",
    ],
    "after its time": async (signer, { request }) => [
      await request(signer, { validBeforeSec: 1_000 }),
      "late",
    ],
    "before its time": async (signer, { request }) => [
      await request(signer, { validAfterSec: Math.floor(Date.now() / 1_000) + 60 }),
      "early",
    ],
    "that could surprise in a month": async (signer, { request }) => [
      await request(signer, { validBeforeSec: Math.floor(Date.now() / 1_000) + 30 * 86_400 }),
      "long",
    ],
    "with the signature of somebody else": async (signer, { request }) => {
      const other = await newSigner(chain, 0n);
      const [mine, theirs] = [await request(signer), await request(other)];
      return [{ ...mine, signature: theirs.signature }, "signature"];
    },
    "with a high s": async (signer, { request }) => {
      const signed = await request(signer);
      const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
      const s = n - BigInt(`0x${signed.signature.slice(66, 130)}`);
      const v = signed.signature.endsWith("1b") ? "1c" : "1b";
      const twin = `${signed.signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${v}` as const;
      return [{ ...signed, signature: twin as `0x${string}` }, "form"];
    },
    "with the signature of a smart wallet that is not there yet": async (signer, { request }) => {
      const signed = await request(signer);
      return [
        { ...signed, signature: `${signed.signature}${"6492".repeat(16)}` as `0x${string}` },
        "undeployed",
      ];
    },
    "without the money": async (_, { request }) => [
      await request(await newSigner(chain, price - 1n)),
      "balance",
    ],
    "of somebody whom the token blocks": async (signer, { request }) => {
      await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "blacklist", [signer.address]) });
      return [await request(signer), "blocked"];
    },
    "that the payer has shown to the token already": async (signer, { request }) => {
      const signed = await request(signer);
      await relays.front(signed);
      return [signed, "busy"];
    },
  };
  for (const [what, make] of Object.entries(cases)) {
    test(what, async () => {
      const signer = await newSigner(chain, price);
      const [request, code] = await make(signer, owed(gas.db));
      const before = await gasSpent();
      expect<string>(codeOf(await relays.accept(request))).toBe(code);
      expect(GasTransactionStore.listPending(gas.db, gas.chainId)).toEqual([]);
      expect(await gasSpent()).toBe(before);
    });
  }

  test("while the token is paused", async () => {
    const signer = await newSigner(chain, price);
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "pause") });
    expect(codeOf(await relays.accept(await owed(gas.db).request(signer)))).toBe("paused");
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unpause") });
  });
});

describe("somebody else", () => {
  test("who takes the money away first makes it fail, and the payer can sign the same nonce again", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed(gas.db);
    const signed = await request(signer);
    const answer = await relays.accept(signed);
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, "0x0"]);
    expect(await relays.end(answer)).toMatchObject({ state: "failed", failure: "reverted" });
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, `0x${price.toString(16)}`]);
    expect(await relays.end(await relays.accept(signed))).toMatchObject({ state: "confirmed" });
    expect(await relays.held(deposit)).toBe(price);
    expect(relaysTo(gas.db, deposit.index)).toHaveLength(2);
  });

  test("cannot show a payment that failed to the token after the payer has signed another one", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed(gas.db);
    const [first, second] = [await request(signer), await request(signer)];
    const answer = await relays.accept(first);
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, "0x0"]);
    const { id } = await relays.end(answer);
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, `0x${(2n * price).toString(16)}`]);
    expect(await relays.accept(second)).toMatchObject({ code: "busy", relay: { id } });
    gas.pass(first.auth.validBeforeSec * 1_000 - gas.now());
    const later = await request(signer, { validBeforeSec: first.auth.validBeforeSec + 300 });
    expect(await relays.end(await relays.accept(later))).toMatchObject({ state: "confirmed" });
    expect(await relays.held(deposit)).toBe(price);
  });
});
