/**
 * A payment by x402 or MPP, from the question for its price to the answer that it is in a block: on a chain that makes a
 * block at once, beside x402's own server and facilitator, and on one that makes a block every 200 ms, as Base does. What
 * the payer takes to sign is left out.
 */
import { parseArgs } from "node:util";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { newWallet } from "../../support/chain/settlement.ts";
import { newSigner, type Signer } from "../../support/chain/signer.ts";
import { authorization, challengeOf, makeCredential } from "../../support/http/mpp.ts";
import { decoded, encoded, makePayment } from "../../support/http/x402.ts";
import { createRandom } from "../../support/random.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { linkRequest } from "../../support/till/till.ts";
import { percentile } from "../figures.ts";
import { ratioAtMost, report, tillAtMost } from "../line.ts";
import { alternate } from "../rounds.ts";
import { hasPeer, makeData, startPeer, startTillServer } from "../server.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const rounds = values.quick ? 10 : 60;
const price = 25_000_000n;
const blockMs = 200;
/** The first ones pay for what is compiled on its first use. */
const warmUpRounds = 3;

const random = createRandom(1);

type Protocol = (signer: Signer, asked: Headers) => Promise<Record<string, string>>;

const x402: Protocol = async (signer, asked) => {
  const [accepted] = decoded(asked.get("payment-required")).accepts;
  return { "payment-signature": encoded(await makePayment(signer, accepted)) };
};
const mpp: Protocol = async (signer, asked) => ({
  authorization: authorization(await makeCredential(signer, challengeOf(asked))),
});

/** How many milliseconds the two requests of a payment take, at any moment between two blocks. */
async function pay(chain: TestChain, url: string, protocol: Protocol): Promise<number> {
  const signer = await newSigner(chain, price);
  await Bun.sleep(random.between(0, blockMs));
  let ms = 0;
  const ask = async (headers: Record<string, string>) => {
    const startedAt = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    ms += performance.now() - startedAt;
    return answer;
  };
  const { headers } = await ask({});
  const { status } = await ask(await protocol(signer, headers));
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return ms;
}

async function startTill(chain: TestChain) {
  const dir = makeDataDir();
  await makeData(dir.path, (db) => chain.giveEth(WalletStore.gasAddress(db) ?? Address.zero));
  const till = await startTillServer(chain, dir.path);
  return {
    async pay(protocol: Protocol): Promise<number> {
      const body = JSON.stringify(linkRequest);
      const made = { method: "POST", headers: { "content-type": "application/json" }, body };
      const { x402_url } = (await (await fetch(`${till.baseUrl}/api/links`, made)).json()) as {
        x402_url: string;
      };
      return pay(chain, x402_url, protocol);
    },
    async stop() {
      await till.stop();
      dir.remove();
    },
  };
}

async function atOnce(): Promise<void> {
  const chain = await startTestChain();
  const till = await startTill(chain);
  const name = "@x402/evm";
  const key = generatePrivateKey();
  await chain.giveEth(Address.checksum(privateKeyToAccount(key).address));
  const peer = hasPeer(name)
    ? await startPeer("x402.ts", { RPC_URL: chain.rpcUrl, USDC: chain.usdc, KEY: key })
    : null;
  const measures: Record<string, () => Promise<number>> = { till: () => till.pay(x402) };
  if (peer) measures["peer"] = () => pay(chain, `${peer.baseUrl}/${newWallet()}`, x402);
  const { till: tillMs = Number.NaN, peer: peerMs } = await alternate(rounds, measures);
  report({
    id: "x402/payment",
    what: "A payment by x402, from the 402 to its block",
    unit: "ms",
    till: tillMs,
    beside: { name: `${name} 2.27, its reference facilitator`, value: peerMs ?? null },
    // The facilitator keeps no books: what Till stores is on the disk before it is sent.
    targets: [ratioAtMost(1.5), tillAtMost(88)],
  });
  await peer?.stop();
  await till.stop();
  await chain.stop();
}

async function onBase(): Promise<void> {
  const chain = await startTestChain({ blockMs });
  const till = await startTill(chain);
  for (const [name, protocol] of Object.entries({ x402, mpp })) {
    const took: number[] = [];
    for (let round = -warmUpRounds; round < rounds; round++) {
      const ms = await till.pay(protocol);
      if (round >= 0) took.push(ms);
    }
    for (const [share, target] of Object.entries({ 50: 250, 99: 450 }))
      report({
        id: `x402/${name}-${blockMs}-p${share}`,
        what: `A payment by ${name === "mpp" ? "MPP" : name} at a block every ${blockMs} ms, p${share}`,
        unit: "ms",
        till: percentile(took, Number(share) / 100),
        beside: null,
        targets: [tillAtMost(target)],
      });
  }
  await till.stop();
  await chain.stop();
}

await atOnce();
await onBase();
