import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Abi,
  encodeFunctionData,
  formatTransactionReceipt,
  type Hex,
  type TransactionReceipt,
} from "viem";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import factoryArtifact from "../../../assets/contracts/artifacts/TillFactory.json";
import type { Artifact } from "../../../scripts/contracts.ts";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import type { TestChain } from "./chain.ts";

const defaultGas = 5_000_000n;

/** Who sends what anybody may: neither Till nor a payout wallet. */
export const stranger = payers[3] ?? Address.zero;

export type Call = { to?: Address.Address; data?: Hex; value?: bigint; gas?: bigint; from?: Address.Address };

/** Sends a transaction from an unlocked account and returns its receipt, reverted or not. */
export async function send(chain: TestChain, call: Call): Promise<TransactionReceipt> {
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  const sent = await chain.rpc("eth_sendTransaction", [
    {
      ...call,
      from: call.from ?? payers[0],
      gas: hex(call.gas ?? defaultGas),
      value: hex(call.value ?? 0n),
    },
  ]);
  for (;;) {
    const receipt = await chain.rpc("eth_getTransactionReceipt", [sent]);
    if (receipt !== null) return formatTransactionReceipt(receipt as never);
    await Bun.sleep(2);
  }
}

export function encode(abi: readonly unknown[], functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: abi as Abi, functionName, args });
}

/** Puts a contract on the chain and returns its address. */
export async function deploy(chain: TestChain, bytecode: Hex): Promise<Address.Address> {
  const receipt = await send(chain, { data: bytecode });
  return Address.checksum(receipt.contractAddress ?? "");
}

/** Puts the factory on the chain the way it gets there everywhere: through the deterministic deployer. */
export async function deployFactory(chain: TestChain): Promise<TransactionReceipt> {
  const data = `${DepositAddress.factorySalt}${factoryArtifact.bytecode.slice(2)}` as Hex;
  return send(chain, { to: DepositAddress.deployer, data });
}

/** What an account has of a token, in its smallest unit, as the chain itself says it. */
export async function balanceOf(
  chain: Pick<TestChain, "rpc">,
  token: Address.Address,
  of: Address.Address,
): Promise<bigint> {
  const data = encode(usdcArtifact.abi, "balanceOf", [of]);
  return BigInt(String(await chain.rpc("eth_call", [{ to: token, data }, "latest"])));
}

const project = join(import.meta.dir, "../../..");
const compiledDir = join(project, "node_modules/.cache/till-contracts");

/** The contracts of a file by their names. They are compiled once for all processes: in each it would take two seconds. */
export async function contractsOf(file: URL): Promise<ReadonlyMap<string, Artifact>> {
  const known = join(compiledDir, `${versionOf(file)}.json`);
  if (await Bun.file(known).exists()) return new Map(await Bun.file(known).json());
  const { compile } = await import("../../../scripts/contracts.ts");
  const contracts = compile(file, "cancun");
  mkdirSync(compiledDir, { recursive: true });
  const own = `${known}.${process.pid}`;
  writeFileSync(own, JSON.stringify([...contracts]));
  // Others write the same at the same time.
  renameSync(own, known);
  return contracts;
}

/** Another one whenever the compiler may make something else of a file: of it, what it imports, or how. */
function versionOf(file: URL): string {
  const imported = readdirSync(join(project, "assets/contracts")).filter((name) => name.endsWith(".sol"));
  const hash = new Bun.CryptoHasher("sha256").update(readFileSync(file));
  for (const path of [
    "bun.lock",
    "scripts/contracts.ts",
    ...imported.sort().map((name) => `assets/contracts/${name}`),
  ])
    hash.update(readFileSync(join(project, path)));
  return hash.digest("hex");
}
