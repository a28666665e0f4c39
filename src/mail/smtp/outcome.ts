import type { NodemailerError } from "nodemailer";
import { isCertificateCode, isUnknownIssuer, ownAuthority } from "../../lib/error.ts";
import { createRedact } from "../../lib/log.ts";
import { singleLine } from "./message.ts";

export type MailOutcome =
  /** The mail server has taken the mail over. `response` is what it answered. */
  | { readonly kind: "sent"; readonly response: string }
  /**
   * Certainly not delivered. `permanent`: the server refused this recipient or this mail for good (5xx), so the
   * same mail would be refused again. Anything else, a wrong password included, can pass later. `tooLarge`: a
   * smaller one would be taken. `isOutage`: it was not about this mail, and no other would have been taken.
   */
  | {
      readonly kind: "rejected";
      readonly permanent: boolean;
      readonly tooLarge?: boolean;
      readonly isOutage?: boolean;
      readonly reason: string;
    }
  /** May or may not have been delivered. To send it again could deliver it twice. */
  | { readonly kind: "unknown"; readonly reason: string };

export type MailFailure = Exclude<MailOutcome, { kind: "sent" }>;

/** What was going on when an attempt failed. */
export type SmtpStep =
  | "looking up its name"
  | "connecting"
  | "logging in"
  | "naming the recipient"
  | "handing over the message";

/** In characters. */
const reasonLengthMax = 300;

/**
 * What a failed attempt means. Once the first byte of the content has been handed over, only a clear answer of
 * the server to the content (RFC 5321 section 4.2: 4yz or 5yz) proves that it was not delivered. Before that,
 * nothing can have been: RFC 5321 section 4.1.1.4 has no mail without its content.
 */
export function outcomeOf(error: NodemailerError, step: SmtpStep, secrets: readonly string[]): MailFailure {
  const reason = reasonOf(error, step, secrets);
  const code = error.responseCode ?? 0;
  const answered = error.command === "DATA" && code >= 400 && code < 600;
  if (step === "handing over the message" && !answered) return { kind: "unknown", reason };
  if (isTooLarge(error)) return { kind: "rejected", permanent: true, tooLarge: true, reason };
  const permanent = isAboutThisMail(error) && isPermanent(code);
  const asked = error.command === "MAIL FROM" ? "logging in" : step;
  return { kind: "rejected", permanent, ...ofOutage(asked), reason };
}

/** Until the sender is taken nothing is about this mail. */
const ofOutage = (step: SmtpStep) =>
  step === "naming the recipient" || step === "handing over the message" ? {} : { isOutage: true };

/** Nothing was answered in time, or Till is stopping. */
export function outcomeOfSilence(reason: string, step: SmtpStep): MailFailure {
  const full = `${reason} (while ${step})`;
  if (step === "handing over the message") return { kind: "unknown", reason: full };
  return { kind: "rejected", permanent: false, ...ofOutage(step), reason: full };
}

/** Takes a server's text as one short line, without the credentials that it may have quoted, however short. */
export function redact(text: string, secrets: readonly string[]): string {
  return singleLine(createRedact(secrets, [], 1)(text), reasonLengthMax);
}

/**
 * A refused login or sender is the operator's to repair, and so is a server that does not relay for Till or has it on
 * a blocklist (RFC 3463: X.7.Z to the recipient). Then the same mail goes through: only what else the server says to
 * the recipient or to the content is about this mail.
 */
function isAboutThisMail({ command, response = "" }: NodemailerError): boolean {
  return command === "DATA" || (command === "RCPT TO" && !/^5\d\d[ -]5\.7\./.test(response));
}

/**
 * RFC 1870: above the size that the server named, of which the library tells without asking it, or 552. That code
 * also means a full mailbox (RFC 3463: X.2.2).
 */
function isTooLarge({ code, command, responseCode, response = "" }: NodemailerError): boolean {
  if (code === "EMESSAGE" && command === "MAIL FROM") return true;
  return responseCode === 552 && command !== "RCPT TO" && !/^552[ -]5\.2\./.test(response);
}

/** 503 is a wrong order of commands (RFC 5321), 530 to 539 ask for a login (RFC 4954): neither is for good. */
function isPermanent(code: number): boolean {
  return code >= 500 && code < 600 && code !== 503 && !(code >= 530 && code < 540);
}

function reasonOf(error: NodemailerError, step: SmtpStep, secrets: readonly string[]): string {
  // Whoever names the server at the desk may name any port of this network: what is no mail server is not quoted.
  const isMailServer = step === "handing over the message" || /^\d{3}(?:[ -]|$)/.test(error.response ?? "");
  const reply = isMailServer ? error.response : detailOf(error);
  // Till's own words hold no secret; with some taken out, they would tell which word is one.
  return singleLine(
    `${sentenceOf(error, step)}${reply ? `: ${redact(reply, secrets)}` : ""}`,
    reasonLengthMax,
  );
}

/** The library's own words help where the network or TLS failed; elsewhere the sentence says it. */
function detailOf(error: NodemailerError): string | null {
  return error.code === "ESOCKET" || error.code === "ETLS" || error.code === "EDNS" ? error.message : null;
}

/** What to do about a certificate that is refused with this code. */
function adviceOn(code: string): string {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "the SMTP URL must call the server as its certificate does";
  const accept = "?tls.rejectUnauthorized=false in the SMTP URL accepts any";
  return isUnknownIssuer(code) ? `${ownAuthority}; ${accept}` : accept;
}

function sentenceOf(error: NodemailerError, step: SmtpStep): string {
  if (isTooLarge(error)) return "The mail is larger than the mail server takes";
  switch (error.code) {
    case "EDNS":
      return "The mail server's name could not be resolved";
    case "ESOCKET":
      if (isCertificateCode(error.originalCode ?? ""))
        return `The mail server's certificate is not valid (${adviceOn(error.originalCode ?? "")})`;
      if (/WRONG_VERSION_NUMBER/.test(error.message))
        return "The mail server does not begin with TLS; write smtp:// in the SMTP URL, which encrypts once it has greeted";
      return `The connection to the mail server failed while ${step}`;
    case "ECONNECTION":
      return `The mail server closed the connection while ${step}`;
    case "ETIMEDOUT":
      return `The mail server did not answer in time while ${step}`;
    case "ETLS":
      return "The connection to the mail server could not be encrypted (add ?ignoreTLS=true to the SMTP URL to go without)";
    case "EAUTH":
      return "The mail server refused the login";
    case "EENVELOPE":
      if (error.command === "MAIL FROM") return "The mail server refused the sender";
      if (error.command === "RCPT TO") return "The mail server refused the recipient";
      return "The mail server refused to take a message";
    case "EMESSAGE":
      return "The mail server refused the message";
    case "EPROTOCOL":
      return `The mail server gave an answer that is not part of SMTP while ${step}`;
    default:
      return `The mail could not be sent while ${step} (${error.code ?? error.name})`;
  }
}
