import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { readDomain, signedCall } from "../../src/chain/contract/authorization.ts";
import * as Ether from "../../src/domain/ether.ts";
import { payableOf } from "../../src/domain/payment/relay.ts";
import * as Common from "../../src/domain/receivable/common.ts";
import { ofLink } from "../../src/domain/receivable/receivable.ts";
import type * as Usdc from "../../src/domain/usdc.ts";
import { finishPending } from "../../src/settle/by-hand.ts";
import { quote } from "../../src/settle/gas-account.ts";
import { advanceAll, obstacleOf, submit } from "../../src/settle/gas-transaction.ts";
import { followAll } from "../../src/settle/relay/follow.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import * as RelayStore from "../../src/store/tables/settle/relay.ts";
import { applyScan } from "../../src/watch/payment/payment.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode, send, stranger } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import {
  codeOf,
  forgetSpending,
  openRelays,
  owed,
  type Posted,
  price,
  relayOf,
  relaysTo,
} from "../support/chain/relays.ts";
import { startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { credit, mint, newWallet } from "../support/chain/settlement.ts";
import { deployTurncoat, newSigner, newSmartSigner, type Signer } from "../support/chain/signer.ts";
import { recordSettings, storeLink } from "../support/till/records.ts";
import { until } from "../support/till/till.ts";
import { looked } from "../support/watch/looked.ts";

let chain: TestChain;
let gas: TestGasAccount;
let relays: Awaited<ReturnType<typeof openRelays>>;
beforeAll(async () => {
  chain = await startTestChain();
});
beforeEach(async () => {
  gas = await openGasAccount(chain);
  relays = await openRelays(chain, gas);
});
afterEach(async () => {
  await chain.rpc("evm_setAutomine", [true]);
  await chain.rpc("anvil_dropAllTransactions");
  gas.close();
});
afterAll(() => chain.stop());

const blocksByHand = () => chain.rpc("evm_setAutomine", [false]);
const spent = async () =>
  Number(await chain.rpc("eth_getTransactionCount", [gas.wallet.gasAddress, "latest"]));
const pending = () => GasTransactionStore.listPending(gas.db, gas.chainId).length;
const take = (from: Signer) => chain.rpc("anvil_dealERC20", [from.address, chain.usdc, "0x0"]);
const keyWalletAbi = [
  { type: "function", name: "close", inputs: [], outputs: [], stateMutability: "nonpayable" },
  {
    type: "function",
    name: "setRounds",
    inputs: [{ name: "count", type: "uint256" }],
    outputs: [],
    stateMutability: "nonpayable",
  },
];

describe("a granted payment that the chain takes back", () => {
  test("is on its way again, and not asked for, when its block is replaced", async () => {
    const signer = await newSigner(chain, 2n * price);
    await blocksByHand();
    const { deposit, request } = owed(gas.db);
    const relay = relayOf(await relays.accept(await request(signer)));
    await relays.step(relay);
    await chain.mine(1);
    expect((await relays.step(relay)).relay.state).toBe("mined");
    await chain.reorg(1);
    expect((await relays.step(relay)).relay.state).toBe("sent");
    expect(codeOf(await relays.accept(await request(signer)))).toBe("busy");
    gas.pass(20_000);
    await relays.step(relay);
    await chain.mine(1);
    expect(await relays.end({ kind: "accepted", relay, isNew: false })).toMatchObject({ state: "confirmed" });
    expect(await relays.held(deposit)).toBe(price);
  });

  test("is on its way again when what the books counted leaves the chain", async () => {
    const signer = await newSigner(chain, 2n * price);
    const { deposit, request } = owed(gas.db);
    const relay = await relays.end(await relays.accept(await request(signer)));
    const { number } = await chain.blockAt("latest");
    await chain.reorg(number - (relay.blockNumber ?? 0) + 1);
    await chain.mine(1);
    const checkpoint = await chain.blockAt("latest");
    const findings = {
      checkpoint,
      undoAbove: (relay.blockNumber ?? 0) - 1,
      transfers: [],
      confirmedUpTo: checkpoint.number,
    };
    applyScan(gas.db, looked(gas.db, findings), Date.now(), { receipts: false, recordSettings });
    expect(RelayStore.byId(gas.db, relay.id)?.state).toBe("sent");
    expect(codeOf(await relays.accept(await request(signer)))).toBe("busy");
    gas.pass(20_000);
    expect(await relays.end({ kind: "accepted", relay, isNew: false })).toMatchObject({ state: "confirmed" });
    expect(await relays.held(deposit)).toBe(price);
  });
});

describe("an authorisation that somebody else uses", () => {
  test("before Till's block counts as that payment, and Till's transaction takes nothing twice (I-B)", async () => {
    const signer = await newSigner(chain, 2n * price);
    const { deposit, request } = owed(gas.db);
    const posted = await request(signer);
    const relay = relayOf(await relays.accept(posted));
    const front = await relays.front(posted);
    await until(
      () => relays.step(relay),
      (step) => step.relay.state === "mined",
    );
    // It is looked for once.
    const asked = spyOn(gas.rpc, "request");
    await relays.step(relay);
    expect(asked.mock.calls.map(([method]) => method)).not.toContain("eth_getLogs");
    asked.mockRestore();
    const end = await relays.end({ kind: "accepted", relay, isNew: true });
    expect(end).toMatchObject({ state: "confirmed", txHash: front.transactionHash });
    expect(await relays.held(deposit)).toBe(price);
  });

  test("is cancelled by its payer: the relay fails, and another nonce is taken", async () => {
    const signer = await newSigner(chain, price);
    await blocksByHand();
    const { request } = owed(gas.db);
    const posted = await request(signer);
    const relay = relayOf(await relays.accept(posted));
    await cancel(signer, posted.auth.nonce);
    await chain.mine(1);
    expect(await relays.end({ kind: "accepted", relay, isNew: true })).toMatchObject({
      state: "failed",
      failure: "cancelled",
    });
    expect(codeOf(await relays.accept(posted))).toBe("used");
    expect(codeOf(await relays.accept(await request(signer)))).toBe("accepted");
  });

  test.each([
    ["to another address", "other", price, true],
    ["of another amount, which came,", "one", price - 1n, false],
  ] as const)("with a nonce that was used for a payment %s fails", async (_, at, amount, isTold) => {
    const signer = await newSigner(chain, 2n * price);
    await blocksByHand();
    const both = { one: owed(gas.db), other: owed(gas.db) };
    const { one } = both;
    const posted = await one.request(signer);
    const elsewhere = await both[at].request(signer, { amount, nonce: posted.auth.nonce });
    const relay = relayOf(await relays.accept(posted));
    const front = { ...elsewhere.auth, chainId: gas.chainId, token: chain.usdc };
    await chain.rpc("eth_sendTransaction", [
      { from: stranger, to: chain.usdc, data: signedCall(front, elsewhere.signature), gas: "0x30d40" },
    ]);
    await chain.mine(1);
    await credit(gas, chain.usdc);
    // The watcher sees it first.
    gas.pass(1_000);
    expect(await relays.end({ kind: "accepted", relay, isNew: true })).toMatchObject({
      state: "failed",
      failure: "replaced",
    });
    expect(await relays.held(one.deposit)).toBe(at === "one" ? amount : 0n);
    expect(RelayStore.lastFailed(gas.db, one.deposit.index, 0)).toBe(isTold);
  });

  async function cancel(signer: Signer, nonce: `0x${string}`): Promise<void> {
    const domain = await readDomain(gas.rpc, { chainId: gas.chainId, token: chain.usdc });
    const signature = await signer.key.signTypedData({
      domain,
      types: {
        CancelAuthorization: [
          { name: "authorizer", type: "address" },
          { name: "nonce", type: "bytes32" },
        ],
      },
      primaryType: "CancelAuthorization",
      message: { authorizer: signer.address, nonce },
    });
    const [r, s, v] = [
      `0x${signature.slice(2, 66)}`,
      `0x${signature.slice(66, 130)}`,
      Number(`0x${signature.slice(130)}`),
    ];
    const data = encode(usdcArtifact.abi, "cancelAuthorization", [signer.address, nonce, v, r, s]);
    await chain.rpc("eth_sendTransaction", [{ from: stranger, to: chain.usdc, data, gas: "0x30d40" }]);
  }
});

describe("one payment for two", () => {
  test("is refused for another invoice: the receiver is signed (II, free-riding)", async () => {
    const signer = await newSigner(chain, 2n * price);
    const [one, other] = [owed(gas.db), owed(gas.db)];
    const posted = await one.request(signer);
    const { payable } = await other.request(signer);
    expect(codeOf(await relays.accept({ ...posted, payable }))).toBe("receiver");
    await relays.end(await relays.accept(posted));
    expect(codeOf(await relays.accept({ ...posted, payable }))).toBe("used");
  });

  test("is refused with a nonce that is on its way to another, in capitals, too", async () => {
    const signer = await newSigner(chain, 2n * price);
    await blocksByHand();
    const [one, other] = [owed(gas.db), owed(gas.db)];
    const posted = await one.request(signer);
    const { nonce } = posted.auth;
    relayOf(await relays.accept(posted));
    const capital = `0x${nonce.slice(2).toUpperCase()}` as const;
    for (const again of [nonce, capital]) {
      const twin = await other.request(signer, { nonce });
      expect(codeOf(await relays.accept({ ...twin, auth: { ...twin.auth, nonce: again } }))).toBe("used");
    }
    expect(pending()).toBe(1);
  });

  test("is one relay however often it is posted at once (duplicate settlement)", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed(gas.db);
    const posted = await request(signer);
    const answers = await Promise.all(Array.from({ length: 20 }, () => relays.accept(posted)));
    expect(new Set(answers.map((answer) => relayOf(answer).id)).size).toBe(1);
    await relays.end(answers[0] ?? (await relays.accept(posted)));
    expect(codeOf(await relays.accept(posted))).toBe("accepted");
    expect(await relays.held(deposit)).toBe(price);
  });

  test.each([
    ["is accepted as the same", "it", "accepted"],
    ["has to wait if it is another payer's", "another", "busy"],
  ] as const)(
    "with money and a budget for one %s, when the first is stored while it is checked",
    async (_, which, code) => {
      const { request } = owed(gas.db);
      const posted = await request(await newSigner(chain, price));
      const second = which === "it" ? posted : await request(await newSigner(chain, price));
      const { cost } = await quote(gas, [{ gasLimit: 160_000n, data: `0x${"11".repeat(356)}` }]);
      const budget = (cost * 3n) / 2n;
      const [isAsked, isStored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { request: ask } = gas.rpc;
      const asking = spyOn(gas.rpc, "request").mockImplementationOnce(async (method, params) => {
        isAsked.resolve();
        await isStored.promise;
        return ask(method, params);
      });
      const answer = relays.accept(second, { budget });
      await isAsked.promise;
      const { id } = relayOf(await relays.accept(posted, { budget }));
      isStored.resolve();
      expect(codeOf(await answer)).toBe(code);
      expect(await answer).toMatchObject({ relay: { id } });
      asking.mockRestore();
    },
  );

  test("is not signed twice with two nonces: one relay to a deposit at a time", async () => {
    const signer = await newSigner(chain, 3n * price);
    const { deposit, request } = owed(gas.db);
    const all = await Promise.all([request(signer), request(signer), request(signer)]);
    const answers = await Promise.all(all.map((posted) => relays.accept(posted)));
    expect(answers.map(codeOf).sort()).toEqual(["accepted", "busy", "busy"]);
    for (const answer of answers) if (answer.kind === "accepted") await relays.end(answer);
    for (const posted of all) {
      const again = codeOf(await relays.accept(posted));
      expect(["closed", "accepted"]).toContain(again);
    }
    expect(await relays.held(deposit)).toBe(price);
  });
});

describe("a plain transfer beside a signature", () => {
  test("that the books do not know yet: nobody is asked to sign for what came", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed(gas.db);
    await chain.pay(deposit.address, price);
    expect(codeOf(await relays.accept(await request(signer)))).toBe("busy");
    await credit(gas, chain.usdc);
    expect(codeOf(await relays.accept(await request(signer)))).toBe("closed");
    expect(await spent()).toBe(0);
  });

  test("of a part changes what is to be signed", async () => {
    const signer = await newSigner(chain, price);
    const { deposit, request } = owed(gas.db);
    await chain.pay(deposit.address, 10_000_000n);
    await credit(gas, chain.usdc);
    expect(codeOf(await relays.accept(await request(signer)))).toBe("amount");
    const rest = await relays.accept(await request(signer, { amount: 15_000_000n }));
    expect(await relays.end(rest)).toMatchObject({ state: "confirmed" });
    expect(await relays.held(deposit)).toBe(price);
  });

  test("that races a relay arrives, too, and is told as more than was due", async () => {
    const signer = await newSigner(chain, price);
    const { id, deposit, request } = owed(gas.db);
    const answer = await relays.accept(await request(signer));
    await chain.pay(deposit.address, price);
    expect(await relays.end(answer)).toMatchObject({ state: "confirmed" });
    await credit(gas, chain.usdc);
    expect(InvoiceStore.byId(gas.db, id)?.deposit.received).toBe((2n * price) as never);
  });
});

