import { topicOf, transferTopic } from "../../../src/chain/transfer/transfer-log.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import type { TestChain } from "./chain.ts";
import { holdersIn, numberIn, withBalances } from "./holdings.ts";
import type { RpcCall, RpcProxy } from "./rpc-proxy.ts";

export type Forgery = {
  to: Address;
  /** Micro-USDC. */
  amount: bigint;
  /** The head unless given. */
  block?: number;
  /** The hash that the log claims for its block; the true one unless given. */
  blockHash?: string;
  /** A transaction of the chain that is said to have paid; one that never was unless given. */
  txHash?: string;
};

type Log = Record<string, unknown> & {
  blockNumber: string;
  topics: string[];
  data: string;
  transactionHash: string;
};

export type Forger = {
  forge(forgery: Forgery): Promise<{ txHash: string; block: number }>;
  /** How often something forged was told. */
  told(): number;
  /** Tells the truth about balances from now on. */
  repentOfBalances(): void;
  /** Tells the truth from now on. */
  repent(): void;
};

const hex = (number: number) => `0x${number.toString(16)}`;
let made = 0;

/** Makes a node behind a proxy tell of transfers that never were, and stand by them: in balances, logs, receipts and headers. */
export function createForger(chain: Pick<TestChain, "rpc" | "usdc">, proxy: RpcProxy): Forger {
  let forged: Log[] = [];
  let told = 0;
  let liesAboutBalances = true;

  async function answer(call: RpcCall) {
    const { method, params } = call;
    const holders = holdersIn(call);
    if (holders && liesAboutBalances) {
      const real = await chain.rpc(method, params).catch(() => null);
      if (real === null) return undefined;
      const number = numberIn(real);
      const invented = holders.map((holder) =>
        forged
          .filter(({ topics, blockNumber }) => topics[2] === topicOf(holder) && Number(blockNumber) <= number)
          .reduce((sum, { data }) => sum + BigInt(data), 0n),
      );
      return { result: withBalances(real, (balance, at) => balance + (invented[at] ?? 0n)) };
    }
    if (method === "eth_getLogs") {
      const filter = params[0] as {
        fromBlock?: string;
        toBlock?: string;
        topics: [string, null, string | string[]];
      };
      if (filter.fromBlock === undefined) return undefined;
      const real = await chain.rpc(method, params).catch(() => null);
      if (!Array.isArray(real)) return undefined;
      const fits = (log: Log) =>
        Number(log.blockNumber) >= Number(filter.fromBlock) &&
        Number(log.blockNumber) <= Number(filter.toBlock) &&
        [filter.topics[2]].flat().includes(log.topics[2] ?? "");
      const invented = forged.filter(fits);
      if (invented.length > 0) told += 1;
      return { result: [...real, ...invented] };
    }
    if (method !== "eth_getTransactionReceipt") return undefined;
    const logs = forged.filter((log) => log.transactionHash === params[0]);
    const [log] = logs;
    if (!log) return undefined;
    const { blockNumber, blockHash, transactionHash } = log;
    return { result: { blockNumber, blockHash, transactionHash, status: "0x1", gasUsed: "0x5208", logs } };
  }

  return {
    async forge({ to, amount, block, blockHash, txHash }) {
      const head = Number(await chain.rpc("eth_blockNumber"));
      const number = block ?? head;
      const real = (await chain.rpc("eth_getBlockByNumber", [hex(number), false])) as { hash: string } | null;
      made += 1;
      const claimedTx = txHash ?? `0x${(0xf0000 + made).toString(16).padStart(64, "b")}`;
      forged.push({
        address: chain.usdc,
        topics: [transferTopic, topicOf(chain.usdc), topicOf(to)],
        data: `0x${amount.toString(16).padStart(64, "0")}`,
        blockNumber: hex(number),
        blockHash: blockHash ?? real?.hash ?? "",
        transactionHash: claimedTx,
        logIndex: hex(900 + made),
        removed: false,
      });
      proxy.answer = answer;
      return { txHash: claimedTx, block: number };
    },
    told: () => told,
    repentOfBalances() {
      liesAboutBalances = false;
    },
    repent() {
      forged = [];
      proxy.answer = null;
    },
  };
}
