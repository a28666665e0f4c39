import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/config.ts";
import * as Usdc from "../../domain/usdc.ts";
import { address, closed, record, text, url } from "../fields/answer-parts.ts";
import { charge } from "../relay/mpp/challenge.ts";
import { headersOf } from "../relay/x402/payment.ts";

/** Documentation of payments by programs, in /docs and /openapi.json. */

/**
 * Returns the facts that programs and directories of paid calls read in advance (`x-payment-info`): the first two
 * fields are for x402, the last for MPP. The amount due depends on the invoice or link, and is in a 402 response.
 */
export function paymentInfo({ network, relay }: Pick<Config, "network" | "relay">) {
  const offer = { ...charge, currency: network.usdc };
  return {
    price: { mode: "dynamic", currency: "USD", min: Usdc.formatExact(relay.min) },
    protocols: [{ x402: {} }, { mpp: offer }],
    offers: [{ ...offer, amount: null, description: "what is due of the invoice or link" }],
  };
}

/** How a program pays with the official x402 client. */
export const clientSample = `import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

// An account with USDC. It needs no ETH.
const account = privateKeyToAccount(process.env.KEY);

const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: "eip155:*", client: new ExactEvmScheme(account) }],
  // The most for one payment. Without it the client pays no more than $1.
  spendControls: { maxAmountPerPayment: "$100" },
});

const answer = await pay(process.argv[2]); // the x402_url
console.log(answer.status, await answer.json());`;

/** The headers that may carry a payment. */
export const paymentHeaders = Object.entries(headersOf).map(([version, { payment }]) => ({
  name: payment.toUpperCase(),
  in: "header",
  example: Buffer.from(`{"x402Version":${version},"payload":{"signature":"0x…`).toString("base64"),
  schema: {
    type: "string",
    contentEncoding: "base64",
    description: `a signed payment of x402, version ${version}`,
  },
}));

export const PaymentRequired = record("PaymentRequired", {
  x402Version: Type.Literal(1),
  error: text("why it is asked for"),
  accepts: Type.Array(
    record("PaymentRequirements", {
      scheme: Type.Literal("exact"),
      network: text("base, base-sepolia, or eip155: and the number of the chain"),
      maxAmountRequired: text("what is due, in micro-USDC"),
      asset: address,
      payTo: address,
      maxTimeoutSeconds: Type.Integer({ wants: "for how long the authorisation is to last" }),
      extra: closed({ name: text("of the token's EIP-712 domain"), version: text("the same") }),
      resource: url,
      description: text("what is paid"),
      mimeType: text("of the answer to a payment"),
    }),
  ),
});