describe("what is closed while a relay is on its way", () => {
  test("a link whose time is over takes the payment all the same, and no signature from then on", async () => {
    const signer = await newSigner(chain, 2n * price);
    const link = storeLink(gas.db, { payoutWallet: newWallet(), total: "25.00" });
    gas.db.query("UPDATE link SET expires_at = ? WHERE id = ?").run(gas.now() + 60_000, link.id);
    const payable = () => {
      const now = LinkStore.bySlug(gas.db, link.slug);
      return now && payableOf(ofLink(now), gas.now());
    };
    const post = async () => {
      const signed = await signer.sign({ to: link.deposit.address, amount: price });
      return { source: "x402" as const, payable, paymentIdentifier: null, ...signed };
    };
    const answer = await relays.accept(await post());
    gas.pass(61_000);
    expect(await relays.end(answer)).toMatchObject({ state: "confirmed" });
    expect(LinkStore.bySlug(gas.db, link.slug)?.deposit.received).toBe(price as never);
    const over = storeLink(gas.db, { payoutWallet: newWallet(), total: "25.00" });
    gas.db.query("UPDATE link SET expires_at = ? WHERE id = ?").run(gas.now() - 1, over.id);
    const signed = await signer.sign({ to: over.deposit.address, amount: price });
    const late = () => {
      const now = LinkStore.bySlug(gas.db, over.slug);
      return now && payableOf(ofLink(now), gas.now());
    };
    const posted = { source: "x402" as const, payable: late, paymentIdentifier: null, ...signed };
    expect(codeOf(await relays.accept(posted))).toBe("closed");
  });

  for (const column of ["voided_at", "marked_paid_at"] as const)
    test(`an invoice (${column}) is credited with what was signed before, and asks for no more`, async () => {
      const signer = await newSigner(chain, 2n * price);
      const { id, request } = owed(gas.db);
      const answer = await relays.accept(await request(signer));
      const depositIndex = InvoiceStore.byId(gas.db, id)?.deposit.index ?? -1;
      const said = { voided_at: { voidedAt: gas.now() }, marked_paid_at: { markedPaidAt: gas.now() } }[
        column
      ];
      const status = column === "voided_at" ? "void" : "paid";
      ReceivableStore.setClosed(
        gas.db,
        { kind: "invoice", depositIndex },
        { ...Common.open, ...said },
        status,
      );
      expect(await relays.end(answer)).toMatchObject({ state: "confirmed" });
      expect(InvoiceStore.byId(gas.db, id)?.deposit.received).toBe(price as never);
      expect(codeOf(await relays.accept(await request(signer)))).toBe("closed");
    });
});

