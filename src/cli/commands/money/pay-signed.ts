import type { Authorization } from "../../../chain/contract/authorization.ts";
import { payers } from "../../../chain/dev/dev-chain.ts";
import { signAsPayer } from "../../../chain/dev/pay.ts";
import { sleep } from "../../../lib/loop.ts";
import type { Client } from "../../api/client.ts";
import { apiPath, nameOf, type Target } from "../../api/target.ts";

type TypedData = Parameters<typeof signAsPayer>[0];
type Payments = { data: { tx_hash: string; from: string | null; block_number: number; amount: string }[] };
type Timeline = { data: { type: string; summary: string }[] };

const waitMs = 60_000;
const pollMs = { min: 50, max: 1_000 };

/** The result of a signed payment. */
type SignedPayment = { txHash: string; blockNumber: number; to: Authorization["to"]; amount: string };

/**
 * Pays the amount due like a wallet on the page: signs, submits, and waits for the payment. Throws a NotADevChain, an
 * Error when it fails or takes longer than a minute, and what the client throws.
 */
export async function paySigned(client: Client, target: Target): Promise<SignedPayment> {
  const { slug } = target.record;
  const page = `/${target.kind === "invoice" ? "i" : "pay"}/${slug}`;
  const payer = payers[0];
  const once = () => crypto.randomUUID();
  const failures = async () => {
    const { data } = await client.get<Timeline>(`${apiPath(target)}/timeline`);
    return data.filter(({ type }) => type === "signature_failed");
  };
  const payments = async () => (await client.get<Payments>(`${apiPath(target)}/payments`)).data;
  const before = {
    failed: (await failures()).length,
    paid: (await payments()).map(({ tx_hash }) => tx_hash),
  };

  const typed = await client.post<TypedData>(`${page}/authorization`, { payer }, once());
  const signature = await signAsPayer(typed);
  await client.post(`${page}/relay`, { authorization: typed.message, signature }, once());
  const end = performance.now() + waitMs;
  for (let delay = pollMs.min; performance.now() < end; delay = Math.min(pollMs.max, 2 * delay)) {
    await sleep(delay);
    const paid = (await payments()).find(
      ({ tx_hash, from }) => from === payer && !before.paid.includes(tx_hash),
    );
    if (paid)
      return {
        txHash: paid.tx_hash,
        blockNumber: paid.block_number,
        to: typed.message.to,
        amount: paid.amount,
      };
    const [failed] = (await failures()).slice(before.failed);
    if (failed) throw new Error(failed.summary);
  }
  throw new Error(
    `the payment was signed and is not in a block after ${waitMs / 1_000} s. till show ${nameOf(target)} tells what becomes of it.`,
  );
}
