import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
  createClient,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  serializeErc6492Signature,
  zeroAddress,
} from "viem";
import { toCoinbaseSmartAccount, toWebAuthnAccount, type WebAuthnAccount } from "viem/account-abstraction";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { anvil } from "viem/chains";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { readDomain, typedDataOf } from "../../src/chain/contract/authorization.ts";
import { multicall3Address } from "../../src/chain/node/multicall.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import type { RefusalCode } from "../../src/settle/relay/refusal.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode, send } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import {
  codeOf,
  defaults,
  forgetSpending,
  openRelays,
  owed,
  type Posted,
  price,
  relaysTo,
} from "../support/chain/relays.ts";
import { mint, newWallet } from "../support/chain/settlement.ts";
import {
  deployTurncoat,
  deployWalletFactory,
  newSigner,
  newUndeployedSigner,
  ownerSignature,
  walletFactory,
  walletFactoryAbi,
} from "../support/chain/signer.ts";

/** A clone of github.com/coinbase/smart-wallet, which has what was deployed on Base: its own contracts are tried, too. */
const coinbase = process.env["TEST_SMART_WALLET"];

let chain: TestChain;
let gas: TestGasAccount;
let relays: Awaited<ReturnType<typeof openRelays>>;
beforeAll(async () => {
  chain = await startTestChain();
  await deployWalletFactory(chain);
  gas = await openGasAccount(chain);
  relays = await openRelays(chain, gas);
});
afterAll(async () => {
  gas.close();
  await chain.stop();
});

const codeAt = async (address: Address.Address) =>
  String(await chain.rpc("eth_getCode", [address, "latest"]));
const sentByTill = async () =>
  Number(await chain.rpc("eth_getTransactionCount", [gas.wallet.gasAddress, "latest"]));
const transactionOf = (id: number) => {
  const found = GasTransactionStore.byId(gas.db, id);
  if (!found) throw new Error("There is no such transaction");
  return found;
};
const wrapped = (request: Posted, address: Address.Address, data: Hex, signature = request.signature) => ({
  ...request,
  signature: serializeErc6492Signature({ address, data, signature }),
});