describe("the gas of payers", () => {
  test("is not spent on more than an account has, over all that is on its way", async () => {
    const signer = await newSigner(chain, price + price / 2n);
    await blocksByHand();
    expect(codeOf(await relays.accept(await owed(gas.db).request(signer)))).toBe("accepted");
    expect(codeOf(await relays.accept(await owed(gas.db).request(signer)))).toBe("balance");
    expect(pending()).toBe(1);
  });

  test("is not spent on more at once than may fail in an hour", async () => {
    const signer = await newSigner(chain, 10n * price);
    await blocksByHand();
    const codes: string[] = [];
    for (let i = 0; i < 5; i++) codes.push(codeOf(await relays.accept(await owed(gas.db).request(signer))));
    expect(codes).toEqual(["accepted", "accepted", "accepted", "queue", "queue"]);
    await followAll(gas, () => {});
    await take(signer);
    await chain.mine(1);
    await followAll(gas, () => {});
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, `0x${price.toString(16)}`]);
    expect(relaysTo(gas.db).map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
    expect(codeOf(await relays.accept(await owed(gas.db).request(signer)))).toBe("failures");
  });

  test("is not spent on one address to pay, whoever signs, after so many failures", async () => {
    const { request } = owed(gas.db);
    for (let i = 0; i < 3; i++) {
      const signer = await newSigner(chain, price);
      await blocksByHand();
      const relay = relayOf(await relays.accept(await request(signer)));
      await relays.step(relay);
      await take(signer);
      await chain.mine(1);
      expect((await relays.step(relay)).relay.failure).toBe("reverted");
      await chain.rpc("evm_setAutomine", [true]);
    }
    const honest = await newSigner(chain, price);
    expect(codeOf(await relays.accept(await request(honest)))).toBe("failures");
    expect(codeOf(await relays.accept(await owed(gas.db).request(honest)))).toBe("accepted");
    forgetSpending(gas.db);
    expect(codeOf(await relays.accept(await request(await newSigner(chain, price))))).toBe("accepted");
  });

  test("of a day is a budget: it ends, and comes again", async () => {
    const first = owed(gas.db);
    await relays.end(await relays.accept(await first.request(await newSigner(chain, price))));
    const { wei } = GasTransactionStore.relaysSpent(gas.db, gas.chainId, 0);
    expect(wei).toBeGreaterThan(0n);
    const signer = await newSigner(chain, price);
    const second = await owed(gas.db).request(signer);
    expect(codeOf(await relays.accept(second, { budget: wei }))).toBe("budget");
    expect(pending()).toBe(0);
    gas.pass(25 * 3_600_000);
    expect(GasTransactionStore.relaysSpent(gas.db, gas.chainId, gas.now() - 24 * 3_600_000).wei).toBe(0n);
  });

  test("of a day has room for what waits, each with the gas that it may take", async () => {
    const { usdc: to } = chain;
    const [small, large] = await Promise.all(
      [160_000n, 4n * 160_000n].map((gasLimit) => quote(gas, [{ gasLimit, data: `0x${"11".repeat(356)}` }])),
    );
    await submit(gas, { purpose: "relay", to, data: "0x", gasLimit: 4n * 160_000n, reason: "waits" });
    const posted = await owed(gas.db).request(await newSigner(chain, price));
    const room = (small?.cost ?? 0n) + (large?.cost ?? 0n);
    expect(codeOf(await relays.accept(posted, { budget: (room * 8n) / 10n }))).toBe("budget");
    expect(codeOf(await relays.accept(posted, { budget: (room * 12n) / 10n }))).toBe("accepted");
  });

  test("leaves the reserve to settlements", async () => {
    const signer = await newSigner(chain, price);
    const all = 10n ** 19n;
    expect(codeOf(await relays.accept(await owed(gas.db).request(signer), { reserve: all }))).toBe("reserve");
    expect(Ether.format(all)).toBe("10");
  });

  test("is not spent while the base fee is above the limit", async () => {
    const signer = await newSigner(chain, price);
    expect(codeOf(await relays.accept(await owed(gas.db).request(signer), { feeMax: 1n }))).toBe("fees");
  });

  test("rises no higher than twice that limit for a relay that waits", async () => {
    const signer = await newSigner(chain, price);
    const { baseFeePerGas } = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as {
      baseFeePerGas: string;
    };
    const feeMax = BigInt(baseFeePerGas);
    await blocksByHand();
    const relay = relayOf(await relays.accept(await owed(gas.db).request(signer), { feeMax }));
    await relays.step(relay);
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", [`0x${(feeMax * 10n).toString(16)}`]);
    await chain.mine(1);
    for (let i = 0; i < 4; i++) {
      gas.pass(61_000);
      expect((await relays.step(relay)).progress?.kind).toBe("fees-high");
    }
    const offered = GasTransactionStore.listAttempts(gas.db, relay.transactionId).map((each) => each.feeMax);
    expect(offered.every((fee) => fee <= 2n * feeMax)).toBe(true);
    expect((await relays.step(relay)).relay.state).toBe("sent");
    // Nothing of the merchant's waits for it: a settlement by hand may begin.
    expect(await finishPending(gas, { usdc: chain.usdc, min: price as Usdc.Usdc })).toBeNull();
  });
});

