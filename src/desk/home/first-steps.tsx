import type { Duty } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import { type DeskFrame, deskPage, mayHere } from "../parts/frame.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { NoPayments } from "./newest-payments.tsx";

type Step = {
  title: "stepProfile" | "stepInvoice" | "stepWords";
  label: TextKey;
  href: string;
  isDone: boolean;
  duty: Duty;
};

/**
 * Home before the first invoice and the first link: what to do before anybody can pay, in order. Null once anything was
 * made, and for who may do none of it.
 */
export function firstStepsPage({ db, dev }: HttpDeps, frame: DeskFrame): string | null {
  if (newestBilling(db) !== null) return null;
  const { locale, person } = frame;
  const all: Step[] = [
    {
      title: "stepProfile",
      label: "stepProfileDo",
      href: "/desk/settings/profile",
      isDone: PreferenceStore.profile(db).name !== null,
      duty: "manage",
    },
    {
      title: "stepInvoice",
      label: "newInvoice",
      href: "/desk/invoices/new",
      isDone: false,
      duty: "issue",
    },
  ];
  // In development the words are worth nothing.
  if (dev === null)
    all.push({
      title: "stepWords",
      label: "stepWordsDo",
      href: "/desk/money/words",
      isDone: WalletStore.wordsAt(db) !== null,
      duty: "move",
    });
  const shown = all.filter(({ duty }) => mayHere(frame, duty));
  if (shown.length === 0) return null;
  const next = shown.find(({ isDone }) => !isDone);
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
            <StepItem frame={frame} step={step} number={i + 1} isNext={step === next} />
          ))}
        </ol>
        <section class="part">
          <NoPayments frame={frame} />
        </section>
      </>
    ),
  });
}

type StepProps = { frame: DeskFrame; step: Step; number: number; isNext: boolean };

function StepItem({ frame: { locale }, step, number, isNext }: StepProps) {
  const { title, label, href, isDone } = step;
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
        {!isDone && <p>{locale.texts[`${title}Text`]}</p>}
      </div>
      {!isDone && (
        <a class={isNext ? "button" : "button button-quiet"} href={href}>
          {locale.texts[label]}
        </a>
      )}
    </li>
  );
}
