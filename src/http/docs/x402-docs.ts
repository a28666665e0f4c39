import { Type } from "@sinclair/typebox";
import { address, closed, record, text, url } from "../fields/answer-parts.ts";
import { headersOf } from "../relay/x402/payment.ts";

/** What /docs and /openapi.json say about payments by x402. */

/** How a program pays, with the official x402 client. */
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

/** The headers a payment may come in. */
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
