import * as Usdc from "../usdc.ts";
import { type PaymentRequest, paymentUri } from "./deposit-address.ts";
import { isTestNetwork, type Network } from "./network.ts";
import { prolink } from "./prolink.ts";

/** A wallet app, and the link that opens it with a USDC transfer filled in. */
export type WalletLink = { name: string; href: string };

/**
 * The wallet apps that document such a link, MetaMask and Trust Wallet on the pages that docs/checkout.md names. Others,
 * such as Rainbow, open from the EIP-681 link, for which the phone finds the app. Empty for a local chain, which no
 * wallet can reach.
 */
export function walletLinks(
  asked: PaymentRequest,
  network: Pick<Network, "isLocal" | "chainId">,
): WalletLink[] {
  const coinbase = prolink(asked, network);
  if (coinbase === null) return [];
  const metaMask = paymentUri(asked).replace("ethereum:", "https://link.metamask.io/send/");
  // Trust Wallet has no test networks, and takes the amount in USDC.
  const trust =
    `https://link.trustwallet.com/send?asset=c${asked.chainId}_t${asked.usdc}` +
    `&address=${asked.to}&amount=${Usdc.formatExact(asked.amount)}`;
  return [
    { name: "MetaMask", href: metaMask },
    ...(isTestNetwork(network) ? [] : [{ name: "Trust Wallet", href: trust }]),
    { name: "Coinbase Wallet", href: coinbase },
  ];
}
