import type { Duty } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import { isWalletChosen, walletPath } from "../money/first-wallet.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import { deskPage } from "../parts/page/frame.tsx";
import { PageHead } from "../parts/page/head.tsx";
import { missingOf, payoutOf } from "../shop/profile-form.ts";
import { NoPayments } from "./newest-payments.tsx";

/** In order; each one's explanation is the text whose key ends in `Text`. */
const steps = [
  { title: "stepWallet", label: "stepWalletDo", href: walletPath, duty: "manage" },
  { title: "stepWords", label: "stepWordsDo", href: "/desk/money/words", duty: "move" },
  { title: "stepMail", label: "setUpMail", href: "/desk/settings/mail", duty: "manage" },
  { title: "stepProfile", label: "stepProfileDo", href: "/desk/settings/profile", duty: "manage" },
  { title: "stepInvoice", label: "newInvoice", href: "/desk/invoices/new", duty: "issue" },
] as const satisfies { title: TextKey; label: TextKey; href: string; duty: Duty }[];

/** In development the money is worth nothing, and mails go nowhere. */
const ofRealMoney: readonly string[] = ["stepWallet", "stepMail", "stepWords"];

/**
 * Home before the first invoice and the first link: what to do before anybody can pay. Null once either was created,
 * and for people who may do none of it.
 */
export function firstStepsPage(deps: HttpDeps, frame: DeskFrame): string | null {
  const { db, config, dev } = deps;
  if (newestBilling(db) !== null) return null;
  const { locale, person } = frame;
  const missing = missingOf(deps, locale);
  const hasWallet = isWalletChosen(db);
  // Nobody is sent to a form that they may not open.
  const mustWait = dev === null && !hasWallet && !mayHere(frame, "manage");
  const isDone = {
    stepWallet: hasWallet,
    stepMail: config.smtpUrl !== null,
    stepProfile: missing === null,
    stepInvoice: false,
    stepWords: WalletStore.wordsAt(db) !== null,
  };
  function textOf(title: (typeof steps)[number]["title"]): string {
    if (title === "stepInvoice" && mustWait) return locale.say("startWalletStaff");
    const isBegun = title === "stepProfile" && PreferenceStore.profile(db).name !== null;
    return (isBegun ? missing : null) ?? locale.texts[`${title}Text`];
  }
  const shown = steps
    .filter(({ title, duty }) => mayHere(frame, duty) && (dev === null || !ofRealMoney.includes(title)))
    // With a wallet of one's own there are no words of Till's to write down.
    .filter(({ title }) => title !== "stepWords" || payoutOf(db) === "managed")
    .map((step) => ({ ...step, isDone: isDone[step.title], text: textOf(step.title) }));
  if (shown.length === 0) return null;
  const next = shown.find((step) => !step.isDone);
  return deskPage({
    frame,
    place: "home",
    title: locale.say("home"),
    body: (
      <>
        <PageHead
          title={person === null ? locale.say("welcomeNobody") : locale.say("welcome", { name: person.name })}
          line={locale.say("firstSteps")}
        />
        <ol class="firsts">
          {shown.map((step, i) => (
            <StepItem frame={frame} step={step} mustWait={mustWait} number={i + 1} isNext={step === next} />
          ))}
        </ol>
        <section class="part">
          <NoPayments frame={frame} />
        </section>
      </>
    ),
  });
}

type Step = (typeof steps)[number] & { isDone: boolean; text: string };
type StepProps = { frame: DeskFrame; step: Step; number: number; isNext: boolean; mustWait: boolean };

function StepItem({ frame: { locale }, step, number, isNext, mustWait }: StepProps) {
  const { title, label, href, isDone, text } = step;
  return (
    <li class={isDone ? "is-done" : undefined}>
      {isDone ? (
        <span class="step step-done">
          <DeskIcon name="check" />
          <span class="visually-hidden">{locale.say("stepDone")}</span>
        </span>
      ) : (
        <span class="step" aria-hidden="true">
          {number}
        </span>
      )}
      <div>
        <h2>{locale.texts[title]}</h2>
        {!isDone && <p>{text}</p>}
      </div>
      {!isDone && !mustWait && (
        <a class={isNext ? "button" : "button button-quiet"} href={href}>
          {locale.texts[label]}
        </a>
      )}
    </li>
  );
}
