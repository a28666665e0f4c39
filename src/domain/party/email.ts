/**
 * Mail addresses. Till writes to exactly one mailbox per invoice, so it takes one plain address and nothing
 * that a mail program could read as a list, a group or a name with an address.
 */

import { faulty } from "../../lib/text/text.ts";

/** RFC 5321 section 4.5.3.1.3: a path has at most 256 octets, two of them angle brackets. */
const lengthMax = 254;

/** RFC 5321 section 4.5.3.1.1, in octets. */
const localLengthMax = 64;

/** RFC 1035 section 2.3.4, in octets of the form that is sent. */
const labelLengthMax = 63;

/** `Dot-string` of RFC 5321 section 4.1.2: what can stand before the @ without quotes. */
const localForm = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** `sub-domain` of RFC 5321 section 4.1.2, with the letters and digits of all scripts (RFC 5890). */
const labelForm = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/**
 * Takes `local@domain` as RFC 5321 section 4.1.2 defines it, without its quoted local parts and address
 * literals: no display name, no angle brackets, no comment, no second address, no space or control character.
 * The local part is ASCII (many servers lack RFC 6531), the domain may be of any script, and has a dot unless
 * it is `localhost`. The address comes back as it was written.
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

/** A name in front of an address (RFC 5322, section 3.4): quoted, or without what would begin another address. */
const mailboxForm = /^(?:"[^"\\\p{Cc}]*" *|[^<>@",;:()\\\p{Cc}]*)<([^<>]+)>$/u;

/** Whether a text is one mailbox: `till@example.com`, or with a name, `Till <till@example.com>`. */
export function isMailbox(text: string): boolean {
  const [, address = text] = mailboxForm.exec(text) ?? [];
  return parse(address).ok;
}

/**
 * The form in which an address that `parse` took travels: the domain in lower case and, if it is of another
 * script, in its ASCII form (UTS 46, RFC 5891), so that no server needs RFC 6531.
 * `jo@München.de` → `jo@xn--mnchen-3ya.de`
 */
export function toAscii(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, at + 1)}${hostOf(email.slice(at + 1)) ?? email.slice(at + 1)}`;
}

/** One spelling for all spellings of a mailbox, to recognise a merchant by. Mail goes to the address as written. */
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

/** Null also for what is too long to be one: to parse a host takes time with the square of its length. */
function hostOf(domain: string): string | null {
  return domain.length <= lengthMax && URL.canParse(`http://${domain}`)
    ? new URL(`http://${domain}`).hostname
    : null;
}

/** A link that writes to the address (RFC 6068, which wants its `@` as it is). */
export function href(email: string): string {
  return `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll("%40", "@")}`;
}

/** As strangers with the same link may see it: `j•••@example.com`. Who wrote it knows it again. */
export function masked(email: string): string {
  const at = email.lastIndexOf("@");
  return `${at > 1 ? email.slice(0, 1) : ""}•••${email.slice(at)}`;
}
