import type { Environment } from "../config/config.ts";
import { createRedact, decoded, type Redact, secretsOfUrl } from "../lib/log.ts";

/** Secrets that Till shows once and never again: webhook secrets and API keys. */
const ownSecrets = [/whsec_[A-Za-z0-9+/=_-]{16,}/g, /\btill_[A-Za-z0-9_-]{43}/g];

/**
 * Redacts the environment's secrets, and `more`, from all output. Nothing should print one anyway: this covers what a
 * node, a mail server or a library says on failure.
 */
export function redactionOf(environment: Environment, more: readonly string[] = []): Redact {
  const list = (name: string) => (environment[name] ?? "").split(",").map((text) => text.trim());
  const nodes = ["TILL_RPC_URL", "TILL_RPC_WS_URL", "TILL_ELSEWHERE_RPC_URL"]
    .flatMap(list)
    .flatMap(secretsOfUrl);
  const plain = [
    environment["TILL_WALLET_PASSPHRASE"]?.trim() ?? "",
    environment["TILL_API_KEY"]?.trim() ?? "",
    environment["TILL_OIDC_CLIENT_SECRET"]?.trim() ?? "",
  ];
  return createRedact(
    [...nodes, ...secretsOfMailServer(environment["TILL_SMTP_URL"]?.trim() ?? ""), ...plain, ...more],
    ownSecrets,
  );
}

/** Lists the password, also in the form that a server may quote from a login; the user name is usually an address. */
function secretsOfMailServer(url: string): string[] {
  if (!URL.canParse(url)) return [url];
  const { username, password } = new URL(url);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const [user, pass] = [decoded(username), decoded(password)];
  return pass === "" ? [] : [password, pass, base64(pass), base64(`\0${user}\0${pass}`)];
}
