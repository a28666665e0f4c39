import type { Config } from "../config/config.ts";
import type { Finding } from "../domain/finding.ts";
import type { Vault } from "../lib/crypto.ts";
import { isCertificateCode, messageOf } from "../lib/error.ts";
import { isLoopbackHost, localUrl } from "../lib/net/host.ts";
import { world } from "../lib/world.ts";
import { verifyLogin } from "../mail/smtp/connection.ts";
import type { SourceFailure } from "../rates/ask.ts";
import { createEcbRates } from "../rates/past.ts";
import { createRates } from "../rates/rates.ts";
import type { Db } from "../store/database.ts";
import { newestNames } from "../store/reports/replay.ts";
import * as ApiKeyStore from "../store/tables/installation/api-key.ts";
import * as BilledStore from "../store/tables/invoicing/billed.ts";
import { reportThose } from "./database-findings.ts";
import { type OnFinding, reporter } from "./finding.ts";
import * as HealthPass from "./health-pass.ts";
import { certificateWarnings } from "./mail-findings.ts";

const siteTimeoutMs = 10_000;

/** Longer than the central bank's longest holidays without rates. */
const ecbLookBackMs = 7 * 86_400_000;

/** Checks that the mail server accepts Till's login, and reports failed mails. Sends no mail. */
export async function checkMail(
  config: Config,
  find: () => readonly Finding[],
  onFinding: OnFinding,
): Promise<void> {
  const report = reporter("mail", onFinding);
  if (config.smtpUrl === null) {
    report.warning(
      "No mail server is configured: mails wait in the outbox for two days, then are given up.",
      "Set TILL_SMTP_URL and TILL_MAIL_FROM, unless you send the links yourself.",
    );
  } else {
    const { reason, certificate } = await verifyLogin(config.smtpUrl).catch((thrown) => ({
      reason: messageOf(thrown),
      certificate: null,
    }));
    reportThose(certificateWarnings(certificate, world.now()), "certificate", (finding) =>
      onFinding({ ...finding, about: "mail" }),
    );
    const hasLogin = new URL(config.smtpUrl).username !== "";
    if (reason !== null)
      report.wrong(
        `${reason}.`,
        "Check TILL_SMTP_URL: server, port, user and password. Use smtps:// for a port with TLS from the start (465), " +
          "smtp:// for one with STARTTLS (587).",
      );
    else
      report.ok(
        hasLogin
          ? "The mail server takes the login."
          : "The mail server answers. TILL_SMTP_URL has no login.",
      );
  }
  reportThose(find(), "mail", onFinding);
}

/** Checks that the sources of exchange rates answer for the currencies of the newest invoices; asks for each once. */
export async function checkRates(config: Config, db: Db | null, onFinding: OnFinding): Promise<void> {
  const report = reporter("rates", onFinding);
  const failures: SourceFailure[] = [];
  const asking = {
    publicOnly: config.publicWebhooksOnly,
    now: () => world.now(),
    onFailure: (failure: SourceFailure) => failures.push(failure),
  };
  await checkBookkeeping();
  if (!db || config.rates.length === 0) return;
  const rates = createRates({ ...asking, sources: config.rates });
  for (const code of BilledStore.quotedCurrencies(db)) {
    const quote = await rates.quote(code);
    const failed = failures.filter((failure) => failure.code === code);
    const why = failed.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
    const advice = `Invoices in ${code} need a rate of yours until that changes; TILL_RATES says who is asked.`;
    if (quote === null) report.wrong(`No source gives a rate of USDC in ${code} (${why}).`, advice);
    else if (failed.length > 0)
      report.warning(`Some sources give no rate of USDC in ${code} (${why}).`, advice);
    else report.ok(`1 USDC = ${quote.rate} ${code}, as ${quote.source} say.`);
  }

  async function checkBookkeeping(): Promise<void> {
    const { bookkeepingCurrency: code, bookkeepingEcb: ecb } = config;
    if (code !== null && ecb === null && config.rates.length === 0)
      report.warning(
        `TILL_RATES is off, so nobody says what a payment was worth in ${code}.`,
        "Name an exchange there, or set TILL_BOOKKEEPING_RATES to ecb.",
      );
    if (code === null || ecb === null) return;
    const ecbRates = createEcbRates({ ...asking, ...ecb, signal: new AbortController().signal });
    const quote = await ecbRates.quoteOf(code, world.now() - ecbLookBackMs);
    const why = failures
      .splice(0)
      .map(({ reason }) => reason)
      .join("; ");
    if (quote !== null && why === "")
      report.ok(`The European Central Bank has a rate of ${code}: ${quote.source}.`);
    else
      report.warning(
        `The European Central Bank gives no rate of ${code}${why === "" ? "" : ` (${why})`}.`,
        "Payments have no value for the books until that changes; TILL_BOOKKEEPING_CURRENCY and TILL_BOOKKEEPING_RATES say what is asked.",
      );
  }
}

