import { parseConnectionUrl } from "nodemailer/lib/shared";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import { isLoopbackHost } from "../../lib/net/host.ts";

export type SmtpServer = Readonly<{
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  options: SMTPConnectionOptions;
  credentials: { readonly user: string; readonly pass: string } | null;
  /** Everything that a mail server could repeat of the credentials, to be taken out of what it says. */
  secrets: readonly string[];
}>;

/**
 * Reads `smtp://user:password@host:port` (port 587; STARTTLS when the server offers it) or `smtps://…` (port
 * 465). The query may set `requireTLS`, `ignoreTLS`, `name` (what EHLO says) and `tls.rejectUnauthorized`;
 * everything else in it is ignored. Credentials leave this machine only over an encrypted connection, unless
 * `ignoreTLS=true` says otherwise. Throws an InvalidSmtpUrlError, which does not repeat the URL.
 */
export function parseSmtpUrl(url: string): SmtpServer {
  if (!/^smtps?:\/\/./i.test(url) || !URL.canParse(url)) throw new InvalidSmtpUrlError();
  const { host, port, secure, auth, requireTLS, ignoreTLS, name, tls = {} } = parseConnectionUrl(url);
  const { rejectUnauthorized } = tls;
  if (!host) throw new InvalidSmtpUrlError();
  const user = auth?.user ?? "";
  const pass = auth?.pass ?? "";
  const mustEncrypt =
    requireTLS === true || (auth !== undefined && ignoreTLS !== true && !isLoopbackHost(host));
  const options: SMTPConnectionOptions = {
    secure: secure === true,
    requireTLS: mustEncrypt && secure !== true,
    ignoreTLS: ignoreTLS === true,
    ...(typeof name === "string" && { name }),
    ...(rejectUnauthorized === false && { tls: { rejectUnauthorized: false } }),
  };
  return {
    host,
    port: port ?? (secure ? 465 : 587),
    options,
    credentials: auth ? { user, pass } : null,
    secrets: auth ? secretForms(user, pass) : [],
  };
}

/** No token is made like that: `user`, `apikey`, `postmaster`. */
const everydayWord = /^\p{L}{1,15}$/u;

/**
 * AUTH PLAIN and AUTH LOGIN (RFC 4616) send Base64 of the credentials, and some servers quote what they got. A user
 * name that is an everyday word is no secret, and without it nobody understands what the server says.
 */
function secretForms(user: string, pass: string): string[] {
  const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
  const names = everydayWord.test(user) ? [] : [user];
  return [base64(`\0${user}\0${pass}`), base64(pass), base64(user), encodeURIComponent(pass), pass, ...names]
    .filter((form, index, all) => form !== "" && all.indexOf(form) === index)
    .sort((a, b) => b.length - a.length);
}

class InvalidSmtpUrlError extends Error {
  override readonly name = "InvalidSmtpUrlError";
  constructor() {
    super(
      "The SMTP URL must look like smtp://user:password@mail.example.com:587 or smtps://… (not repeated here)",
    );
  }
}
