/**
 * Mail addresses. Till writes to exactly one mailbox per invoice, so it accepts one plain address and nothing that a
 * mail program could read as a list, a group or a name with an address.
 */

import { faulty } from "../../lib/text/text.ts";

/** RFC 5321 section 4.5.3.1.3: a path has at most 256 octets, two of them angle brackets. */
const lengthMax = 254;

/** RFC 5321 section 4.5.3.1.1, in octets. */
const localLengthMax = 64;

/** RFC 1035 section 2.3.4, in octets of the encoded form. */
const labelLengthMax = 63;

/** `Dot-string` of RFC 5321 section 4.1.2: local parts that need no quotes. */
const localForm = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** `sub-domain` of RFC 5321 section 4.1.2, with the letters and digits of all scripts (RFC 5890). */
const labelForm = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/**
 * Accepts `local@domain` as RFC 5321 section 4.1.2 defines it, without quoted local parts and address literals: no
 * display name, angle brackets, comment, second address, space or control character. The local part is ASCII, as many
 * servers lack RFC 6531; the domain may be in any script and has a dot unless it is `localhost`. Returns the address as
 * written.
 */
export function parse(text: string) {
  if (text.length > lengthMax) return faulty("too_long", { max: lengthMax });
  const [local, domain, ...more] = text.split("@");
  if (!local || !domain || more.length > 0) return faulty("email_form");
  if (local.length > localLengthMax) return faulty("too_long_local", { max: localLengthMax });
  if (!localForm.test(local)) return faulty("email_local");
  const fault = faultOfDomain(domain);
  if (fault) return faulty(fault);
  if (toAscii(text).length > lengthMax) return faulty("too_long_encoded", { max: lengthMax });
  return { ok: true, email: text } as const;
}

/**
 * A display name before an address (RFC 5322, section 3.4): quoted, or without characters that would begin another
 * address.
 */
const mailboxForm = /^(?:"[^"\\\p{Cc}]*" *|[^<>@",;:()\\\p{Cc}]*)<([^<>]+)>$/u;

/** Returns whether a text is one mailbox: `till@example.com`, or with a name, `Till <till@example.com>`. */
export function isMailbox(text: string): boolean {
  const [, address = text] = mailboxForm.exec(text) ?? [];
  return parse(address).ok;
}

/**
 * Encodes an address accepted by `parse` for sending: the domain in lower case and in ASCII (UTS 46, RFC 5891), so that
 * no server needs RFC 6531. `jo@München.de` → `jo@xn--mnchen-3ya.de`
 */
export function toAscii(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, at + 1)}${hostOf(email.slice(at + 1)) ?? email.slice(at + 1)}`;
}

/** Maps all spellings of a mailbox to one, to recognise a merchant by. Mail goes to the address as written. */
export function normalize(email: string): string {
  return toAscii(email).toLowerCase();
}

function faultOfDomain(domain: string) {
  if (domain.toLowerCase() === "localhost") return null;
  const labels = domain.split(".");
  if (labels.length < 2) return "email_dotless";
  if (!labels.every((label) => labelForm.test(label))) return "email_domain";
  // RFC 3696 section 2: no top-level domain is all digits, so this is an IP address or a typing error.
  if (/^\p{N}+$/u.test(labels.at(-1) ?? "")) return "email_number";
  const host = hostOf(domain);
  return host?.split(".").every((label) => label.length <= labelLengthMax) ? null : "email_domain";
}

/** Returns null for an invalid host, and for one that is too long: parsing takes quadratic time. */
function hostOf(domain: string): string | null {
  return domain.length <= lengthMax && URL.canParse(`http://${domain}`)
    ? new URL(`http://${domain}`).hostname
    : null;
}

/** A mailto: URL (RFC 6068, which requires the `@` unencoded). */
export function href(email: string): string {
  return `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll("%40", "@")}`;
}

/** Masks an address for strangers with the same link: `j•••@example.com`. Its owner still recognises it. */
export function masked(email: string): string {
  const at = email.lastIndexOf("@");
  return `${at > 1 ? email.slice(0, 1) : ""}•••${email.slice(at)}`;
}
