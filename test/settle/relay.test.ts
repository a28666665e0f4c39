import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { readDomain, signedCall } from "../../src/chain/contract/authorization.ts";
import { parseConfig } from "../../src/config/config.ts";
import type { Deposit } from "../../src/domain/payment/deposit.ts";
import { payableOf } from "../../src/domain/payment/relay.ts";
import { ofInvoice } from "../../src/domain/receivable/receivable.ts";
import {
  type AcceptDeps,
  accept,
  type RelayAnswer,
  type RelayRequest,
} from "../../src/settle/relay/accept.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import type { StoredRelay } from "../../src/store/tables/settle/relay.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf, encode, send, stranger } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { follow, relaysTo } from "../support/chain/relays.ts";
import { credit, newWallet } from "../support/chain/settlement.ts";
import { newSigner, newSmartSigner, type Signed, type Signer } from "../support/chain/signer.ts";
import { storeInvoice } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";

const price = 25_000_000n;
const { relay: defaults } = parseConfig({
  TILL_CHAIN: "anvil",
  TILL_RPC_URL: "http://127.0.0.1:1",
  TILL_WALLET_PASSPHRASE: "x",
});

let chain: TestChain;
let gas: TestGasAccount;
let deps: AcceptDeps;
beforeAll(async () => {
  chain = await startTestChain();
  gas = await openGasAccount(chain);
  const domain = await readDomain(gas.rpc, { chainId: gas.chainId, token: chain.usdc });
  deps = { gas, token: chain.usdc, rules: defaults, domain };
});
afterAll(async () => {
  gas.close();
  await chain.stop();
});

/** A new invoice over the price, and what a payer would send for it. */
function owed() {
  const { id, deposit } = storeInvoice(gas.db, { payoutWallet: newWallet(), total: "25.00" });
  const payable: RelayRequest["payable"] = () => {
    const invoice = InvoiceStore.byId(gas.db, id);
    return invoice && payableOf(ofInvoice(invoice), 0);
  };
  const request = async (signer: Signer, other: Partial<Signed> = {}): Promise<RelayRequest> => {
    const signed = await signer.sign({ to: deposit.address, amount: price, ...other });
    return { source: "page", payable, paymentIdentifier: null, ...signed };
  };
  return { deposit, request };
}

const codeOf = (answer: RelayAnswer) => (answer.kind === "refused" ? answer.code : answer.kind);
const gasSpent = async () => {
  const count = await chain.rpc("eth_getTransactionCount", [gas.wallet.gasAddress, "latest"]);
  return Number(count);
};

/** Takes steps until the relay has ended. */
async function end(answer: RelayAnswer): Promise<StoredRelay> {
  if (answer.kind !== "accepted") throw new Error(`It was refused: ${answer.code}`);
  return await until(
    async () => {
      const { relay } = await follow(gas, answer.relay.id);
      if (relay.state === "mined") await credit(gas, chain.usdc);
      return relay;
    },
    ({ state }) => state === "confirmed" || state === "failed",
    60_000,
  );
}

const held = (deposit: Deposit) => balanceOf(chain, chain.usdc, deposit.address);

