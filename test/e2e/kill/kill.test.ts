import { afterAll, expect, test } from "bun:test";
import { startTestChain } from "../../support/chain/chain.ts";
import { createPayer } from "../../support/chain/payer.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { audit } from "../../support/watch/audit.ts";
import { ask, type Claim, createClaim } from "../../support/watch/claim.ts";
import { createLedger } from "../../support/watch/ledger.ts";

/** `TEST_KILLS=1000` takes about a quarter of an hour. */
const kills = Number(process.env["TEST_KILLS"] ?? 3);
const seed = Number(process.env["TEST_SEED"] ?? 1);
const settleMsMax = 60_000;
const msPerKill = 15_000;

afterAll(endProcesses);
const chain = shared(() => startTestChain({ blockMs: 200 }));
const receiver = shared(startReceiver);
const till = shared(() => startServedTill(chain));

test(
  `loses and doubles nothing when it is killed ${kills} times while payments come in`,
  async () => {
    const random = createRandom(seed);
    const ledger = createLedger(chain);
    const payer = createPayer(chain, ledger, random);
    const claims: Claim[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      const fresh = [
        await createClaim(till, random, receiver.url),
        await createClaim(till, random, receiver.url),
      ];
      claims.push(...fresh);
      // Time itself: the kill comes at any moment.
      const killed = Bun.sleep(random.between(0, 250)).then(() => till.pause("SIGKILL"));
      let isDown = false;
      void killed.then(() => {
        isDown = true;
      });
      const watching = (async () => {
        // Time itself: the pause before the next try.
        while (!isDown) for (const claim of fresh) await ask(till, claim).catch(() => Bun.sleep(5));
      })();
      for (let payment = random.between(2, 6); payment > 0; payment--) {
        // An older one now and then, whose webhook was delivered long ago.
        const claim = random.chance(0.8) ? random.pick(fresh) : random.pick(claims);
        const amount = random.pick([claim.expected, claim.expected / 2n, claim.expected / 3n, 1n]);
        await payer.pay({ to: claim.to, amount });
        // Time itself: payments come at any moment before it.
        await Bun.sleep(random.between(0, 60));
      }
      await killed;
      await watching;
      await till.resume();
      if (kill % 50 === 0) console.log(`killed ${kill} times, ${receiver.received.length} webhooks so far`);
    }
    expect(await audit({ till, chain, ledger, claims, receiver }, settleMsMax)).toEqual([]);
  },
  settleMsMax * 2 + kills * msPerKill,
);
