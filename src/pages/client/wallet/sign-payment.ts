import { connect, PaymentRefused, type PaymentRequest, type Provider, refusalOf } from "./wallet-payment.ts";

const requestTimeoutMs = 20_000;

/** What Till gives a payer to sign (EIP-712). */
type TypedData = { message: object };

/**
 * Has a browser wallet sign the payment and hands it over to Till, which pays the network fee. `url` names what to do:
 * `authorization` or `relay`. Resolves when Till took it. Throws `PaymentRefused` when it did not.
 */
export async function signWith(
  provider: Provider,
  request: PaymentRequest,
  url: (what: "authorization" | "relay") => string,
): Promise<void> {
  const payer = await connect(provider, request);
  const typed = (await post(url("authorization"), { payer, value: `${request.micro}` })) as TypedData;
  const signature = await sign(provider, payer, typed);
  await post(url("relay"), { authorization: typed.message, signature });
}

async function sign(provider: Provider, payer: string, typed: TypedData): Promise<unknown> {
  const params = [payer, JSON.stringify(typed)];
  try {
    return await provider.request({ method: "eth_signTypedData_v4", params });
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
