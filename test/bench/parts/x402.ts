/**
 * A payment by x402, from the question for its price to the answer that it is in a block, beside the same of x402's own
 * server and facilitator on the same chain. What the payer takes to sign is in neither.
 */
import { parseArgs } from "node:util";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { newWallet } from "../../support/chain/settlement.ts";
import { newSigner } from "../../support/chain/signer.ts";
import { decoded, encoded, makePayment } from "../../support/http/x402.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { linkRequest } from "../../support/till/till.ts";
import { ratioAtMost, report, tillAtMost } from "../line.ts";
import { alternate } from "../rounds.ts";
import { hasPeer, makeData, startPeer, startTillServer } from "../server.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const rounds = values.quick ? 10 : 60;
const price = 25_000_000n;

const chain = await startTestChain();
const dir = makeDataDir();
await makeData(dir.path, (db) => chain.giveEth(WalletStore.gasAddress(db) ?? Address.zero));
const till = await startTillServer(chain, dir.path);
const name = "@x402/evm";
const key = generatePrivateKey();
await chain.giveEth(Address.checksum(privateKeyToAccount(key).address));
const peer = hasPeer(name)
  ? await startPeer("x402.ts", { RPC_URL: chain.rpcUrl, USDC: chain.usdc, KEY: key })
  : null;

/** How many milliseconds the two requests of a payment take. */
async function pay(url: string): Promise<number> {
  const signer = await newSigner(chain, price);
  let ms = 0;
  const ask = async (headers: Record<string, string>) => {
    const startedAt = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    ms += performance.now() - startedAt;
    return answer;
  };
  const [accepted] = decoded((await ask({})).headers.get("payment-required")).accepts;
  const { status } = await ask({ "payment-signature": encoded(await makePayment(signer, accepted)) });
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return ms;
}

async function payTill(): Promise<number> {
  const body = JSON.stringify(linkRequest);
  const made = { method: "POST", headers: { "content-type": "application/json" }, body };
  const { x402_url } = (await (await fetch(`${till.baseUrl}/api/links`, made)).json()) as {
    x402_url: string;
  };
  return pay(x402_url);
}

const measures: Record<string, () => Promise<number>> = { till: payTill };
if (peer) measures["peer"] = () => pay(`${peer.baseUrl}/${newWallet()}`);
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
dir.remove();
