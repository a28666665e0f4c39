import { isIpAddress, isLoopbackHost, isPublicAddress } from "../../lib/net/host.ts";
import { faulty } from "../../lib/text/text.ts";

/** Maximum length of a webhook URL in characters, both as written and as stored. */
export const webhookUrlLengthMax = 2_048;

/** `URL` would silently drop or encode these, but the stored URL should be what was written. */
const blank = /[\s\p{Cc}]/u;

/**
 * Validates the URL that events are to be posted to. Returns its normalised form without a fragment (a fragment is
 * never sent), or why it is refused.
 *
 * With `publicOnly`, hosts that are plainly not on the public Internet are refused here, so that the caller hears of it
 * at once. The resolved address of a host name is checked again on each delivery.
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
 * The host of a parsed URL, without the brackets around IPv6. `URL` has already normalised every other notation of an
 * IPv4 address (decimal, octal, hexadecimal, shortened, full-width) to four decimal numbers.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Returns false for non-public addresses and for names that always mean this machine (RFC 6761). */
export function mayBePublic(host: string): boolean {
  return isIpAddress(host) ? isPublicAddress(host) : !isLoopbackHost(host);
}
