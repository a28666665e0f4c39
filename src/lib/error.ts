import { isNoneLeft } from "./open-files.ts";

/** The message of anything thrown, with its causes. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // An error about all of a name's addresses has no message of its own.
  if (thrown instanceof AggregateError && thrown.message === "")
    return thrown.errors.map(messageOf).join("; ");
  // Some libraries add what an error is about, which may hold secrets.
  const isSaid =
    thrown.cause !== undefined && (thrown.cause instanceof Error || typeof thrown.cause !== "object");
  const cause = isSaid ? `: ${messageOf(thrown.cause)}` : "";
  const code = "code" in thrown ? String(thrown.code) : "";
  if (code === "EMFILE" || (mayLackFile.test(code) && isNoneLeft())) return noneLeft;
  const message =
    thrown.message.replace(fetchQuestion, "") + (isUnknownIssuer(code) ? ` (${ownAuthority})` : "");
  return cause === "" ? message : message.replace(/\.$/, "") + cause;
}

/** Error codes of connections, names and databases when no more files can be opened. */
const mayLackFile = /^(ECONNREFUSED|ESERVFAIL|SQLITE_CANTOPEN)$/;
const noneLeft = "Till has as many files and connections open as the system allows it";

/** Returns whether an error says that it lasts until somebody fixes the cause, so that restarting is useless. */
export function isLasting(thrown: unknown): boolean {
  return thrown instanceof Error && "isLasting" in thrown && thrown.isLasting === true;
}

/** The question that Bun's fetch appends when nothing listens. */
const fetchQuestion = /\. Is the computer able to access the url\?$/;

/** Codes with which a TLS library rejects a certificate; OpenSSL has some thirty of them. */
const certificateCode = /CERT|_CRL|_CA$|LEAF_SIGNATURE|HOSTNAME_MISMATCH/;

/** Returns whether a code says that a certificate chain ends at an untrusted issuer. */
export function isUnknownIssuer(code: string): boolean {
  return /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(code);
}

/** Advice for such a certificate. */
export const ownAuthority = "for your own authority, name the file of its certificate in NODE_EXTRA_CA_CERTS";

/** Returns whether a code says that the other side's certificate is invalid. */
export function isCertificateCode(code: string): boolean {
  return certificateCode.test(code);
}
