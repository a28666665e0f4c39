import { newestBackup } from "../../doctor/backup-warnings.ts";
import { paymentWarnings } from "../../doctor/payment-warnings.ts";
import { type Duty, may } from "../../domain/party/person.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as DepositAddress from "../../domain/wallet/deposit-address.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { broughtBack } from "../../people/people.ts";
import * as DeskReport from "../../store/reports/desk/home.ts";
import * as WebhookReport from "../../store/reports/desk/webhooks.ts";
import * as MailFailures from "../../store/reports/mail-failures.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import * as UnsettledStore from "../../store/tables/settle/unsettled.ts";
import * as WithdrawalStore from "../../store/tables/settle/withdrawal.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import { chainState } from "../answer.ts";
import type { Visit } from "../gate.ts";
import { ButtonLink } from "../parts/button.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { DeskIcon, type IconName } from "../parts/icon.tsx";
import { restoredTexts } from "../people/people-page.tsx";

/** Something that needs attention: what it is, what it means, and the button beside it. */
type Attention = {
  kind: AttentionKind;
  icon: IconName;
  /** Money is waiting or at stake. */
  isUrgent: boolean;
  title: string;
  text: string;
  /** Null when the reader may not act on it. */
  action: { label: string; href: string } | null;
};

type AttentionKind =
  | "storage"
  | "chain"
  | "payment"
  | "exposed"
  | "gas"
  | "stuck"
  | "left"
  | "recovered"
  | "words"
  | "people"
  | "backup"
  | "certificate"
  | "clock"
  | "proxy"
  | "mail-server"
  | "mail"
  | "webhook"
  | "overdue";

/** With gas for fewer settlements it is time to send some ETH. */
const settlementsMin = 10n;

const mailTexts = { failing: "mailsWait", failed: "mailsGivenUp", unknown: "mailsUnknown" } as const;

/** What only the operator can mend, as the report of health names it. */
const operatorsOwn = [
  ["certificate", "mail", "certificateEnds"],
  ["clock", "clock", "clockWrong"],
  ["proxy", "people", "proxyUnnamed"],
] as const;

const weekMs = 7 * 86_400_000;
/** Nobody needs a higher number. */
const countMax = 99;

