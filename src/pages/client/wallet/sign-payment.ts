import {
  askInTime,
  connect,
  PaymentRefused,
  type Provider,
  refusalOf,
  type WalletPayment,
} from "./wallet-payment.ts";

const requestTimeoutMs = 20_000;

/** How often what was signed is handed over, and how long to wait between: the answer alone may have been lost. */
const handovers = 3;
const handoverWaitMs = 2_000;

/** What Till gives a payer to sign (EIP-712). */
type TypedData = { message: object };

/**
 * Has a browser wallet sign the payment and hands it over to Till, which pays the network fee. `url` names what to do:
 * `authorization` or `relay`. Resolves when Till took it. Throws `PaymentRefused` when it did not.
 */
export async function signWith(
  provider: Provider,
  request: WalletPayment,
  url: (what: "authorization" | "relay") => string,
): Promise<void> {
  const payer = await connect(provider, request);
  const typed = (await post(url("authorization"), { payer, value: `${request.micro}` })) as TypedData;
  const signature = await sign(provider, payer, typed);
  await handOver(url("relay"), { authorization: typed.message, signature });
}

/** The same again is the same payment. */
async function handOver(url: string, body: object): Promise<void> {
  for (let left = handovers - 1; ; left--) {
    try {
      await post(url, body);
      return;
    } catch (thrown) {
      const isSaid = thrown instanceof PaymentRefused && thrown.sentence !== undefined;
      if (isSaid || left === 0) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, handoverWaitMs));
    }
  }
}

async function sign(provider: Provider, payer: string, typed: TypedData): Promise<unknown> {
  const params = [payer, JSON.stringify(typed)];
  try {
    return await askInTime(provider, { method: "eth_signTypedData_v4", params });
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    // Hardware keys and some apps show no typed data.
    throw refusal.reason === "walletFailed" ? new PaymentRefused("cannotSign") : refusal;
  }
}

/** The answer as JSON. Why it was refused is said by Till, in the language of the page. */
async function post(url: string, body: object): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const headers = { "content-type": "application/json" };
    const how: RequestInit = {
      method: "POST",
      redirect: "error",
      headers,
      body: JSON.stringify(body),
      signal,
    };
    const response = await fetch(url, how);
    const answer = await response.json();
    if (response.ok) return answer;
    if (typeof answer.message === "string") throw new PaymentRefused("notHandedOver", {}, answer.message);
  } catch (thrown) {
    if (thrown instanceof PaymentRefused) throw thrown;
  }
  throw new PaymentRefused("notHandedOver");
}
