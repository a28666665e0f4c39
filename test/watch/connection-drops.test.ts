import { expect, test } from "bun:test";
import { startTestChain } from "../support/chain/chain.ts";
import { createPayer } from "../support/chain/payer.ts";
import { startTcpProxy } from "../support/chain/rpc-proxy.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { createRandom } from "../support/random.ts";
import { startTestTill, until } from "../support/till/till.ts";
import { allMined, audit } from "../support/watch/audit.ts";
import { type Claim, createClaim, rowDifferences } from "../support/watch/claim.ts";
import { createLedger } from "../support/watch/ledger.ts";

/** `TEST_DROPS=200` drops the connection as often; `TEST_DROP_MS=60000` is the longest time without one. */
const dropsMax = Number(process.env["TEST_DROPS"] ?? 6);
const downMsMax = Number(process.env["TEST_DROP_MS"] ?? 600);
const seed = Number(process.env["TEST_SEED"] ?? 1);
/** The target is 10 s; on a busy machine everything takes longer. */
const targetMs = 10_000;
const caughtUpMsMax = 30_000;
const settleMsMax = 30_000;
const ways = ["cut", "tear", "freeze"] as const;

for (const [blockMs, drops] of [
  [200, dropsMax],
  [2_000, Math.ceil(dropsMax / 5)],
] as const)
  test(
    `misses nothing when the connection to the node is lost ${drops} times, at ${blockMs} ms a block, and catches up soon after it is back`,
    async () => {
      const random = createRandom(seed);
      const chain = await startTestChain({ blockMs });
      const ledger = createLedger(chain);
      const payer = createPayer(chain, ledger, random);
      const receiver = await startReceiver();
      const port = Number(new URL(chain.rpcUrl).port);
      const [http, ws] = [startTcpProxy(port), startTcpProxy(port)];
      const till = await startTestTill({
        rpcUrl: `http://127.0.0.1:${http.port}`,
        wsUrl: `ws://127.0.0.1:${ws.port}`,
      });
      const { dataDir } = till.config;
      const claims: Claim[] = [];
      const caughtUpMs: number[] = [];
      let payments = 0;
      const pay = async () => {
        const claim = random.pick(claims.slice(-5));
        await payer.pay({ to: claim.to, amount: random.pick([claim.expected, claim.expected / 3n, 1n]) });
        payments += 1;
      };
      try {
        for (let drop = 0; drop < drops; drop++) {
          claims.push(await createClaim(till, random, receiver.url));
          await pay();
          // Time itself: the connection drops at any moment of the payment.
          await Bun.sleep(random.between(0, 60));
          // The subscription alone, or both, in each way in turn.
          const wires = drop % 2 === 0 ? [ws] : [ws, http];
          const how = ways[drop % ways.length] ?? "cut";
          for (const wire of wires) wire[how]();
          const backAt = performance.now() + random.between(downMsMax / 10, downMsMax);
          while (performance.now() < backAt) {
            await pay();
            // Time itself: for so long there is no connection.
            await Bun.sleep(random.between(0, downMsMax / 8));
          }
          for (const wire of wires) {
            wire.restore();
            wire.thaw();
          }
          await allMined(chain);
          const startedAt = performance.now();
          const missing = async () => {
            // A payment is answered before its block is mined.
            await ledger.note();
            return rowDifferences(dataDir, claims, ledger);
          };
          await until(missing, (found) => found.length === 0, caughtUpMsMax).catch(async () => {
            const log = till.logged.slice(-20).join("\n");
            throw new Error(
              `Not caught up after drop ${drop} (${how}, ${wires.length} wires):\n${await missing()}\n${log}`,
            );
          });
          caughtUpMs.push(performance.now() - startedAt);
        }
        const connects = () => till.logged.filter((line) => line.includes("[chain.connected]")).length;
        await until(connects, (count) => count > 1);
        expect(
          await audit({ till: { ...till, dataDir }, chain, ledger, claims, receiver }, settleMsMax),
        ).toEqual([]);
        caughtUpMs.sort((a, b) => a - b);
        const at = (share: number) => Math.round(caughtUpMs[Math.floor((drops - 1) * share)] ?? 0);
        const late = caughtUpMs.filter((ms) => ms > targetMs).length;
        console.log(
          `${drops} drops, ${payments} payments, caught up after ${at(0.5)} ms (median), ${at(1)} ms (worst), ` +
            `${late} times later than ${targetMs} ms`,
        );
      } finally {
        await till.stop();
        await receiver.stop();
        http.stop();
        ws.stop();
        await chain.stop();
      }
    },
    settleMsMax * 2 + drops * (downMsMax + caughtUpMsMax),
  );
