import type { Config } from "../config/config.ts";
import { backupWarnings } from "../doctor/backup-warnings.ts";
import type { Finding } from "../doctor/finding.ts";
import { certificateWarnings, mailWarnings } from "../doctor/mail-warnings.ts";
import { paymentWarnings } from "../doctor/payment-warnings.ts";
import { relayWarnings } from "../doctor/relay-state.ts";
import { walletWarnings } from "../doctor/wallet-warnings.ts";
import type { ProxyWatch } from "../http/access/guard.ts";
import { type Remark, remarks } from "../http/system/remark.ts";
import type { Redact } from "../lib/log.ts";
import type { CertificateSeen } from "../mail/smtp/transport.ts";
import type { Rates } from "../rates/rates.ts";
import type { Db } from "../store/database.ts";
import { createStorageHealth } from "../store/reports/health.ts";
import type { Work } from "./work.ts";

/** What the parts of Till say of themselves, without secrets. */
export function createRemarks(deps: {
  config: Config;
  db: Db;
  now: () => number;
  redact: Redact;
  work: Work;
  rates: Pick<Rates, "state">;
  transport: CertificateSeen | null;
  proxyWatch: Pick<ProxyWatch, "warnings">;
}): { problems: () => Remark[]; warnings: () => Remark[] } {
  const { config, db, now, redact, work, rates, transport, proxyWatch } = deps;
  const storageProblems = createStorageHealth(db, config.dataDir, now);
  return {
    problems: () =>
      work.hasStarted()
        ? [
            ...remarks("storage", storageProblems().map(redact)),
            ...remarks("start", work.chain().isUnknown ? ["no node has answered yet"] : []),
            ...remarks("chain", work.chain().problems.map(redact)),
          ]
        : remarks("check", ["the database is being checked; nothing is stored before it was found whole"]),
    warnings: () => [
      ...remarks(
        "payment",
        paymentWarnings(db, now()).map(({ message }) => redact(message)),
      ),
      ...remarks("wallet", [
        ...walletWarnings(db, config.network.chainId, now()).map(({ message, advice }) =>
          redact(`${message}; ${advice}`),
        ),
        ...work.withdrawalWarnings().map((reason) => redact(`a withdrawal waits: ${reason}`)),
      ]),
      ...remarks("flood", work.chain().warnings),
      ...remarks("node", work.chain().nodeWarnings.map(redact)),
      ...remarks("settlement", work.settlementWarnings().map(redact)),
      ...remarks("relay", [
        ...work.relayWarnings().map(redact),
        ...relayWarnings(db, { ...config, chainId: config.network.chainId }, now()).map(inOne),
      ]),
      ...remarks("rate", rateWarnings(rates.state())),
      ...remarks(
        "mail",
        mailWarnings(db, now()).map((warning) => redact(inOne(warning))),
      ),
      ...remarks("certificate", certificateWarnings(transport?.certificate() ?? null, now()).map(inOne)),
      ...remarks("clock", work.chain().clockWarnings),
      ...remarks("proxy", proxyWatch.warnings()),
      ...remarks("backup", backupWarnings(db, now()).map(inOne)),
    ],
  };
}

const inOne = ({ message, advice }: Finding) => `${message}; ${advice}`;

/** Of the currencies that somebody wanted: those of which there is no rate. */
const rateWarnings = (states: ReturnType<Rates["state"]>): string[] =>
  states
    .filter(({ isKnown, wantedAgoMs }) => !isKnown && wantedAgoMs < wantedMs)
    .map(({ code }) => `no source of TILL_RATES gives a rate of USDC in ${code}; invoices in it need a rate`);

/** What nobody has asked for since is of no use to anybody. */
const wantedMs = 3_600_000;
