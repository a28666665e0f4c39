import { isIpAddress, isLoopbackHost, isPublicAddress } from "../../lib/net/host.ts";
import { faulty } from "../../lib/text/text.ts";

/** Longest accepted webhook URL, in characters, as written and as it is stored. */
export const webhookUrlLengthMax = 2_048;

/** `URL` would drop or encode these without a word, and what is stored should be what was written. */
const blank = /[\s\p{Cc}]/u;

/**
 * Reads the URL that a caller wants events posted to. Returns its normalised form without a fragment (a
 * fragment is never sent), or why it cannot be taken.
 *
 * With `publicOnly`, hosts that are plainly not on the public Internet are refused here, so that the caller
 * hears of it at once. What a host name resolves to is checked again whenever something is sent.
 */
export function checkWebhookUrl(text: string, { publicOnly }: { publicOnly: boolean }) {
  const tooLong = { max: webhookUrlLengthMax };
  if (text.length > webhookUrlLengthMax) return faulty("url_long", tooLong);
  if (blank.test(text)) return faulty("url_blank");
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return faulty("url_start");
  if (!URL.canParse(text)) return faulty("url_form");

  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return faulty("url_user");
  if (url.port === "0") return faulty("url_port");
  if (publicOnly && !mayBePublic(hostOf(url))) return faulty("url_private", { host: hostOf(url) });
  url.hash = "";
  if (url.href.length > webhookUrlLengthMax) return faulty("url_long_encoded", tooLong);
  return { ok: true, url: url.href } as const;
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