describe("a relay whose fee has risen", () => {
  const attemptsOf = (id: number) => GasTransactionStore.listAttempts(gas.db, id).length;
  const baseFee = 10n ** 9n;
  /** A block that asks so much for a unit of gas. */
  async function mineAt(wei: bigint) {
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", [`0x${wei.toString(16)}`]);
    await chain.mine(1);
  }
  /** One that no block takes before the fees have risen. */
  async function stuck() {
    await mineAt(baseFee);
    const signer = await newSigner(chain, price);
    await blocksByHand();
    const posted = await owed(gas.db).request(signer);
    const relay = relayOf(await relays.accept(posted));
    await relays.step(relay);
    await chain.rpc("anvil_dropAllTransactions");
    return { signer, posted, relay };
  }
  async function rise() {
    await mineAt(8n * baseFee);
    gas.pass(61_000);
  }
  const settleBehind = () =>
    submit(gas, {
      purpose: "settle",
      to: gas.wallet.gasAddress,
      data: "0x",
      gasLimit: 21_000n,
      reason: "behind",
    });

  test("offers more within the budget, and says so when that is used up", async () => {
    const { relay } = await stuck();
    gas.relayBudget = 160_000n * 6n * baseFee;
    await rise();
    const { progress } = await relays.step(relay);
    expect(progress && obstacleOf(progress)).toContain("Payments by a signature may cost");
    expect(attemptsOf(relay.transactionId)).toBe(1);
    gas.relayBudget *= 10n;
    expect((await relays.step(relay)).progress?.kind).toBe("waiting");
    expect(attemptsOf(relay.transactionId)).toBe(2);
    await chain.rpc("evm_setAutomine", [true]);
    await chain.mine(1);
    expect((await relays.end({ kind: "accepted", relay, isNew: false })).state).toBe("confirmed");
  });

  test("makes way for a settlement that its budget has no room for, and nobody pays again while it can be used", async () => {
    const { relay } = await stuck();
    gas.relayBudget = 160_000n * 6n * baseFee;
    await settleBehind();
    for (let i = 0; i < 4; i++) {
      await rise();
      await advanceAll(gas);
    }
    expect(GasTransactionStore.listPending(gas.db, gas.chainId)).toEqual([]);
    expect(GasTransactionStore.relaysSpent(gas.db, gas.chainId, 0).wei).toBeLessThan(gas.relayBudget);
    const [newest, first] = GasTransactionStore.listAttempts(gas.db, relay.transactionId);
    expect(newest?.sentAt).not.toBeNull();
    const isWaiting = async () =>
      expect((await relays.step(relay)).relay).toMatchObject({ state: "sent", txHash: first?.hash });
    await isWaiting();
    const mineWhen = async (sec: number) => {
      await chain.rpc("anvil_setNextBlockTimestamp", [`0x${sec.toString(16)}`]);
      await chain.mine(1);
    };
    await mineWhen(relay.validBeforeSec - 1);
    await isWaiting();
    await mineWhen(relay.validBeforeSec);
    expect((await relays.step(relay)).relay).toMatchObject({ state: "failed", failure: "expired" });
  });

  test("that made way still counts when somebody else uses it", async () => {
    const { posted, relay } = await stuck();
    gas.relayBudget = 160_000n * 6n * baseFee;
    await settleBehind();
    for (let i = 0; i < 4; i++) {
      await rise();
      await advanceAll(gas);
    }
    await chain.rpc("evm_setAutomine", [true]);
    expect((await relays.front(posted)).status).toBe("success");
    expect((await relays.end({ kind: "accepted", relay, isNew: false })).state).toBe("confirmed");
  });

  test("offers no more once the token would refuse it, and makes way for what waits behind it", async () => {
    const { signer, relay } = await stuck();
    await take(signer);
    await rise();
    expect((await relays.step(relay)).progress?.kind).toBe("pointless");
    expect(attemptsOf(relay.transactionId)).toBe(1);
    await chain.rpc("anvil_dropAllTransactions");
    await settleBehind();
    for (let i = 0; i < 4; i++) {
      await rise();
      await advanceAll(gas);
    }
    expect(GasTransactionStore.listPending(gas.db, gas.chainId)).toEqual([]);
    expect(GasTransactionStore.byId(gas.db, relay.transactionId)).toMatchObject({
      data: "0x",
      gasLimit: 21_000n,
    });
  });

  test("does not make way for a refusal that is not deep in the chain", async () => {
    gas.close();
    gas = await openGasAccount(chain, { confirmations: 2 });
    relays = await openRelays(chain, gas);
    const { signer, relay } = await stuck();
    await settleBehind();
    await rise();
    await take(signer);
    await relays.step(relay);
    expect(GasTransactionStore.byId(gas.db, relay.transactionId)?.data).not.toBe("0x");
    expect(attemptsOf(relay.transactionId)).toBe(2);
  });

  test("does not make way for another one that has nothing to do any more", async () => {
    const { relay } = await stuck();
    const other = owed(gas.db);
    await chain.rpc("evm_setAutomine", [true]);
    const posted = await other.request(await newSigner(chain, price));
    await blocksByHand();
    const behind = relayOf(await relays.accept(posted));
    await chain.rpc("evm_setAutomine", [true]);
    await relays.front(posted);
    await blocksByHand();
    await credit(gas, chain.usdc);
    await relays.step(behind);
    expect(GasTransactionStore.byId(gas.db, behind.transactionId)?.data).toBe("0x");
    gas.relayBudget = 160_000n * 6n * baseFee;
    await rise();
    expect((await relays.step(relay)).progress?.kind).toBe("fees-high");
    expect(GasTransactionStore.byId(gas.db, relay.transactionId)?.data).not.toBe("0x");
  });

  test("leaves the budget's room to the first of those that have offered nothing", async () => {
    await mineAt(baseFee);
    const posted: Posted[] = [];
    for (let i = 0; i < 4; i++) posted.push(await owed(gas.db).request(await newSigner(chain, price)));
    await blocksByHand();
    const waiting: RelayStore.StoredRelay[] = [];
    for (const each of posted) waiting.push(relayOf(await relays.accept(each)));
    await mineAt((baseFee * 1_125n) / 1_000n);
    // Room for two of them at these fees.
    gas.relayBudget = 160_000n * 7n * baseFee;
    for (const each of waiting) await relays.step(each);
    expect(waiting.map(({ transactionId }) => attemptsOf(transactionId))).toEqual([1, 1, 0, 0]);
  });
});