describe("a smart wallet that is not on the chain yet", () => {
  test("is put there and pays, in one transaction, and pays like any other from then on", async () => {
    const signer = await newUndeployedSigner(chain, 3n * price);
    const [first, second, third] = [owed(gas.db), owed(gas.db), owed(gas.db)];
    const before = await sentByTill();
    const ended = await relays.end(await relays.accept(await first.request(signer)));
    expect(ended).toMatchObject({ state: "confirmed", payer: signer.address });
    expect(await relays.held(first.deposit)).toBe(price);
    expect((await codeAt(signer.address)).length).toBeGreaterThan(2);
    expect(await sentByTill()).toBe(before + 1);
    const { to, gasLimit } = transactionOf(ended.transactionId);
    expect(to).toBe(multicall3Address);
    expect(gasLimit).toBeLessThan(800_000n);
    // Its signatures may go on saying how it came there, whoever made it.
    for (const [factory, { deposit, request }] of [
      [walletFactory, second],
      [newWallet(), third],
    ] as const) {
      const posted = await request(signer.bare);
      const answer = await relays.accept(wrapped(posted, factory, signer.data));
      const again = await relays.end(answer);
      expect(transactionOf(again.transactionId).to).toBe(chain.usdc);
      expect(await relays.held(deposit)).toBe(price);
    }
  });

  test("pays also when somebody else puts it there first", async () => {
    const signer = await newUndeployedSigner(chain, price);
    const { deposit, request } = owed(gas.db);
    const answer = await relays.accept(await request(signer));
    await send(chain, { to: walletFactory, data: signer.data });
    await relays.end(answer);
    expect(await relays.held(deposit)).toBe(price);
  });

  test("is put there for no small amount", async () => {
    const signer = await newUndeployedSigner(chain, price);
    const request = await owed(gas.db).request(signer);
    expect(codeOf(await relays.accept(request, { min: Usdc.fromMicro(price / 4n + 1n) }))).toBe("minimum");
    expect(codeOf(await relays.accept(request, { min: Usdc.fromMicro(price / 4n) }))).toBe("accepted");
  });

  test("is not put there when its money has gone meanwhile, and failures are counted", async () => {
    const { request } = owed(gas.db);
    for (let i = 0; i < 3; i++) {
      const signer = await newUndeployedSigner(chain, price);
      const answer = await relays.accept(await request(signer));
      const data = encode(usdcArtifact.abi, "transfer", [newWallet(), price]);
      await chain.rpc("anvil_impersonateAccount", [signer.address]);
      await chain.giveEth(signer.address);
      await send(chain, { from: signer.address, to: chain.usdc, data });
      const { state, failure } = await relays.end(answer);
      expect({ state, failure }).toEqual({ state: "failed", failure: "reverted" });
      expect(await codeAt(signer.address)).toBe("0x");
    }
    const next = await newUndeployedSigner(chain, price);
    expect(codeOf(await relays.accept(await request(next)))).toBe("failures");
    forgetSpending(gas.db);
  });

  test("is put there with several owners, whichever of them has signed", async () => {
    const owners = (key: Address.Address) => [pad(newWallet()), pad(key)];
    const inner = async (_: Hex, own: () => Promise<Hex>) => ownerSignature(await own(), 1n);
    const signer = await newUndeployedSigner(chain, price, { owners, inner });
    const { deposit, request } = owed(gas.db);
    await relays.end(await relays.accept(await request(signer), { gasMax: 2n * defaults.gasMax }));
    expect(await relays.held(deposit)).toBe(price);
  });

  test("is named as the reason where the chain has no factory that could put it there", async () => {
    const signer = await newUndeployedSigner(chain, price);
    const request = await owed(gas.db).request(signer);
    const code = await codeAt(walletFactory);
    await chain.rpc("anvil_setCode", [walletFactory, "0x"]);
    expect(codeOf(await relays.accept(request))).toBe("undeployed");
    await chain.rpc("anvil_setCode", [walletFactory, code]);
  });

  describe("costs nothing", () => {
    type Attack = (of: ReturnType<typeof owed>) => Promise<Posted>;
    const data = (functionName: "createAccount" | "createOther", key: Address.Address, nonce = 0n) =>
      encodeFunctionData({ abi: walletFactoryAbi, functionName, args: [[pad(key)], nonce] });
    const attacks: Record<string, [RefusalCode, Attack]> = {
      "of a factory that Till does not know": [
        "undeployed",
        async ({ request }) => {
          const factory = newWallet();
          await deployWalletFactory(chain, factory);
          return request(await newUndeployedSigner(chain, price, { factory }));
        },
      ],
      "with another call than to make an account": [
        "undeployed",
        async ({ request }) => {
          const signer = await newUndeployedSigner(chain, price);
          const signed = await request(signer.bare);
          return wrapped(signed, walletFactory, data("createOther", Address.checksum(signer.key.address)));
        },
      ],
      "with a call of the token as its maker": [
        "undeployed",
        async ({ request }) => {
          const mint = encode(usdcArtifact.abi, "mint", [newWallet(), price]);
          return wrapped(await request(await newSigner(chain, price)), chain.usdc, mint);
        },
      ],
      "when a key pays, and has a wallet made beside": [
        "signature",
        async ({ request }) => {
          const signer = await newSigner(chain, price);
          return wrapped(await request(signer), walletFactory, data("createAccount", signer.address));
        },
      ],
      "when another wallet than the payer's would be made": [
        "signature",
        async ({ request }) => {
          const signer = await newUndeployedSigner(chain, price);
          const signed = await request(signer.bare);
          const key = Address.checksum(signer.key.address);
          return wrapped(signed, walletFactory, data("createAccount", key, 1n));
        },
      ],
      "when its own key has not signed": [
        "signature",
        async ({ request }) => {
          const signer = await newUndeployedSigner(chain, price);
          const { signature } = await request(await newSigner(chain, price));
          return wrapped(await request(signer.bare), walletFactory, signer.data, signature);
        },
      ],
      "when its owner is a contract that judges in another way when it counts": [
        "signature",
        async ({ request }) => {
          const turncoat = pad(await deployTurncoat(chain)).toLowerCase() as Hex;
          const inner = async () => ownerSignature("0x");
          return request(await newUndeployedSigner(chain, price, { owners: () => [turncoat], inner }));
        },
      ],
      "when the signature is that of another owner than it says": [
        "signature",
        async ({ request }) => {
          const turncoat = pad(await deployTurncoat(chain)).toLowerCase() as Hex;
          const owners = (key: Address.Address) => [pad(key), turncoat];
          const inner = async (_: Hex, own: () => Promise<Hex>) => ownerSignature(await own(), 1n);
          return request(await newUndeployedSigner(chain, price, { owners, inner }));
        },
      ],
      "when its owner has a key and code, and no signature of the key": [
        "signature",
        async ({ request }) => {
          const code = await codeAt(await deployTurncoat(chain));
          const inner = async (_: Hex, own: () => Promise<Hex>) => {
            const signature = await own();
            return ownerSignature(`0x${signature.slice(2, 130)}${signature.endsWith("1b") ? "00" : "01"}`);
          };
          const signer = await newUndeployedSigner(chain, price, { inner });
          await chain.rpc("anvil_setCode", [signer.key.address, code]);
          return request(signer);
        },
      ],
      "with a call whose encoding is longer than Till's": [
        "undeployed",
        async ({ request }) => {
          const signer = await newUndeployedSigner(chain, price);
          return wrapped(await request(signer.bare), walletFactory, `${signer.data}00`);
        },
      ],
      "when it takes too much gas to make": [
        "gas",
        async ({ request }) => request(await newUndeployedSigner(chain, price, { nonce: 4_000n })),
      ],
      "when it would take all the gas there is": [
        "signature",
        async ({ request }) => {
          const signer = await newUndeployedSigner(chain, price, { nonce: 2_000n });
          const key = Address.checksum(signer.key.address);
          const signed = await request(signer.bare);
          return wrapped(signed, walletFactory, data("createAccount", key, 2n ** 255n));
        },
      ],
      "without the money": [
        "balance",
        async ({ request }) => request(await newUndeployedSigner(chain, price - 1n)),
      ],
      "with a wrapping of nothing": [
        "undeployed",
        async ({ request }) =>
          wrapped(await request(await newSigner(chain, price)), zeroAddress as never, "0x"),
      ],
      "with a wrapping that is cut": [
        "undeployed",
        async ({ request }) => {
          const posted = await request(await newUndeployedSigner(chain, price));
          return { ...posted, signature: `0x${posted.signature.slice(130)}` };
        },
      ],
    };
    for (const [what, [code, attack]] of Object.entries(attacks))
      test(what, async () => {
        const of = owed(gas.db);
        const before = await sentByTill();
        expect(codeOf(await relays.accept(await attack(of)))).toBe(code);
        expect(relaysTo(gas.db, of.deposit.index)).toEqual([]);
        expect(await sentByTill()).toBe(before);
        expect(await relays.held(of.deposit)).toBe(0n);
      });
  });
});