/** What needs attention now, most urgent first; empty when all is well. */
export function needsAttention(deps: HttpDeps, visit: Pick<Visit, "frame" | "now" | "who">): Attention[] {
  const { db, config, dev } = deps;
  const { frame, now, who } = visit;
  const { locale } = frame;
  const all: Attention[] = [];
  const add = (
    kind: AttentionKind,
    icon: IconName,
    texts: [title: string, text: string],
    [duty, label, href]: readonly [Duty, TextKey, string],
    isUrgent = false,
  ) => {
    const action = may(who.role, duty) ? { label: locale.texts[label], href } : null;
    all.push({ kind, icon, isUrgent, title: texts[0], text: texts[1], action });
  };
  const health = ["read", "showHealth", "/desk/settings/health"] as const;

  const problems = deps.problems();
  const isAbout = (about: string) => problems.some((problem) => problem.about === about);
  if (isAbout("check")) {
    add("storage", "alert", [locale.say("checkRuns"), locale.say("checkRunsText")], health);
    // A database that was not found whole must not even be queried.
    return all;
  }
  if (isAbout("storage")) {
    add("storage", "alert", [locale.say("storageBad"), locale.say("storageBadText")], health, true);
    return all;
  }
  const [exposure] = WithdrawalStore.listExposures(db, config.network.chainId);
  if (exposure) {
    const show = ["read", "showWhatToDo", `/desk/money/withdrawals/${exposure.id}`] as const;
    add("exposed", "alert", [locale.say("exposed"), locale.say("exposedText")], show, true);
  }
  if (chainState(deps) === "late")
    add("chain", "clock", [locale.say("paymentsLate"), locale.say("chainLateText")], health, true);
  if (paymentWarnings(db, now).length > 0)
    add("payment", "alert", [locale.say("paymentOdd"), locale.say("paymentOddText")], health, true);

  const network = config.network.label;
  const holdings = deps.treasury()?.glance() ?? null;
  if (holdings !== null) {
    const { gasBalance, settlementCost } = holdings;
    const settlements = settlementCost === 0n ? settlementsMin : gasBalance / settlementCost;
    const show = ["read", "showGasAddress", "/desk/money/gas"] as const;
    if (settlements === 0n)
      add("gas", "drop", [locale.say("gasEmpty"), locale.say("gasEmptyText", { network })], show, true);
    else if (settlements < settlementsMin) {
      const text = locale.say("gasLowText", { count: Number(settlements), network });
      add("gas", "drop", [locale.say("gasLow"), text], show, true);
    }
  }
  const stuck = UnsettledStore.summarizeFailed(
    db,
    { factory: DepositAddress.factory, min: config.settleMin },
    1,
  );
  if (stuck.count > 0) {
    const text = locale.say("moneyStuckText", { count: stuck.count });
    add("stuck", "money", [locale.say("moneyStuck"), text], ["read", "showStuck", "/desk/money#stuck"], true);
  }

  const amountOf = (amount: Usdc.Usdc) => locale.figure(Usdc.formatExact(amount));
  const showMoney = ["read", "showWhatToDo", "/desk/money"] as const;
  const left = BalanceStore.listUnexplained(db, "left", 1).total;
  if (left > 0n) {
    const text = locale.say("settlementsLeft", { amount: amountOf(left) });
    add("left", "money", [locale.say("moneyAtDeposits"), text], showMoney, true);
  }
  const recovered = Usdc.sum(UnsettledStore.listRecovered(db).map(({ amount }) => amount));
  if (recovered > 0n) {
    const text = locale.say("recoveredWaiting", {
      amount: amountOf(recovered),
      command: "till recover --settle",
    });
    add("recovered", "money", [locale.say("moneyAtDeposits"), text], showMoney, true);
  }

  const removed = may(who.role, "manage") ? broughtBack(db, who.id) : null;
  if (removed !== null) {
    const show = ["manage", "showPeople", "/desk/settings/people"] as const;
    add("people", "people", restoredTexts(locale, removed), show, removed.length > 0);
  }

  if (config.smtpUrl === null) {
    const texts = [locale.say("mailMissing"), locale.say("mailMissingText")] as [string, string];
    add("mail-server", "mail", texts, ["manage", "setUpMail", "/desk/settings/health#mail"]);
  } else {
    const which = (["failed", "unknown", "failing"] as const)
      .map((state) => ({
        state,
        found: MailFailures.find(db, state, { createdAfter: now - weekMs, namedMax: 1 }),
      }))
      .find(({ found }) => found !== null);
    if (which?.found) {
      const { count, reason } = which.found;
      const text = locale.say(mailTexts[which.state], { count, reason: deps.redact(reason) });
      add(
        "mail",
        "mail",
        [locale.say("mailFails"), text],
        ["read", "showMails", "/desk/settings/health#mail"],
      );
    }
  }
  const failing = WebhookReport.countFailing(db, { since: now - weekMs, max: countMax + 1 });
  if (failing > 0) {
    const text = locale.say("webhookFailsText", { count: failing > countMax ? `${countMax}+` : failing });
    const show = ["manage", "showWebhooks", "/desk/settings/webhooks?state=failing"] as const;
    add("webhook", "hook", [locale.say("webhookFails"), text], show);
  }
  const backup = newestBackup(db, now);
  if (backup?.isOld) {
    const when = frame.when.momentInText(backup.madeAt);
    add("backup", "download", [locale.say("backupOld"), locale.say("backupOldText", { when })], health);
  }
  if (backup?.lacksWallet)
    add("backup", "download", [locale.say("backupBare"), locale.say("askOperator")], health);
  const warned = new Set(deps.warnings().map(({ about }) => about));
  for (const [about, icon, title] of operatorsOwn)
    if (warned.has(about)) add(about, icon, [locale.say(title), locale.say("askOperator")], health);
  const owed = DeskReport.owed(db, { before: frame.when.today });
  if (owed.invoices > 0) {
    const title = locale.say("invoicesOverdue", { count: owed.invoices });
    const text = locale.say("invoicesOverdueText", {
      amount: locale.figure(Usdc.format(owed.amount)),
      day: frame.when.day(owed.firstDue ?? frame.when.today),
    });
    add("overdue", "bell", [title, text], ["issue", "remind", "/desk/invoices?kind=overdue"]);
  }
  // Development money is worth nothing.
  if (dev === null && WalletStore.wordsAt(db) === null) {
    const texts = [locale.say("wordsMissing"), locale.say("wordsMissingText")] as [string, string];
    add("words", "words", texts, ["move", "showWords", "/desk/money/words"], true);
  }
  return all;
}

/** Something that needs somebody: what it is, what it means, and the button beside it. */
export type HomeNeed = {
  icon: IconName;
  isUrgent: boolean;
  title: string;
  text: string;
  /** Null where the reader may not do anything about it. */
  action: { label: string; href: string } | null;
};

/** What needs somebody, the most urgent first; nothing when all is well. */
export function Needs({ frame: { locale }, needs }: { frame: DeskFrame; needs: readonly HomeNeed[] }) {
  return (
    <div id="needs" data-live>
      {needs.length > 0 && (
        <section class="part">
          <div class="part-head">
            <h2>{locale.say("needsAttention")}</h2>
          </div>
          <ul class="attention">
            {needs.map(({ icon, isUrgent, title, text, action }) => (
              <li>
                <DeskIcon name={icon} {...(isUrgent ? { tone: "late" } : {})} />
                <div>
                  <h3 dir="auto">{title}</h3>
                  <p dir="auto">{text}</p>
                </div>
                {action !== null && <ButtonLink href={action.href} kind="quiet small" text={action.label} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