describe("a smart wallet", () => {
  test("that burns gas to check a signature is refused above the cap (SR6)", async () => {
    const signer = await newSmartSigner(chain, price);
    await send(chain, { to: signer.address, data: encode(keyWalletAbi, "setRounds", [2_000n]) });
    const posted = await owed(gas.db).request(signer);
    expect(codeOf(await relays.accept(posted))).toBe("gas");
    await send(chain, { to: signer.address, data: encode(keyWalletAbi, "setRounds", [100_000n]) });
    expect(codeOf(await relays.accept(posted))).toBe("signature");
    expect(await spent()).toBe(0);
  });

  test("that burns gas at inclusion only costs no more than its limit", async () => {
    const signer = await newSmartSigner(chain, price);
    await blocksByHand();
    const { request, deposit } = owed(gas.db);
    const relay = relayOf(await relays.accept(await request(signer)));
    await chain.rpc("evm_setAutomine", [true]);
    await send(chain, { to: signer.address, data: encode(keyWalletAbi, "setRounds", [100_000n]) });
    const end = await relays.end({ kind: "accepted", relay, isNew: true });
    expect(end).toMatchObject({ state: "failed", failure: "reverted" });
    const receipt = (await chain.rpc("eth_getTransactionReceipt", [end.txHash])) as { gasUsed: string };
    expect(Number(receipt.gasUsed)).toBeLessThanOrEqual(400_000);
    expect(await relays.held(deposit)).toBe(0n);
  });

  test("that judges in another way when gas has a price costs nothing", async () => {
    const wallet = await deployTurncoat(chain);
    await mint(chain, wallet, price);
    const posted = await owed(gas.db).request(await newSigner(chain, 0n), { from: wallet });
    expect(codeOf(await relays.accept(posted))).toBe("rejected");
    expect(await spent()).toBe(0);
  });

  test("that changes its mind fails, and nothing was moved", async () => {
    const signer = await newSmartSigner(chain, price);
    const { request, deposit } = owed(gas.db);
    const relay = relayOf(await relays.accept(await request(signer)));
    await send(chain, { to: signer.address, data: encode(keyWalletAbi, "close") });
    expect(await relays.end({ kind: "accepted", relay, isNew: true })).toMatchObject({
      state: "failed",
      failure: "reverted",
    });
    expect(await relays.held(deposit)).toBe(0n);
  });

  test("that a key delegates to (EIP-7702) is asked, and not the key", async () => {
    const signer = await newSigner(chain, price);
    const other = await newSmartSigner(chain, 0n);
    await chain.rpc("anvil_setCode", [signer.address, `0xef0100${other.address.slice(2)}`]);
    const posted = await owed(gas.db).request(signer);
    expect(codeOf(await relays.accept(posted))).toBe("signature");
    expect(await spent()).toBe(0);
  });

  test("whose code comes after the signature was taken fails, and is refused from then on", async () => {
    const signer = await newSigner(chain, price);
    const wallet = await newSmartSigner(chain, 0n);
    const { request } = owed(gas.db);
    const posted = await request(signer);
    const answer = await relays.accept(posted);
    await chain.rpc("anvil_setCode", [signer.address, `0xef0100${wallet.address.slice(2)}`]);
    expect(await relays.end(answer)).toMatchObject({ state: "failed" });
    expect(codeOf(await relays.accept(posted))).toBe("signature");
  });
});

