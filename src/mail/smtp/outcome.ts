import type { NodemailerError } from "nodemailer";
import { isCertificateCode, isUnknownIssuer, ownAuthority } from "../../lib/error.ts";
import { createRedact } from "../../lib/log.ts";
import { singleLine } from "./message.ts";

export type MailOutcome =
  /** The mail server accepted the mail. `response` is its reply. */
  | { readonly kind: "sent"; readonly response: string }
  /**
   * Certainly not delivered. `permanent`: the server refused this recipient or this mail for good (5xx), and would
   * refuse the same mail again. Everything else, even a wrong password, may be temporary. `tooLarge`: a smaller mail
   * would be accepted. `isOutage`: the failure was not about this mail, and any other would have failed too.
   */
  | {
      readonly kind: "rejected";
      readonly permanent: boolean;
      readonly tooLarge?: boolean;
      readonly isOutage?: boolean;
      readonly reason: string;
    }
  /** May or may not have been delivered. Sending it again could deliver it twice. */
  | { readonly kind: "unknown"; readonly reason: string };

export type MailFailure = Exclude<MailOutcome, { kind: "sent" }>;

/** The step at which an attempt failed. */
export type SmtpStep =
  | "looking up its name"
  | "connecting"
  | "logging in"
  | "naming the recipient"
  | "handing over the message";

/** In characters. */
const reasonLengthMax = 300;

/**
 * Classifies a failed attempt. Once the first byte of the content has been sent, only the server's clear reply to the
 * content (RFC 5321 section 4.2: 4yz or 5yz) proves that it was not delivered. Before that, nothing can have been: RFC
 * 5321 section 4.1.1.4 has no mail without content.
 */
export function outcomeOf(error: NodemailerError, step: SmtpStep, secrets: readonly string[]): MailFailure {
  const reason = reasonOf(error, step, secrets);
  const code = error.responseCode ?? 0;
  const answered = error.command === "DATA" && code >= 400 && code < 600;
  if (step === "handing over the message" && !answered) return { kind: "unknown", reason };
  if (isTooLarge(error)) return { kind: "rejected", permanent: true, tooLarge: true, reason };
  const permanent = isAboutThisMail(error) && isPermanent(code);
  const failedStep = error.command === "MAIL FROM" ? "logging in" : step;
  return { kind: "rejected", permanent, ...ofOutage(failedStep), reason };
}

/** Until the server accepts the sender, no failure is about this mail. */
const ofOutage = (step: SmtpStep) =>
  step === "naming the recipient" || step === "handing over the message" ? {} : { isOutage: true };

/** Classifies a missing reply, or an attempt that Till cut short because it is stopping. */
export function outcomeOfSilence(reason: string, step: SmtpStep): MailFailure {
  const full = `${reason} (while ${step})`;
  if (step === "handing over the message") return { kind: "unknown", reason: full };
  return { kind: "rejected", permanent: false, ...ofOutage(step), reason: full };
}

/** Returns a server's text as one short line, without any credentials that it may have quoted, however short. */
export function redact(text: string, secrets: readonly string[]): string {
  return singleLine(createRedact(secrets, [], 1)(text), reasonLengthMax);
}

/**
 * True if the reply is about this mail. A refused login or sender is for the operator to fix, and so is a server that
 * does not relay for Till or blocklists it (RFC 3463: X.7.Z to the recipient): once fixed, the same mail goes through.
 */
function isAboutThisMail({ command, response = "" }: NodemailerError): boolean {
  return command === "DATA" || (command === "RCPT TO" && !/^5\d\d[ -]5\.7\./.test(response));
}

/**
 * True for a mail above the server's stated size limit (RFC 1870), which the library reports without asking the server,
 * or for 552, except when it means a full mailbox (RFC 3463: X.2.2).
 */
function isTooLarge({ code, command, responseCode, response = "" }: NodemailerError): boolean {
  if (code === "EMESSAGE" && command === "MAIL FROM") return true;
  return responseCode === 552 && command !== "RCPT TO" && !/^552[ -]5\.2\./.test(response);
}

/** 503 is a wrong order of commands (RFC 5321), 530 to 539 ask for a login (RFC 4954): neither is permanent. */
function isPermanent(code: number): boolean {
  return code >= 500 && code < 600 && code !== 503 && !(code >= 530 && code < 540);
}

function reasonOf(error: NodemailerError, step: SmtpStep, secrets: readonly string[]): string {
  // The desk allows a mail server on any port of this network, so replies that are not a mail server's are not quoted.
  const isMailServer = step === "handing over the message" || /^\d{3}(?:[ -]|$)/.test(error.response ?? "");
  const reply = isMailServer ? error.response : detailOf(error);
  // Till's own words hold no secret. Redacting them would reveal which word is one.
  return singleLine(
    `${sentenceOf(error, step)}${reply ? `: ${redact(reply, secrets)}` : ""}`,
    reasonLengthMax,
  );
}

/** Returns the library's message if the network or TLS failed, where it helps; elsewhere the sentence suffices. */
function detailOf(error: NodemailerError): string | null {
  return error.code === "ESOCKET" || error.code === "ETLS" || error.code === "EDNS" ? error.message : null;
}

/** Returns advice on a certificate refused with this code. */
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
