import { findAnvil } from "../../src/chain/dev/anvil.ts";
import { attachDevChain } from "../../src/chain/dev/dev-chain.ts";
import { createRpc } from "../../src/chain/node/rpc.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import { createPayer } from "../support/chain/payer.ts";
import { ownPort } from "../support/http/port.ts";
import type { Random } from "../support/random.ts";
import { until } from "../support/till/till.ts";

const answerMsMax = 180_000;
/** Making blocks is what takes long: however many the payments, they come in so many transactions at most. */
const transactionsMax = 400;
const gasPerPayment = 100_000;
const gasPerTransaction = 500_000;

export type LongChain = Awaited<ReturnType<typeof startLongChain>>;

/** An Anvil that keeps next to nothing of past states unless told: with more of them it takes minutes to make a day's blocks. */
export async function startLongChain({ states = 16 } = {}) {
  const port = ownPort();
  const rpcUrl = `http://127.0.0.1:${port}`;
  const flags = ["--quiet", "--host", "127.0.0.1", "--port", `${port}`, "--prune-history", `${states}`];
  const child = Bun.spawn([findAnvil(), ...flags], { stdio: ["ignore", "ignore", "ignore"] });
  process.on("exit", () => child.kill());
  const node = createRpc({ url: rpcUrl, timeoutMs: answerMsMax });
  const rpc = (method: string, params: readonly unknown[] = []) => node.request(method, params);
  await until(
    () => rpc("eth_chainId").catch(() => null),
    (id) => id !== null,
  );
  const { usdc } = await attachDevChain(rpcUrl);
  return {
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    usdc,
    rpc,
    mine: (count: number) => rpc("anvil_mine", [`0x${count.toString(16)}`]),
    stop: () => child.kill(),
  };
}

/** Makes so many blocks with payments spread over them, several in one transaction. */
export async function payOver(
  chain: LongChain,
  blocks: number,
  payments: number,
  addresses: readonly Address[],
  random: Random,
): Promise<void> {
  const together = Math.max(5, Math.ceil(payments / transactionsMax));
  const gas = `0x${(together * gasPerPayment + gasPerTransaction).toString(16)}`;
  const payer = createPayer(chain, { sent: () => {} }, random, gas);
  for (let paid = 0; paid < payments; paid += together) {
    await payer.payTogether(
      Array.from({ length: Math.min(together, payments - paid) }, () => ({
        to: random.pick(addresses),
        amount: BigInt(random.between(1, 150_000_000)),
      })),
    );
    await chain.mine(Math.floor((blocks * together) / payments) - 1);
  }
}
