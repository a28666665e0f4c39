import type { Hex } from "viem";
import usdcArtifact from "../../../../assets/contracts/artifacts/DevUsdc.json";
import forwarderArtifact from "../../../../assets/contracts/artifacts/Forwarder.json";
import factoryArtifact from "../../../../assets/contracts/artifacts/TillFactory.json";
import { payers } from "../../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../../src/domain/wallet/deposit-address.ts";
import { type Deposit, eth } from "../../../support/chain/deposits.ts";
import { type Call, encode, send } from "../../../support/chain/evm.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { judgeBalances } from "./balances.ts";
import { judgeCalls, type Wallets } from "./judge.ts";
import { depositOf, moodyAbi, type World } from "./world.ts";

const { factory, implementation, deployer } = DepositAddress;

const depositsMax = 8;
const actionsMax = 12;
/** Of a call; a megabyte takes two million each time that it is copied. */
const gasMax = 15_000_000;
const moodsMax = 20;

/** What was sent to anybody, by token and address. */
export type Sent = Map<string, bigint>;

/** One round: its deposits, and what has been done to them. */
type Round = { world: World; random: Random; deposits: readonly Deposit[]; sent: Sent; wallets: Wallets };

/**
 * Does what strangers, tokens and payout wallets may do to deposits of a seed, then what Till does. Returns what broke
 * a promise of the contracts, in the order in which it happened. The chain is as it was before afterwards.
 */
export async function attack(world: World, seed: number): Promise<string[]> {
  await world.reset();
  const random = createRandom(seed);
  const deposits = makeDeposits(world, random);
  const wallets = new Map(deposits.map(({ address, payoutWallet }) => [address.toLowerCase(), payoutWallet]));
  const round: Round = { world, random, deposits, sent: new Map(), wallets };
  const faults: string[] = [];
  const moody = [...world.moodyTokens, ...world.moodyWallets];
  const begin = [
    ...moody.map((to) => moodOf(round, to)),
    ...moody.map((to) => planOf(round, to)),
    ...deposits.flatMap(({ address }) => [payment(round, address), payment(round, address)]),
    ...world.tokens.map((token) => wholeSettlement(round, token)),
  ];
  const end = begin.length + random.between(4, actionsMax);
  for (let at = 0; at < end; at++) {
    const action = begin[at] ?? anyAction(round);
    for (const fault of await perform(round, action)) faults.push(`${at}. ${action.what}: ${fault}`);
  }
  faults.push(...(await judgeBalances(world, deposits, round.sent)));
  faults.push(...(await settleAmongHostile(round)));
  await calmDown(round);
  faults.push(...(await settleAll(round)));
  faults.push(...(await judgeBalances(world, deposits, round.sent)));
  return faults;
}

/** Of every kind of wallet, some with the same salt, and one that pays another deposit address. */
function makeDeposits({ plainWallets, moodyWallets, edges }: World, random: Random): Deposit[] {
  const salts = [`0x${"0".repeat(64)}`, `0x${"f".repeat(64)}`, word(random), word(random)] as const;
  const made = [depositOf(random.pick(plainWallets), random.pick(salts))];
  made.push(depositOf(made[0]?.address ?? Address.zero, random.pick(salts)));
  const own = [...plainWallets, ...moodyWallets];
  const wallets = [...own, ...own, ...own, ...edges];
  const count = random.between(3, depositsMax);
  while (made.length < count) made.push(depositOf(random.pick(wallets), random.pick(salts)));
  return made;
}

type Action = Call & {
  what: string;
  to?: Address.Address;
  pays?: { token: Address.Address; of: Address.Address; amount: bigint };
};

function anyAction(round: Round): Action {
  const { world, random, deposits } = round;
  const kind = random.between(0, 99);
  const from = random.pick(payers);
  const target = random.chance(0.6) ? random.pick(deposits).address : random.pick([factory, implementation]);
  if (kind < 20) return { ...payment(round, target), from };
  const moody = random.pick([...world.moodyTokens, ...world.moodyWallets]);
  if (kind < 30) return moodOf(round, moody);
  if (kind < 40) return planOf(round, moody);
  if (kind < 45) {
    const of = random.chance(0.5) ? random.pick(deposits).address : random.pick(deposits).payoutWallet;
    return {
      what: "blacklist",
      to: world.chain.usdc,
      data: encode(usdcArtifact.abi, "blacklist", [of]),
      from,
    };
  }
  if (kind < 46)
    return { what: "pause", to: world.chain.usdc, data: encode(usdcArtifact.abi, "pause"), from };
  const value = random.chance(0.15) ? 3n : 0n;
  const call = anyCall(round);
  const gas = leastGas(call.data) + random.between(15_000, random.pick([300_000, gasMax]));
  return { ...call, value, gas: BigInt(gas), from };
}