describe("a signature for something else", () => {
  const domains: Record<string, (own: Record<string, unknown>) => Record<string, unknown>> = {
    "another chain": (own) => ({ ...own, chainId: 1n }),
    "another token": (own) => ({ ...own, verifyingContract: stranger }),
    "another version": (own) => ({ ...own, version: "1" }),
    "the name of Base Sepolia": (own) => ({ ...own, name: "USDC" }),
  };
  for (const [what, change] of Object.entries(domains))
    test(`${what} is refused before any gas`, async () => {
      const signer = await newSigner(chain, price);
      const posted = await owed(gas.db).request(signer);
      const domain = change(await readDomain(gas.rpc, { chainId: gas.chainId, token: chain.usdc }));
      const signature = await signTransfer(signer, posted, domain, "TransferWithAuthorization");
      expect(codeOf(await relays.accept({ ...posted, signature }))).toBe("signature");
      expect(await spent()).toBe(0);
    });

  test("receiving (ReceiveWithAuthorization) is refused", async () => {
    const signer = await newSigner(chain, price);
    const posted = await owed(gas.db).request(signer);
    const domain = await readDomain(gas.rpc, { chainId: gas.chainId, token: chain.usdc });
    const signature = await signTransfer(signer, posted, domain, "ReceiveWithAuthorization");
    expect(codeOf(await relays.accept({ ...posted, signature }))).toBe("signature");
  });

  test("garbage of every length is refused without a call that pays", async () => {
    const signer = await newSigner(chain, price);
    const posted = await owed(gas.db).request(signer);
    const bytes = (count: number) => `0x${"ab".repeat(count)}` as const;
    for (const signature of ["0x" as const, bytes(64), bytes(66), bytes(5_000), "0xzz" as const])
      expect(codeOf(await relays.accept({ ...posted, signature }))).toBe("form");
    expect(["form", "signature"]).toContain(codeOf(await relays.accept({ ...posted, signature: bytes(65) })));
    expect(await spent()).toBe(0);
  });

  function signTransfer(signer: Signer, { auth }: Posted, domain: object, primaryType: string) {
    const fields = [
      "from:address",
      "to:address",
      "value:uint256",
      "validAfter:uint256",
      "validBefore:uint256",
      "nonce:bytes32",
    ];
    const types = {
      [primaryType]: fields.map((field) => ({ name: field.split(":")[0], type: field.split(":")[1] })),
    };
    const message = {
      from: auth.from,
      to: auth.to,
      value: auth.amount,
      validAfter: BigInt(auth.validAfterSec),
      validBefore: BigInt(auth.validBeforeSec),
      nonce: auth.nonce,
    };
    return signer.key.signTypedData({ domain, types, primaryType, message } as never);
  }
});

