import type { Config } from "../config/config.ts";
import { databaseFindings } from "../doctor/database-findings.ts";
import { certificateWarnings } from "../doctor/mail-findings.ts";
import { isCode } from "../domain/bill/currency.ts";
import { type Finding, inOrder, warning, wrong } from "../domain/finding.ts";
import type { ProxyWatch } from "../http/access/guard.ts";
import type { Settings } from "../http/route/deps.ts";
import type { Redact } from "../lib/log.ts";
import type { CertificateSeen } from "../mail/smtp/transport.ts";
import type { Rates } from "../rates/rates.ts";
import type { Db } from "../store/database.ts";
import { createStorageHealth } from "../store/reports/health.ts";
import type { Releases } from "../update/watch.ts";
import type { OpenFiles } from "./open-files.ts";
import type { Work } from "./work.ts";

/** Collects the problems of a running Till, without secrets: problems keep it from being ready, warnings do not. */
export function createFindings(deps: {
  config: Config;
  db: Db;
  now: () => number;
  redact: Redact;
  work: Work;
  rates: Pick<Rates, "state">;
  transport: () => CertificateSeen | null;
  settings: Pick<Settings, "findings">;
  proxyWatch: Pick<ProxyWatch, "warnings">;
  openFiles: Pick<OpenFiles, "warnings">;
  releases: Pick<Releases, "warnings">;
}): { problems: () => Finding[]; warnings: () => Finding[] } {
  const { config, db, now, redact, work, rates, transport, settings, proxyWatch, openFiles, releases } = deps;
  const storageProblems = createStorageHealth(db, config.dataDir, now);
  const redacted = (findings: readonly Finding[]) =>
    inOrder(findings).map(({ message, advice, facts, ...rest }) => ({
      ...rest,
      message: redact(message),
      advice: advice && redact(advice),
      facts: facts && "reason" in facts ? { ...facts, reason: redact(facts.reason) } : facts,
    }));
  return {
    problems: () =>
      redacted(
        work.hasStarted()
          ? [
              ...storageProblems().map((text) => wrong("storage", text)),
              ...(work.chain().isUnknown ? [wrong("start", "no node has answered yet")] : []),
              ...work.chain().problems,
            ]
          : [wrong("check", "the database is being checked; nothing is stored before it was found whole")],
      ),
    warnings: () =>
      redacted([
        ...databaseFindings(db, config, now()),
        ...work.warnings(),
        ...rateWarnings(rates.state()),
        ...certificateWarnings(transport()?.certificate() ?? null, now()),
        ...proxyWatch.warnings(),
        ...openFiles.warnings(),
        ...releases.warnings(),
        ...settings.findings(),
      ]),
  };
}

/** Warns of currencies wanted recently that have no rate; not of the price of ETH, which no invoice waits for. */
const rateWarnings = (states: ReturnType<Rates["state"]>): Finding[] =>
  states
    .filter(({ code, isKnown, wantedAgoMs }) => !isKnown && wantedAgoMs < wantedMs && isCode(code))
    .map(({ code }) =>
      warning(
        "rates",
        `no source of TILL_RATES gives a rate of USDC in ${code}`,
        "invoices in it need a rate",
      ),
    );

/** How long after a request a missing rate deserves a warning. */
const wantedMs = 3_600_000;