function moodOf({ random }: Round, to: Address.Address): Action {
  // Whoever calls back finds the most: the first two moods, or the first.
  const mood = random.chance(0.3) ? random.between(1, 2) : random.between(0, moodsMax);
  return { what: `mood ${mood} of ${to}`, to, data: encode(moodyAbi, "setMood", [mood]) };
}

/** A call that it makes when it is its turn. */
function planOf(round: Round, moody: Address.Address): Action {
  const { what, to, data } = anyCall(round);
  return { what: `plan ${what}`, to: moody, data: encode(moodyAbi, "plan", [to, data]) };
}

/** With less, a transaction with this data is in no block (EIP-7623). */
const leastGas = (data: Hex) => 21_000 + 40 * (data.length / 2 - 1);

/** All deposits at once by a stranger who spares no gas: whoever calls back gets far. */
function wholeSettlement({ deposits }: Round, token: Address.Address): Action {
  const data = encode(factoryArtifact.abi, "settle", [token, deposits, 1_000_000n]);
  return { what: `settle all of ${token}`, to: factory, data, gas: BigInt(gasMax) };
}

/** Something arrives: a token, ETH as anybody sends it, or ETH that nobody can refuse. */
function payment({ world, random }: Round, of: Address.Address): Action {
  const token = random.chance(0.3) ? eth : random.pick(world.tokens);
  const amount = BigInt(random.between(1, 1_000));
  const pays = { token, of, amount };
  const what = `${amount} of ${token} to ${of}`;
  if (token !== eth) {
    const data = encode(usdcArtifact.abi, "mint", [of, amount]);
    return { what, to: token, data, pays };
  }
  if (random.chance(0.5)) return { what, to: of, value: amount, pays };
  // PUSH20 address, SELFDESTRUCT.
  return { what: `${what}, by force`, data: `0x73${of.slice(2)}ff`, value: amount, pays };
}

/** What anybody can call, right or wrong. */
function anyCall(round: Round): { what: string; to: Address.Address; data: Hex } {
  const { world, random, deposits } = round;
  const { payoutWallet, salt, address } = random.pick(deposits);
  const token = random.chance(0.9) ? random.pick(world.tokens) : random.pick([...world.edges, address]);
  const target = random.pick([address, address, address, implementation, factory]);
  const kind = random.between(0, 99);
  if (kind < 40) {
    const count = random.chance(0.03) ? 150 : random.between(0, 8);
    const listed = Array.from({ length: count }, () => random.pick(deposits));
    // Whose salt meets whose wallet.
    const pairs = listed.map((deposit) =>
      random.chance(0.8) ? deposit : { ...deposit, payoutWallet: random.pick(deposits).payoutWallet },
    );
    const kept = BigInt(random.pick([0, 1, 60_000, 110_000, 1_000_000]));
    const data = encode(factoryArtifact.abi, "settle", [
      token,
      pairs,
      random.chance(0.02) ? 1n << 255n : kept,
    ]);
    return { what: `settle ${count} of ${token}`, to: factory, data: maybeBroken(random, data) };
  }
  if (kind < 50) {
    const wallet = random.chance(0.7) ? payoutWallet : random.pick(deposits).payoutWallet;
    const name = random.pick(["deploy", "deploy", "predict"]);
    const data = encode(factoryArtifact.abi, name, [wallet, salt]);
    return { what: `${name} ${wallet}`, to: factory, data: maybeBroken(random, data) };
  }
  if (kind < 80) {
    const data = encode(forwarderArtifact.abi, "flush", [token]);
    return { what: `flush ${token} of ${target}`, to: target, data: maybeBroken(random, data) };
  }
  if (kind < 85)
    return {
      what: `payoutWallet of ${target}`,
      to: target,
      data: encode(forwarderArtifact.abi, "payoutWallet"),
    };
  if (kind < 90)
    return { what: "implementation", to: factory, data: encode(factoryArtifact.abi, "implementation") };
  if (kind < 96) {
    const moody = random.pick([...world.moodyTokens, ...world.moodyWallets]);
    return { what: `act of ${moody}`, to: moody, data: encode(moodyAbi, "act") };
  }
  const to = random.pick([target, deployer]);
  return { what: `nonsense to ${to}`, to, data: `0x${bytes(random, random.between(0, 80))}` };
}

