import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import type * as Address from "../../../src/domain/wallet/address.ts";
import { startBeat } from "./beat.ts";
import type { TestChain } from "./chain.ts";
import { contractsOf, deploy, encode, send } from "./evm.ts";
import type { RpcCall } from "./rpc-proxy.ts";

/** The most gas of one transaction (EIP-7825). */
const transactionGas = 16_777_216n;
/** Gas of one transfer in a batch, a little more than it takes. */
const transferGas = 9_000n;
const batch = Number(transactionGas / transferGas);

/** More logs than this are refused, as by Infura. */
const logsMax = 10_000;

/** What a node tells at most, and what a block holds that is too much for it. */
export const full = { logs: logsMax, transfers: logsMax + 200 };
/** A tenth, which is refused the same. */
export const tenth = { logs: logsMax / 10, transfers: logsMax / 10 + 200 };

export type Flood = {
  readonly address: Address.Address;
  /** No more blocks come by themselves. */
  stop(): Promise<void>;
  /**
   * Makes one block with so many transfers of `micro` to an address, and with `payments` of whole amounts of
   * micro-USDC to others before and after them. Returns its number.
   */
  block(
    to: Address.Address,
    transfers: number,
    options?: { micro?: bigint; payments?: readonly { to: Address.Address; amount: bigint }[] },
  ): Promise<number>;
};

/**
 * Puts the means for a flood on a chain, whose blocks become as large as those of Base, and come every `blockMs` from then
 * on if that is told.
 */
export async function startFlood(chain: TestChain, blockMs: number | null = null): Promise<Flood> {
  const contract = (await contractsOf(new URL("../../chain/transfer/Flood.sol", import.meta.url))).get(
    "Flood",
  );
  if (!contract) throw new Error("Flood.sol has no such contract");
  await chain.rpc("anvil_setBlockGasLimit", ["0x17d78400"]);
  const address = await deploy(chain, contract.bytecode);
  await send(chain, { to: chain.usdc, data: encode(usdcArtifact.abi, "mint", [address, 10n ** 12n]) });

  async function submit(to: Address.Address, data: string, gas: bigint, from = payers[2]): Promise<void> {
    await chain.rpc("eth_sendTransaction", [{ from, to, data, gas: `0x${gas.toString(16)}` }]);
  }

  const beat = blockMs === null ? null : await startBeat(chain.rpc, blockMs);
  const inOneBlock = async (work: () => Promise<void>): Promise<void> => {
    if (beat) return await beat.between(work);
    await chain.rpc("evm_setAutomine", [false]);
    await work();
    await chain.rpc("evm_setAutomine", [true]);
  };

  return {
    address,
    stop: async () => await beat?.stop(),
    async block(to, transfers, { micro = 0n, payments = [] } = {}) {
      const pay = async (some: typeof payments) => {
        for (const payment of some) {
          const data = encode(usdcArtifact.abi, "transfer", [payment.to, payment.amount]);
          await submit(chain.usdc, data, 200_000n, payers[1]);
        }
      };
      let number = -1;
      await inOneBlock(async () => {
        const half = Math.ceil(payments.length / 2);
        await pay(payments.slice(0, half));
        // In as many transactions as a full block.
        const each = Math.min(batch, Math.ceil((transfers * batch) / full.transfers));
        for (let left = transfers; left > 0; left -= each) {
          const times = BigInt(Math.min(left, each));
          await submit(address, encode(contract.abi, "send", [chain.usdc, to, micro, times]), transactionGas);
        }
        await pay(payments.slice(half));
        await chain.rpc("evm_mine");
        number = Number(await chain.rpc("eth_blockNumber"));
      });
      return number;
    },
  };
}

type Answer = { result: unknown } | { error: unknown } | Response;

/** What a node says that has more logs to tell than it does. */
export const tooManyLogs: Record<string, () => Answer> = {
  Infura: () => ({ error: { code: -32005, message: "query returned more than 10000 results" } }),
  Alchemy: () => ({
    error: {
      code: -32602,
      message:
        "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size",
    },
  }),
  geth: () => ({ error: { code: -32000, message: "query returned more than 10000 results" } }),
  "a node that names addresses": () => ({
    error: { code: -32000, message: "too many logs: narrow the block range or the number of addresses" },
  }),
  "HTTP 413": () => new Response("Payload too large", { status: 413 }),
  "HTTP 413 as JSON": () => Response.json({ message: "response too large" }, { status: 413 }),
  "a cut-off answer": () => new Response('{"jsonrpc":"2.0","id":1,"result":[{"address":"0x'),
  "an answer without an end": () => {
    const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
    return new Response(
      new ReadableStream({
        pull: async (stream) => {
          stream.enqueue(megabyte);
          await Bun.sleep(0);
        },
      }),
    );
  },
};

const refusedBy = new WeakMap<TestChain, Set<number | bigint>>();

/** Answers eth_getLogs as a node that gives at most `logs` logs, of at most `range` blocks. */
export function strictNode(
  chain: TestChain,
  {
    logs = logsMax,
    range = 2_000,
    refuse = tooManyLogs["Infura"] as () => Answer,
    blockReceipts = true,
  } = {},
) {
  const refused = refusedBy.get(chain) ?? new Set();
  refusedBy.set(chain, refused);
  return async ({ method, params }: RpcCall) => {
    if (method === "eth_getBlockReceipts" && !blockReceipts)
      return {
        error: { code: -32601, message: "the method eth_getBlockReceipts does not exist/is not available" },
      };
    if (method !== "eth_getLogs") return undefined;
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    if (Number(toBlock) - Number(fromBlock) >= range)
      return {
        error: {
          code: -32600,
          message: `You can make eth_getLogs requests with up to a ${range} block range.`,
        },
      };
    const question = Bun.hash(JSON.stringify(params));
    if (refused.has(question)) return refuse();
    const result = (await chain.rpc(method, params)) as unknown[];
    if (result.length <= logs) return { result };
    // Anvil takes its time for what nobody gets.
    refused.add(question);
    return refuse();
  };
}
