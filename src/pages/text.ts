import * as Email from "../domain/party/email.ts";
import { transactionUrl } from "../domain/wallet/network.ts";
import type { Locale, TextKey } from "../language/locale.ts";

/** Small text conversions for markup. None trusts its input. */

/** Returns an http(s) URL or a path on this server that may become a link; null for others, such as `javascript:`. */
export function webHref(text: string): string | null {
  return /^(https?:\/\/[^\s\\]*|\/([^/\s\\][^\s\\]*)?)$/i.test(text) ? text : null;
}

const walletRequest =
  /^(ethereum:|https:\/\/(link\.metamask\.io\/send|link\.trustwallet\.com\/send|wallet\.coinbase\.com\/base-pay)[/?])[\w@/?=&.-]+$/;

/** Returns a payment request for wallets (EIP-681), or for one of those of `walletLinks`; null for anything else. */
export const walletHref = (text: string): string | null => (walletRequest.test(text) ? text : null);

export function mailHref(email: string, subject: string): string {
  return `${Email.href(email)}?subject=${encodeURIComponent(subject.toWellFormed())}`;
}

/** Returns a transaction's address in a block explorer; null if there is no explorer. */
export function transactionHref(explorer: string | null, txHash: string): string | null {
  const url = transactionUrl(explorer, encodeURIComponent(txHash.toWellFormed()));
  return url === null ? null : webHref(url);
}

/** `0x1234…cdef`: enough of a hash to compare by eye. */
export function shortHash(hash: string): string {
  return hash.length <= 16 ? hash : `${hash.slice(0, 8)}…${hash.slice(-6)}`;
}

/** `"500.25"` → `500250000n` micro-USDC; null if the text is not an amount. */
export function microOf(amount: string): bigint | null {
  const match = /^(\d{1,20})(?:\.(\d{1,6}))?$/.exec(amount);
  if (!match) return null;
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(6, "0"));
}

/** Texts that only a page's script needs, in the order in which the page lists them. */
export const clientKeys = [
  "connectedAgain",
  "payWith",
  "signWith",
  "cannotSign",
  "notHandedOver",
  "confirmInWallet",
  "sent",
  "noAccount",
  "unknownNetwork",
  "otherNetwork",
  "tooLittle",
  "declined",
  "unauthorized",
  "requestPending",
  "walletFailed",
  "noFee",
  "reverted",
] as const satisfies readonly TextKey[];

/** After those, where the page can be paid from other networks. */
export const networkKeys = ["crossWith", "crossSent", "deliverWith"] as const satisfies readonly TextKey[];

export type ClientKey = (typeof clientKeys)[number] | (typeof networkKeys)[number];

/** Returns the texts for a page's script, one per line. */
export function clientTexts({ texts }: Locale, hasNetworks: boolean): string {
  return [...clientKeys, ...(hasNetworks ? networkKeys : [])].map((key) => texts[key]).join("\n");
}
