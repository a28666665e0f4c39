import { type Finding, factsOf } from "../../domain/finding.ts";
import { type Duty, may } from "../../domain/party/person.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { findingsOf } from "../../http/system/health.ts";
import type { TextKey } from "../../language/locale.ts";
import { broughtBack } from "../../people/people.ts";
import * as DeskReport from "../../store/reports/desk/home.ts";
import * as WebhookReport from "../../store/reports/desk/webhooks.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import * as RefundStore from "../../store/tables/invoicing/refund.ts";
import * as ElsewhereStore from "../../store/tables/settle/elsewhere.ts";
import * as WalletChangeStore from "../../store/tables/settle/wallet-change.ts";
import { chainState } from "../answer.ts";
import { remindPath } from "../invoices/remind.tsx";
import { addressesPath } from "../money/addresses-page.tsx";
import { listPath as refundsPath } from "../money/refunds/parts.ts";
import { ButtonLink } from "../parts/button.tsx";
import { DeskIcon, type IconName } from "../parts/icon.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import type { Visit } from "../parts/page/visit.ts";
import { countMax, countText } from "../parts/place.ts";
import { restoredTexts } from "../settings/people/restored.tsx";

/** A task that needs somebody: its title, its meaning, and the button beside it. */
export type HomeNeed = {
  icon: IconName;
  /** True if money is waiting or at stake. */
  isUrgent: boolean;
  title: string;
  text: string;
  /** Null if the reader may not do anything about it. */
  action: { label: string; href: string } | null;
};

/** With gas for fewer settlements it is time to send some ETH. */
const settlementsMin = 10n;

/** Most urgent first. */
const mailTexts = [
  ["failed", "mailsGivenUp"],
  ["unknown", "mailsUnknown"],
  ["failing", "mailsWait"],
] as const;

/** Problems that only the operator can fix. */
const operatorsOwn = [
  ["certificate", "mail", "certificateEnds"],
  ["update", "lock", "updateSecurity"],
  ["clock", "clock", "clockWrong"],
  ["proxy", "people", "proxyUnnamed"],
] as const;

const weekMs = 7 * 86_400_000;

