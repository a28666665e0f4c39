import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Hex } from "viem";
import forwarderArtifact from "../../../assets/contracts/artifacts/Forwarder.json";
import factoryArtifact from "../../../assets/contracts/artifacts/TillFactory.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import type * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { type Deposit, type DepositChain, eth, startDepositChain } from "../../support/chain/deposits.ts";
import { encode, send } from "../../support/chain/evm.ts";

/** More runs when asked for; a few find what is plainly wrong. */
const runs = Number(process.env["TILL_TEST_RUNS"] || 20);

const { factory, implementation, deployer } = DepositAddress;

let chain: DepositChain;
let tokens: Address.Address[];
let hostileWallets: Address.Address[];
beforeAll(async () => {
  chain = await startDepositChain();
  tokens = [
    chain.usdc,
    eth,
    await chain.deployHostile("SilentToken"),
    await chain.deployHostile("ReenteringToken"),
  ];
  // One after the other: Anvil gives two transactions of an account that come at once the same nonce.
  hostileWallets = [
    await chain.deployHostile("ReenteringWallet"),
    await chain.deployHostile("BurningWallet"),
    await chain.deployHostile("RefusingWallet"),
  ];
});
afterAll(() => chain.stop());

/** What is picked from lists that only exist when the chain runs. */
const pick = fc.nat({ max: 1_000 });
const action = fc.record({
  kind: fc.constantFrom("settle", "deploy", "flush", "raw"),
  caller: pick,
  token: pick,
  target: pick,
  /** Pairs of a payout wallet and a salt, right ones and mixed-up ones. */
  pairs: fc.array(fc.tuple(pick, pick), { minLength: 1, maxLength: 4 }),
  gasPerDeposit: fc.bigInt({ min: 0n, max: 300_000n }),
  gas: fc.bigInt({ min: 60_000n, max: 3_000_000n }),
  data: fc.uint8Array({ maxLength: 100 }),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length];
  if (found === undefined) throw new RangeError("Nothing to pick from");
  return found;
};

/** Whoever calls whatever: with other people's salts, with themselves as payout wallet, with too little gas. */
async function perform(act: Action, deposits: readonly Deposit[]): Promise<void> {
  const from = at(payers, act.caller);
  const wallets = [...deposits.map(({ payoutWallet }) => payoutWallet), ...payers];
  const token = at([...tokens, ...tokens, factory, from], act.token);
  const target = at([...deposits.map(({ address }) => address), factory, implementation], act.target);
  const pairs = act.pairs.map(([wallet, salt]) => ({
    payoutWallet: at(wallets, wallet),
    salt: at(deposits, salt).salt,
  }));
  const first = at(pairs, 0);
  const call = (to: Address.Address, data: Hex) => send(chain, { from, to, data, gas: act.gas });
  if (act.kind === "settle") {
    const listed = [...pairs, at(deposits, act.target)];
    await call(factory, encode(factoryArtifact.abi, "settle", [token, listed, act.gasPerDeposit]));
  } else if (act.kind === "deploy") {
    await call(factory, encode(factoryArtifact.abi, "deploy", [first.payoutWallet, first.salt]));
  } else if (act.kind === "flush") {
    await call(target, encode(forwarderArtifact.abi, "flush", [token]));
  } else {
    await call(target, `0x${Buffer.from(act.data).toString("hex")}`);
  }
}

type Balances = Map<string, bigint>;

async function look(addresses: readonly Address.Address[]): Promise<Balances> {
  const entries = addresses.flatMap((of) =>
    tokens.map(async (token) => [`${token} of ${of}`, await chain.balance(token, of)] as const),
  );
  return new Map(await Promise.all(entries));
}

test("whoever calls the contracts, with whatever: the balance of nobody but the payout wallet grows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 10, size: "max" }), async (actions) => {
      const deposits = [
        chain.newDeposit(),
        chain.newDeposit(),
        ...hostileWallets.map((each) => chain.newDeposit(each)),
      ];
      for (const { address } of deposits) {
        for (const token of tokens) {
          await (token === eth ? chain.sendEth(address, 1_000n) : chain.mint(token, address, 1_000n));
        }
      }
      const others = [
        ...payers,
        ...tokens.filter((token) => token !== eth),
        factory,
        implementation,
        deployer,
      ];
      const held = deposits.map(({ address }) => address);
      const wallets = deposits.map(({ payoutWallet }) => payoutWallet);
      const all = [...others, ...held, ...wallets];
      const before = await look(all);
      for (const act of actions) await perform(act, deposits);
      for (const token of tokens) await chain.settle(token, deposits, 2_000_000n);
      const after = await look(all);

      const grown = (of: Address.Address, token: Address.Address) => {
        const key = `${token} of ${of}`;
        return (after.get(key) ?? 0n) - (before.get(key) ?? 0n);
      };
      for (const token of tokens) {
        // Nothing that was done before keeps the money from arriving, where the payout wallet takes it.
        for (const payoutWallet of token === eth ? wallets.slice(0, 3) : wallets) {
          expect(grown(payoutWallet, token)).toBe(1_000n);
        }
        for (const of of [...others, ...held]) expect(grown(of, token)).toBeLessThanOrEqual(0n);
        // What left a deposit address is in its own payout wallet, to the last unit.
        for (const { address, payoutWallet } of deposits) {
          expect(grown(payoutWallet, token)).toBe(-grown(address, token));
        }
      }
    }),
    { seed: 1, numRuns: runs },
  );
}, 300_000);
