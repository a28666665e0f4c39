import { encodeDeployData, parseAbi } from "viem";
import artifact from "../../../assets/contracts/artifacts/TraceFinder.json";
import type { Address } from "../../domain/wallet/address.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { chunks } from "../../lib/loop.ts";
import { BadAnswer } from "../node/block.ts";
import type { Rpc } from "../node/rpc.ts";

/** Checking one address takes some 9,000 gas, and nodes allow one eth_call tens of millions. */
export const addressesPerCall = 1_500;

/**
 * Words of 32 bytes; creation code may have 49,152 bytes (EIP-3860), of which the contract takes less than a thousand.
 */
const wordsPerCall = 1_450;
/** Words per group besides its wallets and salts. */
const wordsPerGroup = 5;

/** Maximum parallel calls. */
export const callsMax = 4;

/** Maximum addresses checked without waiting in between. */
export const addressesAtOnce = addressesPerCall * callsMax;

/** The deposit addresses of each of these payout wallets with each of these salts. */
export type Group<Wallet, Salt> = { wallets: readonly Wallet[]; salts: readonly Salt[] };

const abi = parseAbi([
  "struct Group { bytes32[] codeHashes; bytes32[] salts; }",
  "constructor(address token, address factory, uint256 count, Group[] groups)",
]);

/**
 * Finds deposit addresses with a trace on the chain: a balance of the token, or a forwarder created to pay it out. The
 * node derives the addresses, much faster than could be done here. Throws a BadAnswer, and request errors.
 */
export async function findTraces<Wallet extends { codeHash: Hex }, Salt extends { salt: Hex }>(
  rpc: Rpc,
  token: Address,
  groups: readonly Group<Wallet, Salt>[],
): Promise<{ wallet: Wallet; salt: Salt }[]> {
  const traces: { wallet: Wallet; salt: Salt }[] = [];
  for (const together of chunks(pack(groups.flatMap(cut)), callsMax)) {
    const answers = await Promise.all(together.map((call) => look(rpc, token, call)));
    traces.push(...answers.flat());
  }
  return traces;
}

async function look<Wallet extends { codeHash: Hex }, Salt extends { salt: Hex }>(
  rpc: Rpc,
  token: Address,
  groups: readonly Group<Wallet, Salt>[],
) {
  const pairs = groups.flatMap(({ wallets, salts }) =>
    salts.flatMap((salt) => wallets.map((wallet) => ({ wallet, salt }))),
  );
  const encoded = groups.map(({ wallets, salts }) => ({
    codeHashes: wallets.map(({ codeHash }) => codeHash),
    salts: salts.map(({ salt }) => salt),
  }));
  const args = [token, DepositAddress.factory, BigInt(pairs.length), encoded] as const;
  const data = encodeDeployData({ abi, bytecode: artifact.bytecode as Hex, args });
  const answer = await rpc.request("eth_call", [{ data }, "latest"]);
  if (typeof answer !== "string" || !/^0x(0[01])+$/.test(answer) || answer.length !== 2 + 2 * pairs.length)
    throw new BadAnswer(
      rpc.host,
      `no word of ${pairs.length} deposit addresses: is there a token at ${token}?`,
    );
  return pairs.filter((_, at) => answer[3 + 2 * at] === "1");
}

/** Splits a group into parts that fit a call. */
function cut<Wallet, Salt>({ wallets, salts }: Group<Wallet, Salt>): Group<Wallet, Salt>[] {
  const most = wordsPerCall - wordsPerGroup;
  return chunks(wallets, Math.floor(most / 2)).flatMap((some) => {
    const count = Math.floor(Math.min(most - some.length, addressesPerCall / some.length));
    return chunks(salts, count).map((few) => ({ wallets: some, salts: few }));
  });
}

/** Combines groups into calls, as many as fit. */
function pack<Wallet, Salt>(groups: readonly Group<Wallet, Salt>[]): Group<Wallet, Salt>[][] {
  const calls: Group<Wallet, Salt>[][] = [];
  let addresses = 0;
  let words = 0;
  for (const group of groups) {
    const { wallets, salts } = group;
    addresses += wallets.length * salts.length;
    words += wallets.length + salts.length + wordsPerGroup;
    const last = calls.at(-1);
    if (last && addresses <= addressesPerCall && words <= wordsPerCall) last.push(group);
    else {
      calls.push([group]);
      addresses = wallets.length * salts.length;
      words = wallets.length + salts.length + wordsPerGroup;
    }
  }
  return calls;
}