/** Lists what needs attention now, most urgent first; empty if all is well. */
export function needsAttention(deps: HttpDeps, visit: Pick<Visit, "frame" | "now" | "who">): HomeNeed[] {
  const { db, config, dev } = deps;
  const { frame, now, who } = visit;
  const { locale } = frame;
  const { say } = locale;
  const all: HomeNeed[] = [];
  const adding =
    (isUrgent: boolean) =>
    (icon: IconName, title: string, text: string, [duty, label, href]: readonly [Duty, TextKey, string]) => {
      const action = may(who.role, duty) ? { label: locale.texts[label], href } : null;
      all.push({ icon, isUrgent, title, text, action });
    };
  const [add, addUrgent] = [adding(false), adding(true)];
  const health = ["read", "showHealth", "/desk/settings/health"] as const;

  const { problems, warnings } = findingsOf(deps);
  const isAbout = (about: Finding["about"]) =>
    [...problems, ...(warnings ?? [])].some((finding) => finding.about === about);
  if (warnings === null) {
    if (isAbout("check")) add("alert", say("checkRuns"), say("checkRunsText"), health);
    else addUrgent("alert", say("storageBad"), say("storageBadText"), health);
    return all;
  }
  const exposed = factsOf(warnings, "exposed");
  if (exposed) {
    const show = ["read", "showWhatToDo", `/desk/money/withdrawals/${exposed.withdrawal}`] as const;
    addUrgent("alert", say("exposed"), say("exposedText"), show);
  }
  if (chainState(deps) === "late") addUrgent("clock", say("paymentsLate"), say("chainLateText"), health);
  if (isAbout("payments")) addUrgent("alert", say("paymentOdd"), say("paymentOddText"), health);

  const network = config.network.label;
  const holdings = deps.treasury()?.glance() ?? null;
  if (holdings !== null) {
    const { gasBalance, settlementCost } = holdings;
    const settlements = settlementCost === 0n ? settlementsMin : gasBalance / settlementCost;
    const show = ["read", "showGasAddress", "/desk/money/gas"] as const;
    if (settlements === 0n) addUrgent("drop", say("gasEmpty"), say("gasEmptyText", { network }), show);
    else if (settlements < settlementsMin) {
      const text = say("gasLowText", { count: Number(settlements), network });
      addUrgent("drop", say("gasLow"), text, show);
    }
  }
  const stuck = factsOf(warnings, "stuck");
  if (stuck) {
    const show = ["read", "showStuck", "/desk/money#stuck"] as const;
    addUrgent("money", say("moneyStuck"), say("moneyStuckText", stuck), show);
  }

  const atDeposits = (text: string) =>
    addUrgent("money", say("moneyAtDeposits"), text, ["read", "showWhatToDo", "/desk/money"]);
  const amountOf = (facts: { amount: Usdc.Usdc }) => locale.figure(Usdc.formatExact(facts.amount));
  const left = factsOf(warnings, "left");
  if (left) atDeposits(say("settlementsLeft", { amount: amountOf(left) }));
  const recovered = factsOf(warnings, "recovered");
  if (recovered) {
    const command = "till recover --settle";
    atDeposits(say("recoveredWaiting", { amount: amountOf(recovered), command }));
  }

  const elsewhere = ElsewhereStore.sumWaiting(db);
  if (elsewhere.count > 0) {
    const title = say("elsewhereAttention", { amount: amountOf(elsewhere) });
    addUrgent("money", title, say("elsewhereLine"), ["read", "elsewhereShow", "/desk/money#elsewhere"]);
  }

  const removed = may(who.role, "manage") ? broughtBack(db, who.id) : null;
  if (removed !== null) {
    const show = ["manage", "showPeople", "/desk/settings/people"] as const;
    (removed.length > 0 ? addUrgent : add)("people", ...restoredTexts(locale, removed), show);
  }

  if (config.smtpUrl === null) {
    const setUp = ["manage", "setUpMail", "/desk/settings/mail"] as const;
    add("mail", say("mailMissing"), say("mailMissingText"), setUp);
  } else {
    const [text] = mailTexts.flatMap(([code, key]) => {
      const facts = factsOf(warnings, code);
      return facts ? [say(key, facts)] : [];
    });
    const show = ["read", "showMails", "/desk/settings/health#mail"] as const;
    if (text !== undefined) add("mail", say("mailFails"), text, show);
  }
  const paused = factsOf(warnings, "paused");
  if (paused) {
    const show = ["manage", "showEndpoints", "/desk/settings/endpoints"] as const;
    addUrgent("hook", say("endpointPaused"), say("endpointPausedText", paused), show);
  }
  const failing = WebhookReport.countFailing(db, { since: now - weekMs, max: countMax + 1 });
  if (failing > 0) {
    const text = say("webhookFailsText", { count: countText(failing) });
    const show = ["manage", "showWebhooks", "/desk/settings/webhooks?state=failing"] as const;
    add("hook", say("webhookFails"), text, show);
  }
  const old = factsOf(warnings, "old");
  if (old) {
    const when = frame.when.momentInText(old.madeAt);
    add("download", say("backupOld"), say("backupOldText", { when }), health);
  }
  if (factsOf(warnings, "unmade")) add("download", say("backupNone"), say("askOperator"), health);
  if (factsOf(warnings, "bare")) add("download", say("backupBare"), say("askOperator"), health);
  const key = factsOf(warnings, "key");
  if (key) {
    const text = say("keyEndsText", { name: key.name, time: frame.when.momentInText(key.expiresAt - 1) });
    const show = ["manage", "showKeys", "/desk/settings/keys"] as const;
    add("key", say(key.isOver ? "keyIsOver" : "keyEndsSoon"), text, show);
  }
  for (const [about, icon, title] of operatorsOwn)
    if (isAbout(about)) add(icon, say(title), say("askOperator"), health);
  for (const { name, createdBy, readyAt } of WalletChangeStore.listWaiting(db, now)) {
    const title = name === null ? say("changeWaitingLimit") : say("changeWaiting", { name });
    const when = frame.when.momentInText(readyAt);
    const text = say("changeWaitingText", { name: createdBy || say("development"), when });
    addUrgent("lock", title, text, ["move", "showChange", addressesPath]);
  }
  const ready = may(who.role, "move") ? RefundStore.countReady(db) : 0;
  if (ready > 0) {
    const show = ["move", "showRefunds", refundsPath] as const;
    addUrgent("money", say("refundsReady", { count: ready }), say("refundsReadyText"), show);
  }
  const toRefund = RefundStore.sumOwing(db);
  if (toRefund.count > 0) {
    const amount = amountOf(toRefund);
    const show = ["read", "showRefunds", refundsPath] as const;
    const { asked } = toRefund;
    const refundsText = asked > 0 ? say("refundsAsked", { count: asked }) : say("refundsAttentionText");
    add("money", say("refundsAttention", { amount }), refundsText, show);
  }
  const owed = DeskReport.owed(db, { before: frame.when.today });
  if (owed.invoices > 0) {
    const title = say("invoicesOverdue", { count: owed.invoices });
    const text = say("invoicesOverdueText", {
      amount: locale.figure(Usdc.format(owed.amount)),
      day: frame.when.day(owed.firstDue ?? frame.when.today),
    });
    add("bell", title, text, ["issue", "remind", remindPath]);
  }
  // Development money is worth nothing.
  if (dev === null && WalletStore.wordsAt(db) === null) {
    const show = ["move", "showWords", "/desk/money/words"] as const;
    addUrgent("words", say("wordsMissing"), say("wordsMissingText"), show);
  }
  return all;
}

/** Lists what needs somebody, most urgent first; empty if all is well. */
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