describe.skipIf(coinbase === undefined)("a Coinbase Smart Wallet", () => {
  const factory = Address.checksum("0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a");
  beforeAll(async () => {
    const file = Bun.file(`${coinbase}/broadcast/DeployFactory.s.sol/8453/run-latest.json`);
    const { transactions } = (await file.json()) as {
      transactions: { transaction: { to: Address.Address; input: Hex } }[];
    };
    for (const { transaction } of transactions) {
      const { to, input: data } = transaction;
      // The deployer that Coinbase used is the same contract as Till's.
      await chain.rpc("anvil_setCode", [to, await codeAt(DepositAddress.deployer)]);
      await send(chain, { to, data, gas: 10_000_000n });
    }
    expect((await codeAt(factory)).length).toBeGreaterThan(2);
  });

  const ways: Record<string, () => Promise<PrivateKeyAccount | WebAuthnAccount>> = {
    "with the signature of a key": async () => privateKeyToAccount(generatePrivateKey()),
    // It asks the key first, and not a contract that lies.
    "with the signature of a key whose account has code": async () => {
      const owner = privateKeyToAccount(generatePrivateKey());
      await chain.rpc("anvil_setCode", [owner.address, await codeAt(await deployTurncoat(chain))]);
      return owner;
    },
    "with a passkey": async () => newPasskey(),
  };
  for (const [way, ownerOf] of Object.entries(ways))
    test(`pays before it is on the chain, ${way}`, async () => {
      const client = createClient({ chain: anvil, transport: http(chain.rpcUrl) });
      const owner = await ownerOf();
      const account = await toCoinbaseSmartAccount({ client, owners: [owner], version: "1" });
      const address = Address.checksum(account.address);
      await mint(chain, address, price);
      const { deposit, request } = owed(gas.db);
      const plain = await request(await newSigner(chain, 0n), { from: address });
      const domain = await readDomain(gas.rpc, { chainId: gas.chainId, token: chain.usdc });
      const typed = typedDataOf(domain, { ...plain.auth, chainId: gas.chainId, token: chain.usdc });
      const signature = await account.signTypedData(typed as never);
      const ended = await relays.end(await relays.accept({ ...plain, signature }));
      expect(await relays.held(deposit)).toBe(price);
      const isKey = owner.type === "local";
      expect(transactionOf(ended.transactionId).gasLimit).toBeLessThan(isKey ? 400_000n : 800_000n);
    });

  test("costs nothing with an owner that is a contract which judges in another way when it counts", async () => {
    const owner = pad(await deployTurncoat(chain));
    const args = [[owner], 0n] as const;
    const data = encodeFunctionData({ abi: walletFactoryAbi, functionName: "createAccount", args });
    const word = String(await chain.rpc("eth_call", [{ to: factory, data }, "latest"]));
    const from = Address.checksum(`0x${word.slice(26)}`);
    await mint(chain, from, price);
    const plain = await owed(gas.db).request(await newSigner(chain, 0n), { from });
    expect(codeOf(await relays.accept(wrapped(plain, factory, data, ownerSignature("0x"))))).toBe(
      "signature",
    );
  });

  /** A passkey of an authenticator in software. */
  function newPasskey(): WebAuthnAccount {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = pair.publicKey.export({ format: "jwk" });
    const hex = (part = "") => Buffer.from(part, "base64url").toString("hex");
    const publicKey = `0x${hex(x)}${hex(y)}` as const;
    const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
    return toWebAuthnAccount({
      credential: { id: "AQID", publicKey },
      rpId: "wallet.example",
      async getFn(options) {
        const challenge = Buffer.from(options?.publicKey?.challenge as Uint8Array).toString("base64url");
        const origin = "https://wallet.example";
        const said = JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false });
        const flags = [5, 0, 0, 0, 1];
        const authenticatorData = Buffer.concat([sha256("wallet.example"), Buffer.from(flags)]);
        const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(said)]), pair.privateKey);
        const clientDataJSON = Buffer.from(said);
        return { id: "AQID", response: { authenticatorData, clientDataJSON, signature } } as never;
      },
    });
  }
});
