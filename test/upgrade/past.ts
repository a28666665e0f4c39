import { anvilChainId, findAnvil } from "../../src/chain/dev/anvil.ts";
import { attachDevChain, setEthBalance } from "../../src/chain/dev/dev-chain.ts";
import { pay } from "../../src/chain/dev/pay.ts";
import { readBlock } from "../../src/chain/node/block.ts";
import { createRpc } from "../../src/chain/node/rpc.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import type { TestChain } from "../support/chain/chain.ts";
import { ownPort } from "../support/http/port.ts";
import { until } from "../support/till/till.ts";
import { usdc } from "../support/usdc.ts";

const dayMs = 86_400_000;
const tenEth = 10n ** 19n;

export type Past = {
  chain: TestChain;
  /** Lets so many days go by. */
  pass(days: number): Promise<void>;
  stop(): Promise<void>;
};

/** From now on this process, and a chain of its own, live so many days ago: what they leave is not from the future. */
export async function goBack(days: number): Promise<Past> {
  const now = Date.now.bind(Date);
  let aheadMs = -days * dayMs;
  Date.now = () => now() + aheadMs;

  const port = ownPort();
  const startedSec = Math.floor(Date.now() / 1_000);
  const flags = [
    "--quiet",
    "--port",
    `${port}`,
    "--chain-id",
    `${anvilChainId}`,
    "--timestamp",
    `${startedSec}`,
  ];
  const anvil = Bun.spawn([findAnvil(), ...flags], { stdio: ["ignore", "ignore", "inherit"] });
  process.once("exit", () => anvil.kill());
  const rpcUrl = `http://127.0.0.1:${port}`;
  const rpc = createRpc({ url: rpcUrl });
  const isUp = () => rpc.request("eth_chainId", []).then(Boolean, () => false);
  await until(isUp, Boolean);
  const { usdc: usdcAddress } = await attachDevChain(rpcUrl);
  const mine = async (blocks: number) => void (await rpc.request("anvil_mine", [`0x${blocks.toString(16)}`]));
  await mine(1);

  const chain: TestChain = {
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    pid: anvil.pid,
    usdc: usdcAddress,
    pay: (to, amount) =>
      pay({
        rpcUrl,
        usdcAddress,
        to,
        amount: typeof amount === "bigint" ? Usdc.fromMicro(amount) : usdc(amount),
      }),
    mine,
    async blockAt(tag) {
      const block = await readBlock(rpc, tag);
      if (!block) throw new Error(`There is no block ${tag}.`);
      return { number: block.number, hash: block.hash };
    },
    reorg: async (depth) => void (await rpc.request("anvil_reorg", [depth, []])),
    giveEth: (account, wei = tenEth) => setEthBalance(rpcUrl, account, wei),
    rpc: (method, params = []) => rpc.request(method, params),
    async stop() {
      anvil.kill();
      await anvil.exited;
    },
  };
  return {
    chain,
    async pass(more) {
      aheadMs += more * dayMs;
      await rpc.request("evm_increaseTime", [more * 86_400]);
      await mine(1);
    },
    async stop() {
      await chain.stop();
      Date.now = now;
    },
  };
}
