import { type Abi, decodeFunctionData, type Hex } from "viem";
import forwarderArtifact from "../../../../assets/contracts/artifacts/Forwarder.json";
import factoryArtifact from "../../../../assets/contracts/artifacts/TillFactory.json";
import * as Address from "../../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../../src/domain/wallet/deposit-address.ts";
import { type Deposit, eth } from "../../../support/chain/deposits.ts";
import { encode } from "../../../support/chain/evm.ts";
import { depositOf, type World } from "./world.ts";

/** A call that a transaction made, as `debug_traceTransaction` tells it. */
type Frame = {
  type: string;
  gas: Hex;
  from: Hex;
  to?: Hex;
  input: Hex;
  output?: Hex;
  value?: Hex;
  error?: string;
  calls?: Frame[];
};

/** The payout wallet of each deposit address that is known, by the address in lower case. */
export type Wallets = Map<string, Address.Address>;

/** What the factory needs to create a deposit address, and for each that it only flushes. */
const creationGas = 55_000;
const stepGas = 4_000;

const lower = (address: string | undefined) => String(address).toLowerCase();
const factory = lower(DepositAddress.factory);
const implementation = lower(DepositAddress.implementation);

/** Reads the calls that a transaction made and returns each that the contracts must never make. */
export async function judgeCalls(world: World, txHash: Hex, wallets: Wallets): Promise<string[]> {
  // Not by Till's own client, which takes no answer of many megabytes.
  const params = [txHash, { tracer: "callTracer" }];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceTransaction", params });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(world.chain.rpcUrl, { method: "POST", headers, body });
  const { result, error } = (await answer.json()) as { result?: Frame; error?: unknown };
  if (result === undefined) throw new Error(`Anvil does not trace ${txHash}: ${JSON.stringify(error)}`);
  return faultsIn(result, wallets);
}

function faultsIn(frame: Frame, wallets: Wallets): string[] {
  const faults: string[] = [];
  const from = lower(frame.from);
  if (from === factory && frame.type.startsWith("CREATE")) faults.push(...faultOfCreation(frame, wallets));
  else if (from === factory) faults.push(...faultOfFactory(frame, wallets));
  if (from === implementation) faults.push(`the shared implementation calls ${frame.to}`);
  if (wallets.has(from)) faults.push(...faultOfDeposit(frame, wallets));
  if (frame.error === undefined && frame.type.endsWith("CALL")) faults.push(...faultOfAnswer(frame, wallets));
  for (const call of frame.calls ?? []) faults.push(...faultsIn(call, wallets));
  return faults;
}

/** The factory creates clones that know their wallet, where the derivation says, and nothing else. */
function faultOfCreation({ type, to, output, error }: Frame, wallets: Wallets): string[] {
  if (error !== undefined) return [];
  const wallet = decodeWallet(output);
  const expected = wallets.get(lower(to)) ?? wallet;
  if (wallet !== null) wallets.set(lower(to), wallet);
  if (type === "CREATE2" && wallet !== null && wallet === expected) return [];
  return [`the factory creates ${output} at ${to} for ${expected}`];
}

function decodeWallet(code: Hex = "0x"): Address.Address | null {
  if (/0{40}$/.test(code)) return code.length === 2 + 2 * 0x4d ? Address.zero : null;
  return DepositAddress.payoutWalletOf(code);
}

function faultOfFactory({ type, to, input, value }: Frame, wallets: Wallets): string[] {
  const isFlush = type === "CALL" && isNothing(value) && functionOf(forwarderArtifact, input) === "flush";
  return isFlush && wallets.has(lower(to))
    ? []
    : [`the factory calls ${to} with ${value} and ${start(input)}`];
}

/** A deposit address asks a token what it holds, sends exactly that to its own wallet, and calls nobody else. */
function faultOfDeposit({ type, from, to, input, value, calls = [] }: Frame, wallets: Wallets): string[] {
  const wallet = wallets.get(lower(from)) ?? Address.zero;
  const what = `the deposit address ${from} of ${wallet}`;
  if (type === "DELEGATECALL" && lower(to) === implementation) return faultOfOrder(what, wallet, calls);
  const isAsked = type === "STATICCALL" && input === encode(erc20, "balanceOf", [Address.checksum(from)]);
  const isToken = type === "CALL" && isNothing(value) && transferredTo(input) === wallet;
  const isEth = type === "CALL" && !isNothing(value) && input === "0x" && lower(to) === lower(wallet);
  return isAsked || isToken || isEth
    ? []
    : [`${what} calls ${to} by ${type} with ${value} and ${start(input)}`];
}

