import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import devUsdc from "../../../assets/contracts/artifacts/DevUsdc.json";
import multicall3 from "../../../assets/contracts/artifacts/Multicall3.json";
import * as Address from "../../domain/wallet/address.ts";
import { networks } from "../../domain/wallet/network.ts";
import { quantityHex } from "../../lib/crypto.ts";
import { hasCode, readBalance } from "../account/account.ts";
import { isPaused, readTokenBalance } from "../contract/token.ts";
import { multicall3Address } from "../node/multicall.ts";
import { createRpc, type Rpc } from "../node/rpc.ts";
import { type Anvil, anvilChainId, startAnvil } from "./anvil.ts";

/** Initial balance of each payer on a new chain, in micro-USDC: 1,000,000.00 USDC. */
const payerUsdcMicro = 1_000_000_000_000n;
/** Balance given to a payer with less than a tenth of it, in wei: 10,000 ETH, as Anvil gives its own accounts. */
const payerWei = 10_000n * 10n ** 18n;

/** Block time of a chain on which payments await confirmations: the same as Base's. */
const blockTimeSec = 0.2;

/** Accounts of the mnemonic that every Anvil uses: `test test … junk`. Their keys are public. */
export const payers: readonly Address.Address[] = [
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
].map(Address.checksum);

export type DevChain = { readonly usdc: Address.Address } & Anvil;

type DevChainOptions = {
  /** Where the chain is kept between runs; null to discard it. */
  dataDir: string | null;
  /** 0 for any free port. */
  port: number;
  /** Number of blocks a payment waits for. At 1 only transactions make blocks, so nothing grows. */
  confirmations: number;
};

/**
 * Starts an own chain with USDC and Multicall3 deployed and funded payers, or continues the one in the data directory.
 * Throws like `startAnvil`.
 */
export async function startDevChain({ dataDir, port, confirmations }: DevChainOptions): Promise<DevChain> {
  const stateFile = dataDir === null ? null : join(dataDir, "anvil-state.json");
  if (dataDir !== null) await mkdir(dataDir, { recursive: true });
  if (stateFile !== null) await keepFirstGenesis(stateFile);
  const anvil = await startAnvil({
    port,
    ...(stateFile === null ? {} : { stateFile }),
    ...(confirmations > 1 ? { blockTimeSec, isMixed: true } : {}),
  });
  try {
    const usdc = await equip(createRpc({ url: anvil.rpcUrl }));
    return { ...anvil, usdc };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

/**
 * Anvil makes a block 0 of its own at each start, and saves it beside those that it loaded: which of them the next start
 * takes for the chain's first block is chance. Keeps the oldest alone, which is.
 */
async function keepFirstGenesis(stateFile: string): Promise<void> {
  if (!existsSync(stateFile)) return;
  const state = stateOf(await readFile(stateFile, "utf8"));
  const starts = state?.blocks?.filter(({ header }) => Number(header.number) === 0) ?? [];
  if (!state?.blocks || starts.length < 2) return;
  const [first] = starts.toSorted((a, b) => Number(a.header.timestamp) - Number(b.header.timestamp));
  const blocks = state.blocks.filter((block) => block === first || !starts.includes(block));
  // A file that is cut off would be no chain at all.
  await writeFile(`${stateFile}.new`, JSON.stringify({ ...state, blocks }), { mode: 0o600 });
  await rename(`${stateFile}.new`, stateFile);
}

type SavedState = { blocks?: { header: { number: string; timestamp: string } }[] };

/** Null for a file that is no JSON, of which Anvil says what is wrong. */
function stateOf(text: string): SavedState | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Prepares an Anvil that is already running, and returns its USDC address. Leaves what is already deployed. Throws a
 * NotADevChain for any other chain, so that no request meant for a toy ever reaches a real one.
 */
export async function attachDevChain(rpcUrl: string): Promise<{ usdc: Address.Address }> {
  const rpc = createRpc({ url: rpcUrl });
  const chainId = Number(await rpc.request("eth_chainId", []));
  if (chainId !== anvilChainId) throw new NotADevChain(rpc.host, chainId);
  return { usdc: await equip(rpc) };
}

/** Sets an account's balance in wei on a development chain, for instance so that Till's account can pay for gas. */
export async function setEthBalance(rpcUrl: string, account: Address.Address, wei: bigint): Promise<void> {
  await createRpc({ url: rpcUrl }).request("anvil_setBalance", [account, quantityHex(wei)]);
}

async function equip(rpc: Rpc): Promise<Address.Address> {
  const { usdc } = networks.anvil;
  if (await isOlderToken(rpc, usdc)) await rpc.request("anvil_setCode", [usdc, devUsdc.deployedBytecode]);
  await Promise.all([placeCode(rpc, usdc, devUsdc), placeCode(rpc, multicall3Address, multicall3)]);
  await Promise.all(payers.map((payer) => fund(rpc, usdc, payer)));
  return usdc;
}

/** The token of chains begun by an earlier Till could not be paused, unlike Circle's, so it is replaced. */
async function isOlderToken(rpc: Rpc, usdc: Address.Address): Promise<boolean> {
  return (await hasCode(rpc, usdc)) && (await isPaused(rpc, usdc)) === null;
}

async function placeCode(
  rpc: Rpc,
  at: Address.Address,
  artifact: { deployedBytecode: string },
): Promise<void> {
  if (!(await hasCode(rpc, at))) await rpc.request("anvil_setCode", [at, artifact.deployedBytecode]);
}

/** Both balances are set, not transferred: a new chain starts at block 0, and a saved one does not grow. */
async function fund(rpc: Rpc, usdc: Address.Address, payer: Address.Address): Promise<void> {
  if ((await readBalance(rpc, payer)) < payerWei / 10n)
    await rpc.request("anvil_setBalance", [payer, quantityHex(payerWei)]);
  if ((await readTokenBalance(rpc, usdc, payer)) === 0n)
    await rpc.request("anvil_dealERC20", [payer, usdc, quantityHex(payerUsdcMicro)]);
}

/** The node at TILL_RPC_URL is not a local test chain. */
export class NotADevChain extends Error {
  override readonly name = "NotADevChain";
  constructor(host: string, chainId: number) {
    super(
      `The node at ${host} has chain id ${chainId}: a development chain is an Anvil with id ${anvilChainId}. Without TILL_RPC_URL, till dev starts one`,
    );
  }
}