/** Mostly the same; else with a bit turned, cut off, or longer. */
function maybeBroken(random: Random, data: Hex): Hex {
  if (random.chance(0.75)) return data;
  const all = Buffer.from(data.slice(2), "hex");
  if (random.chance(0.3)) return `0x${all.subarray(0, random.between(0, all.length)).toString("hex")}`;
  if (random.chance(0.5)) return `${data}${bytes(random, random.between(1, 64))}`;
  const at = random.between(0, all.length - 1);
  all[at] = (all[at] ?? 0) ^ (1 << random.between(0, 7));
  return `0x${all.toString("hex")}`;
}

async function perform(
  { world, sent, wallets }: Round,
  { what: _, pays, ...call }: Action,
): Promise<string[]> {
  const { status, transactionHash } = await send(world.chain, call);
  const faults = await judgeCalls(world, transactionHash, wallets);
  if (status !== "success") return faults;
  if (pays) count(sent, pays);
  // The deployer passes it on to what it creates.
  else if (call.value && call.to && call.to !== deployer) {
    // Without a contract, an address takes ETH with whatever call.
    const isBare = call.data === "0x" || (await world.chain.codeAt(call.to)) === "0x";
    if (!isBare) faults.push(`it took ${call.value} wei`);
    count(sent, { token: eth, of: call.to, amount: call.value });
  }
  return faults;
}

function count(sent: Sent, { token, of, amount }: NonNullable<Action["pays"]>): void {
  const key = `${token} ${of}`;
  sent.set(key, (sent.get(key) ?? 0n) + amount);
}

/** With the gas that Till gives it, whoever can be paid is, whatever the other payout wallets do. */
async function settleAmongHostile({ world, deposits, random, wallets }: Round): Promise<string[]> {
  const token = random.pick([eth, world.chain.usdc]);
  const { status, transactionHash } = await world.chain.settle(token, deposits);
  if (status !== "success") return [`a settlement of ${token} among hostile wallets fails as a whole`];
  const faults = await judgeCalls(world, transactionHash, wallets);
  if (token !== eth) return faults;
  for (const { address, payoutWallet } of deposits) {
    if (!world.plainWallets.includes(payoutWallet)) continue;
    const left = await world.held(eth, address);
    // Another one of the batch may pay this address after it was flushed.
    const isPaidHere = deposits.some((other) => other.payoutWallet === address);
    if (left > 0n && !isPaidHere) faults.push(`${address} keeps ${left} wei among hostile wallets`);
  }
  return faults;
}

async function calmDown({ world, deposits }: Round): Promise<void> {
  const { chain, moodyTokens, moodyWallets } = world;
  for (const to of [...moodyTokens, ...moodyWallets])
    await send(chain, { to, data: encode(moodyAbi, "setMood", [0]) });
  await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unpause") });
  for (const of of deposits.flatMap(({ address, payoutWallet }) => [address, payoutWallet]))
    await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "unBlacklist", [of]) });
}

/** Nothing that was done before keeps the money from arriving, where the payout wallet takes it. */
async function settleAll({ world, deposits, wallets }: Round): Promise<string[]> {
  const faults: string[] = [];
  for (const token of world.tokens) {
    // What one deposit address pays to another goes on with the second settlement.
    for (const each of ["first", "second"]) {
      const { status, transactionHash } = await world.chain.settle(token, deposits);
      if (status !== "success") faults.push(`the ${each} settlement of ${token} fails as a whole`);
      faults.push(...(await judgeCalls(world, transactionHash, wallets)));
    }
    for (const { address, payoutWallet } of deposits) {
      const left = await world.held(token, address);
      if (left > 0n && takes(world, token, payoutWallet)) faults.push(`${address} keeps ${left} of ${token}`);
      if ((await world.chain.codeAt(address)) === "0x") faults.push(`${address} was not created`);
    }
  }
  return faults;
}

/** Some contracts take no ETH, and USDC does not go to the zero address. */
function takes({ edges, chain }: World, token: Address.Address, wallet: Address.Address): boolean {
  if (token === eth) return !edges.includes(wallet);
  return token !== chain.usdc || wallet !== Address.zero;
}

const bytes = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.between(0, 255).toString(16).padStart(2, "0")).join("");
const word = (random: Random): Hex => `0x${bytes(random, 32)}`;