/** What is sent is what the token said just before. */
function faultOfOrder(what: string, wallet: Address.Address, calls: readonly Frame[]): string[] {
  const [asked, sent, ...more] = calls;
  if (asked === undefined || (asked.type === "CALL" && sent === undefined)) return [];
  if (asked.type !== "STATICCALL" || more.length > 0) return [`${what} calls ${calls.map(({ to }) => to)}`];
  if (sent === undefined) return [];
  const told = firstWord(asked.output);
  const transfer = encode(erc20, "transfer", [wallet, told]);
  return sent.to === asked.to && sent.input === transfer
    ? []
    : [`${what} was told ${told}: ${start(sent.input)}`];
}

/** What was answered without an error is true. */
function faultOfAnswer({ type, to, input, output = "0x", calls = [] }: Frame, wallets: Wallets): string[] {
  if (lower(to) === implementation && type !== "DELEGATECALL")
    return [`the shared implementation takes ${start(input)}`];
  if (lower(to) === factory) return faultOfFactoryAnswer(input, output, calls);
  const wallet = wallets.get(lower(to));
  const work = calls[0]?.calls ?? [];
  // Before there is a contract, a call with whatever data succeeds.
  if (wallet === undefined || calls.length === 0) return [];
  const name = functionOf(forwarderArtifact, input);
  if (name === "payoutWallet") return isWord(output, wallet) ? [] : [`${to} says that it pays ${output}`];
  if (name !== "flush") return input === "0x" ? [] : [`${to} takes ${start(input)}`];
  const isRefused = work.some((call) => call.error !== undefined);
  const token = `0x${input.slice(34, 74)}`;
  if (token === eth) return isRefused ? [`${to} hides that its wallet took no ETH`] : [];
  const [asked, sent] = work;
  const isTold = firstWord(asked?.output) > 0n;
  const said = sent?.output ?? "0x";
  const isDone = sent !== undefined && (said === "0x" || firstWord(said) === 1n);
  return !isRefused && (isDone || !isTold) ? [] : [`${to} hides that ${token} moved nothing`];
}

function faultOfFactoryAnswer(input: Hex, output: Hex, calls: readonly Frame[]): string[] {
  const { functionName, args = [] } = decode(factoryArtifact, input);
  if (functionName === "implementation")
    return isWord(output, DepositAddress.implementation) ? [] : [`the factory has ${output}`];
  if (functionName === null) return [`the factory takes ${start(input)}`];
  if (functionName !== "settle") {
    const [wallet, salt] = args as readonly [Address.Address, Hex];
    const { address } = depositOf(wallet, salt);
    return isWord(output, address) ? [] : [`${functionName} of ${wallet} and ${salt} is ${output}`];
  }
  const [token, deposits, kept] = args as readonly [Hex, readonly Deposit[], bigint];
  const expected = deposits.map(({ payoutWallet, salt }) => lower(depositOf(payoutWallet, salt).address));
  const flush = encode(forwarderArtifact.abi, "flush", [token]);
  const faults: string[] = [];
  let creation = 0;
  for (const { type, to, input: given, gas } of calls) {
    if (type.startsWith("CREATE")) {
      creation = creationGas;
      continue;
    }
    // One for which there is no gas is left out.
    const at = expected.indexOf(lower(to));
    if (at === -1 || given !== flush) return [`the factory flushes ${to}, which it was not told`];
    const isLeftOut = at > 0 && kept >= DepositAddress.settlementGas(1).perDeposit;
    if (isLeftOut) faults.push(`${at} are left out before ${to}`);
    if (BigInt(gas) + BigInt(creation + stepGas) < kept)
      faults.push(`${to} gets ${BigInt(gas)} of ${kept} gas`);
    expected.splice(0, at + 1);
    creation = 0;
  }
  if (expected.length > 0 && kept >= DepositAddress.settlementGas(1).perDeposit)
    faults.push(`the last ${expected.length} are left out`);
  return faults;
}

const erc20 = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ type: "address" }],
    outputs: [{ type: "uint256" }],
  },
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [{ type: "address" }, { type: "uint256" }],
    outputs: [{ type: "bool" }],
  },
] as const;

function transferredTo(input: Hex): Address.Address | null {
  const { functionName, args = [] } = decode({ abi: erc20 }, input);
  return functionName === "transfer" ? Address.checksum(String(args[0])) : null;
}

function decode({ abi }: { abi: readonly unknown[] }, data: Hex) {
  try {
    return decodeFunctionData({ abi: abi as Abi, data });
  } catch {
    return { functionName: null, args: [] };
  }
}

const functionOf = (artifact: { abi: readonly unknown[] }, input: Hex) =>
  decode(artifact, input).functionName;
const isNothing = (value: Hex = "0x0") => BigInt(value) === 0n;
const firstWord = (output: Hex = "0x") => (output.length < 66 ? 0n : BigInt(output.slice(0, 66)));
const isWord = (output: Hex, address: string) => output === `0x${lower(address).slice(2).padStart(64, "0")}`;
const start = (input: Hex) => input.slice(0, 138);