describe("the clock of Till", () => {
  test("an hour behind takes what the chain takes", async () => {
    gas.pass(-3_600_000);
    const answer = await relays.accept(await owed(gas.db).request(await newSigner(chain, price)));
    expect(await relays.end(answer)).toMatchObject({ state: "confirmed" });
  });

  test("an hour ahead refuses, and sends nothing", async () => {
    gas.pass(3_600_000);
    expect(codeOf(await relays.accept(await owed(gas.db).request(await newSigner(chain, price))))).toBe(
      "late",
    );
    expect(await spent()).toBe(0);
  });
});

test("what one relay's node says holds up no other", async () => {
  // One after the other: both are paid for by one account, whose transactions would take each other's place.
  const signers = [await newSigner(chain, price), await newSigner(chain, price)];
  const proxy = startRpcProxy(chain.rpcUrl);
  const behind = await openGasAccount(chain, { rpcUrl: proxy.url });
  const through = await openRelays(chain, behind);
  const [bad, good] = [owed(behind.db), owed(behind.db)];
  const [first, second] = await Promise.all([
    bad.request(signers[0] as Signer),
    good.request(signers[1] as Signer),
  ]);
  const one = relayOf(await through.accept(first));
  const two = relayOf(await through.accept(second));
  proxy.answer = ({ method, params }) => {
    const of = GasTransactionStore.listAttempts(behind.db, one.transactionId)[0]?.hash;
    if (method === "eth_getTransactionReceipt" && of !== undefined && params[0] === of)
      return { result: "nonsense" };
    return undefined;
  };
  let seen = "";
  await until(
    async () => {
      await followAll(behind, ({ relay }) => {
        if (relay.id === two.id) seen = relay.state;
      }).catch(() => {});
      return seen;
    },
    (state) => state === "mined",
  );
  behind.close();
  await proxy.stop();
});
