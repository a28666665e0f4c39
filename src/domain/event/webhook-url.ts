import { isIpAddress, isLoopbackHost, isPublicAddress } from "../../lib/net/host.ts";

/** Longest accepted webhook URL, in characters, as written and as it is stored. */
export const webhookUrlLengthMax = 2_048;

type WebhookUrlCheck = { ok: true; url: string } | { ok: false; reason: string };

/** `URL` would drop or encode these without a word, and what is stored should be what was written. */
const blank = /[\s\p{Cc}]/u;

/**
 * Reads the URL that a caller wants events posted to. Returns its normalised form without a fragment (a
 * fragment is never sent), or a reason that completes the sentence "webhook_url …".
 *
 * With `publicOnly`, hosts that are plainly not on the public Internet are refused here, so that the caller
 * hears of it at once. What a host name resolves to is checked again whenever something is sent.
 */
export function checkWebhookUrl(text: string, { publicOnly }: { publicOnly: boolean }): WebhookUrlCheck {
  if (text.length > webhookUrlLengthMax) return refuse(`is longer than ${webhookUrlLengthMax} characters`);
  if (blank.test(text)) return refuse("contains a space, a line break or a control character");
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return refuse("must start with https:// or http:// and a host");
  if (!URL.canParse(text)) return refuse("is not a valid URL");

  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return refuse("must not contain a user name or password");
  if (url.port === "0") return refuse("has port 0, where nothing can listen");
  if (publicOnly && !mayBePublic(hostOf(url))) {
    return refuse(`must be publicly reachable, and ${hostOf(url)} is not a public address`);
  }
  url.hash = "";
  if (url.href.length > webhookUrlLengthMax) {
    return refuse(`is longer than ${webhookUrlLengthMax} characters once it is percent-encoded`);
  }
  return { ok: true, url: url.href };
}

/**
 * The host of a parsed URL, without the brackets around IPv6. `URL` has already turned every other way of
 * writing an IPv4 address (decimal, octal, hexadecimal, shortened, full-width) into four decimal numbers.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** False for an address that is not public and for names that always mean this machine (RFC 6761). */
export function mayBePublic(host: string): boolean {
  return isIpAddress(host) ? isPublicAddress(host) : !isLoopbackHost(host);
}

function refuse(reason: string): WebhookUrlCheck {
  return { ok: false, reason };
}
