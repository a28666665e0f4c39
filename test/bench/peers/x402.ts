/** The reference of x402: a server that asks for 25 USDC to the address in its path, and carries payments out itself. */
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";

const { PORT, RPC_URL, USDC, KEY } = process.env;
const account = privateKeyToAccount(KEY as `0x${string}`);
// As often as Till looks on a local chain.
const client = createWalletClient({ account, chain: foundry, transport: http(RPC_URL), pollingInterval: 25 });
const signer = toFacilitatorEvmSigner({ ...client.extend(publicActions), address: account.address } as never);
const network = "eip155:31337";
const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer));

const header = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  async fetch(request) {
    const url = new URL(request.url);
    const requirements = {
      scheme: "exact",
      network,
      amount: "25000000",
      asset: USDC ?? "",
      payTo: url.pathname.slice(1),
      maxTimeoutSeconds: 300,
      extra: { name: "USD Coin", version: "2" },
    } as const;
    const sent = request.headers.get("payment-signature");
    if (sent === null) {
      const required = { x402Version: 2, error: "", resource: { url: url.href }, accepts: [requirements] };
      return new Response(null, { status: 402, headers: { "payment-required": header(required) } });
    }
    const payload = JSON.parse(Buffer.from(sent, "base64").toString());
    const verified = await facilitator.verify(payload, requirements);
    if (!verified.isValid) return Response.json(verified, { status: 402 });
    const settled = await facilitator.settle(payload, requirements);
    const status = settled.success ? 200 : 402;
    return Response.json(settled, { status, headers: { "payment-response": header(settled) } });
  },
});
