import {
  askInTime,
  connect,
  PaymentRefused,
  type Provider,
  refusalOf,
  type WalletPayment,
} from "./wallet-payment.ts";

const requestTimeoutMs = 20_000;

/** Attempts to hand over a signature, and the delay between them: perhaps only the response was lost. */
const handovers = 3;
const handoverWaitMs = 2_000;

/** Data that Till gives a payer to sign (EIP-712). */
type TypedData = { message: object };

/**
 * Has a browser wallet sign the payment and hands it over to Till, which pays the network fee. `url` returns the
 * address of a step: `authorization` or `relay`. Resolves once Till accepted it, else throws `PaymentRefused`.
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

/** Retries are safe: the same signature is the same payment, and so is the same transaction. */
export async function handOver(url: string, body: object): Promise<void> {
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
    // Hardware keys and some apps cannot sign typed data.
    throw refusal.reason === "walletFailed" ? new PaymentRefused("cannotSign") : refusal;
  }
}

/** Posts JSON and returns the JSON response. Till words a refusal in the page's language. */
export async function post(url: string, body: object): Promise<unknown> {
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
