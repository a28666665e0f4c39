import { afterAll, expect, test } from "bun:test";
import { readReceipt } from "../../../src/chain/account/transaction.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import { topicOf, transferTopic } from "../../../src/chain/transfer/transfer-log.ts";
import type { Address } from "../../../src/domain/wallet/address.ts";
import type { TypedData } from "../../../src/settle/relay/relayer.ts";
import { openReadOnly } from "../../../src/store/database.ts";
import * as RelayReport from "../../../src/store/reports/relays.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as GasTransactionStore from "../../../src/store/tables/settle/gas-transaction.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { newSigner, type Signer } from "../../support/chain/signer.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { linkRequest, until } from "../../support/till/till.ts";

/** `TEST_RELAY_KILLS=100` takes some minutes. */
const kills = Number(process.env["TEST_RELAY_KILLS"] || 2);
const seed = Number(process.env["TEST_SEED"] ?? 1);
const price = 25_000_000n;
const payersPerKill = 3;
const msPerKill = 20_000;
const endMsMax = 120_000;

afterAll(endProcesses);
const chain = shared(startTestChain);
const till = shared(() => startServedTill(chain, { TILL_RELAY_BUDGET: "9", TILL_LIMIT_RELAYS: "0" }));

type Payer = { slug: string; deposit: Address; signer: Signer; body: object | null };

test(
  `pays each link once by a signature, however often the server is killed (${kills} times)`,
  async () => {
    const random = createRandom(seed);
    const payers: Payer[] = [];
    const give = (to: Address, micro: bigint) =>
      chain.rpc("anvil_dealERC20", [to, chain.usdc, `0x${micro.toString(16)}`]);
    const paidOf = async ({ slug }: Payer) =>
      (await till.api("GET", `/api/payments/status/${slug}`)).body as {
        status: string;
        received_amount: string;
      };

    /** As the page does: asks what to sign, signs it, and hands it over until somebody has said what became of it. */
    async function pay(payer: Payer, isOver: () => boolean): Promise<void> {
      const page = `/pay/${payer.slug}`;
      while (!isOver()) {
        try {
          if (payer.body === null) {
            const asked = await till.api("POST", `${page}/authorization`, { payer: payer.signer.address });
            const typed = asked.body as TypedData;
            if (asked.status === 200)
              payer.body = {
                authorization: typed.message,
                signature: await payer.signer.key.signTypedData(typed as never),
              };
          } else {
            const handed = await till.api("POST", `${page}/relay`, payer.body);
            if (handed.status === 202) return;
            payer.body = null;
          }
        } catch {
          // It was killed; what was signed is handed over again.
        }
        // Time itself: the page asks now and then.
        await Bun.sleep(random.between(5, 40));
      }
    }

    await chain.giveEth(till.books(WalletStore.gasAddress) as Address);
    for (let kill = 1; kill <= kills; kill++) {
      const fresh: Payer[] = [];
      for (let i = 0; i < payersPerKill; i++) {
        const link = (await till.api("POST", "/api/links", linkRequest)).body;
        const signer = await newSigner(chain, 0n);
        await give(signer.address, price);
        fresh.push({ slug: link.slug, deposit: link.deposit_address, signer, body: null });
      }
      payers.push(...fresh);
      // Every second time a block has to be waited for.
      const byHand = kill % 2 === 0;
      if (byHand) await chain.rpc("evm_setAutomine", [false]);
      let isDown = false;
      // Time itself: the kill comes at any moment.
      const killed = Bun.sleep(random.between(0, 500)).then(async () => {
        isDown = true;
        await till.pause("SIGKILL");
      });
      await Promise.all([
        ...fresh.map((payer) => pay(payer, () => isDown)),
        (async () => {
          while (byHand && !isDown) {
            // Time itself: so long does a block take.
            await Bun.sleep(random.between(50, 250));
            await chain.mine(1);
          }
        })(),
        // Now and then somebody's money is gone before the block.
        random.chance(0.2) && fresh[0]
          ? // Time itself: it goes at any moment.
            Bun.sleep(random.between(20, 200)).then(() => give(fresh[0]?.signer.address as Address, 0n))
          : null,
        killed,
      ]);
      await chain.rpc("evm_setAutomine", [true]);
      await till.resume();
      if (kill % 25 === 0) console.log(`killed ${kill} times`);
    }

    // Whoever has not paid yet pays now.
    const end = performance.now() + endMsMax;
    for (const payer of payers) {
      for (;;) {
        if (performance.now() > end)
          throw new Error(`${payer.slug} is stuck: ${JSON.stringify(await paidOf(payer))}`);
        if ((await paidOf(payer)).status === "confirmed") break;
        const held = await chain.rpc("eth_call", [
          { to: chain.usdc, data: `0x70a08231${topicOf(payer.signer.address).slice(2)}` },
          "latest",
        ]);
        const { onTheWay } = till.books((db) => RelayReport.sums(db, 31_337, 0));
        if (BigInt(String(held)) === 0n && onTheWay === 0) {
          payer.body = null;
          await give(payer.signer.address, price);
        }
        if (BigInt(String(held)) > 0n) await pay(payer, () => performance.now() > end);
        // Time itself: the pause before the next look, of which there are no more than fit into `endMsMax`.
        await Bun.sleep(50);
      }
    }
    await audit(payers);

    async function audit(all: readonly Payer[]): Promise<void> {
      const rpc = createRpc({ url: chain.rpcUrl });
      for (const payer of all) {
        expect(await paidOf(payer)).toMatchObject({ status: "confirmed", received_amount: "25.00" });
        const logs = await chain.rpc("eth_getLogs", [
          {
            address: chain.usdc,
            fromBlock: "0x0",
            toBlock: "latest",
            topics: [transferTopic, null, topicOf(payer.deposit)],
          },
        ]);
        expect(logs).toHaveLength(1);
      }
      const db = openReadOnly(till.dataDir);
      try {
        // A relay is over once its block is final, later than the transfer that the page shows.
        await until(
          () => GasTransactionStore.listPending(db, 31_337).length + RelayReport.sums(db, 31_337, 0).onTheWay,
          (count) => count === 0,
          30_000,
        );
        expect(RelayReport.sums(db, 31_337, 0)).toMatchObject({ onTheWay: 0, paid: all.length });
        const gas = WalletStore.gasAddress(db);
        const count = Number(
          db.query<{ count: bigint }, []>("SELECT count(*) AS count FROM gas_transaction").get()?.count,
        );
        expect(Number(await chain.rpc("eth_getTransactionCount", [gas, "latest"]))).toBe(count);
        for (let id = 1; id <= count; id++) {
          const attempts = GasTransactionStore.listAttempts(db, id);
          const mined = await Promise.all(attempts.map(({ hash }) => readReceipt(rpc, hash)));
          expect(mined.filter((receipt) => receipt !== null)).toHaveLength(1);
        }
        const { failed } = RelayReport.sums(db, 31_337, 0);
        console.log(
          `${kills} kills, ${all.length} payers, ${failed} relays failed, ${count} nonces of the gas account`,
        );
      } finally {
        db.close();
      }
    }
  },
  endMsMax * 2 + kills * msPerKill,
);