describe("a payer with USDC and no ETH", () => {
  for (const [kind, make] of [
    ["a key", newSigner],
    ["a smart wallet", newSmartSigner],
  ] as const) {
    test(`pays by the signature of ${kind}`, async () => {
      const signer = await make(chain, price);
      const { deposit, request } = owed();
      const relay = await end(await accept(deps, await request(signer)));
      expect(relay).toMatchObject({ state: "confirmed", payer: signer.address, amount: price });
      expect(await held(deposit)).toBe(price);
      expect(BigInt(String(await chain.rpc("eth_getBalance", [signer.address, "latest"])))).toBe(0n);
      expect(codeOf(await accept(deps, await request(signer)))).toBe("closed");
    });
  }

  test("is not asked again for what is deep in the chain and not in the books yet", async () => {
    const [signer, other] = [await newSigner(chain, price), await newSigner(chain, price)];
    const { deposit, request } = owed();
    const answer = await accept(deps, await request(signer));
    if (answer.kind !== "accepted") throw new Error(answer.code);
    await until(
      () => follow(gas, answer.relay.id),
      ({ relay }) => relay.state === "mined",
    );
    expect((await follow(gas, answer.relay.id)).relay.state).toBe("mined");
    expect(codeOf(await accept(deps, await request(other)))).toBe("busy");
    await end(answer);
    expect(codeOf(await accept(deps, await request(other)))).toBe("closed");
    expect(await held(deposit)).toBe(price);
  });

  test("is the same relay when the same is posted again, and pays once", async () => {
    const signer = await newSigner(chain, 2n * price);
    const { deposit, request } = owed();
    const same = await request(signer);
    const [one, two] = await Promise.all([accept(deps, same), accept(deps, same)]);
    const ids = [one, two].map((answer) => answer.kind === "accepted" && answer.relay.id);
    expect(ids[0]).toBe(ids[1] ?? 0);
    await end(one);
    expect(codeOf(await accept(deps, same))).toBe("accepted");
    expect(await held(deposit)).toBe(price);
  });

  test("is told of the one on its way when two sign for one invoice", async () => {
    const [first, second] = [await newSigner(chain, price), await newSigner(chain, price)];
    const { deposit, request } = owed();
    const requests = [await request(first), await request(second)];
    const answers = await Promise.all(requests.map((each) => accept(deps, each)));
    expect(answers.map(codeOf).sort()).toEqual(["accepted", "busy"]);
    const taken = answers.find(({ kind }) => kind === "accepted");
    if (taken) await end(taken);
    expect(await held(deposit)).toBe(price);
  });
});

describe("nothing is sent", () => {
  const cases: Record<
    string,
    (signer: Signer, owedNow: ReturnType<typeof owed>) => Promise<[RelayRequest, string]>
  > = {
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
      const data = signedCall({ ...signed.auth, chainId: gas.chainId, token: chain.usdc }, signed.signature);
      await send(chain, { to: chain.usdc, data });
      return [signed, "busy"];
    },
  };
  for (const [what, make] of Object.entries(cases)) {
    test(what, async () => {
      const signer = await newSigner(chain, price);
      const [request, code] = await make(signer, owed());
      const before = await gasSpent();
      expect<string>(codeOf(await accept(deps, request))).toBe(code);
      expect(GasTransactionStore.listPending(gas.db, gas.chainId)).toEqual([]);
      expect(await gasSpent()).toBe(before);
    });
  }

  test("while the token is paused", async () => {
    const signer = await newSigner(chain, price);
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "pause") });
    expect(codeOf(await accept(deps, await owed().request(signer)))).toBe("paused");
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unpause") });
  });
});

describe("somebody else", () => {
  test("who shows the authorisation first pays the fee, and it counts", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed();
    const signed = await request(signer);
    const answer = await accept(deps, signed);
    const data = signedCall({ ...signed.auth, chainId: gas.chainId, token: chain.usdc }, signed.signature);
    const { transactionHash } = await send(chain, { from: stranger, to: chain.usdc, data });
    const relay = await end(answer);
    expect(relay).toMatchObject({ state: "confirmed", txHash: transactionHash });
    expect(await held(deposit)).toBe(price);
  });

  test("who takes the money away first makes it fail, and the payer can sign the same nonce again", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed();
    const signed = await request(signer);
    const answer = await accept(deps, signed);
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, "0x0"]);
    expect(await end(answer)).toMatchObject({ state: "failed", failure: "reverted" });
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, `0x${price.toString(16)}`]);
    expect(await end(await accept(deps, signed))).toMatchObject({ state: "confirmed" });
    expect(await held(deposit)).toBe(price);
    expect(relaysTo(gas.db, deposit.index)).toHaveLength(2);
  });

  test("cannot show a payment that failed to the token after the payer has signed another one", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed();
    const [first, second] = [await request(signer), await request(signer)];
    const answer = await accept(deps, first);
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, "0x0"]);
    const { id } = await end(answer);
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, `0x${(2n * price).toString(16)}`]);
    expect(await accept(deps, second)).toMatchObject({ code: "busy", relay: { id } });
    gas.pass(first.auth.validBeforeSec * 1_000 - gas.now());
    const later = await request(signer, { validBeforeSec: first.auth.validBeforeSec + 300 });
    expect(await end(await accept(deps, later))).toMatchObject({ state: "confirmed" });
    expect(await held(deposit)).toBe(price);
  });
});
