import { isNoneLeft } from "./open-files.ts";

/** The sentence of whatever was thrown, with the causes it names. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // Of a connection that no address of a name took: it has no sentence of its own.
  if (thrown instanceof AggregateError && thrown.message === "")
    return thrown.errors.map(messageOf).join("; ");
  const cause = thrown.cause === undefined ? "" : `: ${messageOf(thrown.cause)}`;
  const code = "code" in thrown ? String(thrown.code) : "";
  if (code === "EMFILE" || (mayLackFile.test(code) && isNoneLeft())) return noneLeft;
  const message =
    thrown.message.replace(fetchQuestion, "") + (isUnknownIssuer(code) ? ` (${ownAuthority})` : "");
  return cause === "" ? message : message.replace(/\.$/, "") + cause;
}

/** What is said of a connection, a name and a database when no file is left to open for them. */
const mayLackFile = /^(ECONNREFUSED|ESERVFAIL|SQLITE_CANTOPEN)$/;
const noneLeft = "Till has as many files and connections open as the system allows it";

/** Whether an error says of itself that it stays until somebody mends what is wrong: to start again is of no use. */
export function isLasting(thrown: unknown): boolean {
  return thrown instanceof Error && "isLasting" in thrown && thrown.isLasting === true;
}

/** What Bun's fetch asks at the end of the sentence that nothing listens there. */
const fetchQuestion = /\. Is the computer able to access the url\?$/;

/** The codes with which a TLS library refuses a certificate; OpenSSL has some thirty of them. */
const certificateCode = /CERT|_CRL|_CA$|LEAF_SIGNATURE|HOSTNAME_MISMATCH/;

/** Whether a code says that a certificate ends at nobody who is trusted. */
export function isUnknownIssuer(code: string): boolean {
  return /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(code);
}

/** What to do about such a certificate. */
export const ownAuthority = "for your own authority, name the file of its certificate in NODE_EXTRA_CA_CERTS";

/** Whether a code says that the other side's certificate is not valid. */
export function isCertificateCode(code: string): boolean {
  return certificateCode.test(code);
}