/** Checks that programs need a key if anybody can reach Till. */
export function checkApiKeys(config: Config, db: Db | null, onFinding: OnFinding): void {
  const report = reporter("access", onFinding);
  if (!config.isPublic) report.ok("Till can be reached from this machine alone.");
  else if (config.openApi) {
    report.warning(
      "TILL_OPEN_API is true: whoever reaches Till can issue invoices.",
      "Make sure that something in front of Till asks for a login.",
    );
  } else if (db && ApiKeyStore.anyActive(db)) report.ok("Programs need an API key.");
  else report.wrong("There is no API key, and Till does not start without one.", "Make one: till key create");
}

/** Documentation addresses that nobody has (RFC 5737, RFC 3849): whoever trusts one trusts a range beyond proxies. */
const nobodysAddresses = ["203.0.113.1", "2001:db8::1"];

/** Checks that nobody can choose the address they count as, and that payers' pages are encrypted in transit. */
export function checkExposure({ trustProxy, baseUrl }: Config, onFinding: OnFinding): void {
  const report = reporter("access", onFinding);
  if (trustProxy?.isTooWide || nobodysAddresses.some((address) => trustProxy?.has(address)))
    report.warning(
      "TILL_TRUST_PROXY names more than proxies: whoever sends X-Forwarded-For chooses the address to count as, so no " +
        "limit per address holds.",
      "Name only the addresses of your reverse proxies, such as 127.0.0.1,::1.",
    );
  const { protocol, hostname } = new URL(baseUrl ?? "https://localhost");
  if (protocol === "http:" && !isLoopbackHost(hostname) && !hostname.endsWith(".onion"))
    report.warning(
      "TILL_BASE_URL begins with http://: whoever is on a payer's way to it can read the pages, and change the address " +
        "to pay to.",
      "Put a reverse proxy with TLS in front of Till, and let TILL_BASE_URL begin with https://.",
    );
}

/** Returns a path that only a Till with this data knows; null if the data has neither an invoice nor a link. */
function statusPath(db: Db): string | null {
  const { link, invoice } = newestNames(db);
  if (link) return `/api/payments/status/${link}`;
  return invoice ? `/api/invoices/${invoice}/status` : null;
}

/**
 * Checks that the base URL leads to a Till serving this data; with `vault`, that of its wallet, it shows its full
 * report.
 */
export async function checkSite(
  config: Config,
  { db, vault, find }: { db: Db | null; vault: Vault | null; find: () => readonly Finding[] },
  onFinding: OnFinding,
): Promise<void> {
  const report = reporter("base URL", onFinding);
  const baseUrl = config.baseUrl ?? localUrl(config.host, config.port);
  const pass = vault && HealthPass.issue(vault, world.now());
  // On each request, or the server takes one without a proxy for one from a proxy that hides its client.
  const headers: Record<string, string> = pass === null ? {} : { authorization: `Bearer ${pass}` };
  const ask = async (path: string) => {
    const signal = world.timeout(siteTimeoutMs);
    const response = await world.fetch(`${baseUrl}${path}`, { redirect: "manual", signal, headers });
    const body: unknown = await response.json().catch(() => null);
    return { status: response.status, body: typeof body === "object" && body !== null ? body : {} };
  };
  try {
    const ready = await ask("/health/ready");
    if (![200, 503].includes(ready.status) || !("status" in ready.body)) {
      return report.wrong(
        `What answers at ${baseUrl} is not Till (HTTP ${ready.status}).`,
        "Correct TILL_BASE_URL, or let your reverse proxy pass everything on to TILL_HOST and TILL_PORT.",
      );
    }
    const path = db && statusPath(db);
    if (path && (await ask(path)).status === 404) {
      return report.wrong(
        `The Till at ${baseUrl} does not know the newest invoice or link of ${config.dataDir}.`,
        "Another Till answers there, or it serves another TILL_DATA_DIR.",
      );
    }
    report.ok(`Till answers at ${baseUrl}${path ? " and serves this data" : ""}.`);
    const { reasons, warnings } = ready.body as Record<string, unknown>;
    const running = reporter("running Till", onFinding);
    for (const reason of sentences(reasons)) running.wrong(reason, "Its log may say more.");
    for (const warning of sentences(warnings, find()))
      running.warning(warning, "Till keeps working. Its log may say more.");
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && isCertificateCode(String(thrown.code)))
      return report.warning(
        `The certificate of ${baseUrl} is not valid: ${messageOf(thrown)}.`,
        "Correct it in the reverse proxy: browsers warn of it too, and payers turn back.",
      );
    report.warning(
      `Nothing answers at ${baseUrl}: ${messageOf(thrown)}`,
      "Start till serve. If it runs, check TILL_BASE_URL and the reverse proxy; some networks do not let a machine " +
        "reach its own public address.",
    );
  }
}

/** The sentences of a running Till about itself, without those that repeat findings about its database. */
function sentences(reported: unknown, own: readonly Finding[] = []): string[] {
  return (Array.isArray(reported) ? reported : [])
    .map(String)
    .filter((text) => !own.some(({ message }) => text === message || text.startsWith(`${message}; `)))
    .map((text) => `It says: ${text.slice(0, 300).replace(/\.$/, "")}.`);
}
