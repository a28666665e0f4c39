import type { Duty } from "../../domain/party/person.ts";
import type { TextKey } from "../../language/locale.ts";
import { type DeskFrame, deskPage, mayHere } from "../parts/frame.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";

/** What is to be done before somebody has been paid once. */
export type FirstSteps = {
  hasProfile: boolean;
  /** Null where the words are worth nothing. */
  hasWords: boolean | null;
};

type Step = { title: TextKey; text: TextKey; label: TextKey; href: string; isDone: boolean; duty: Duty };

/**
 * Home before the first invoice and the first link: what to do, in order. Null for who may do none of it.
 */
export function firstStepsPage({ frame, steps }: { frame: DeskFrame; steps: FirstSteps }): string | null {
  const { locale, person } = frame;
  const { hasProfile, hasWords } = steps;
  const all: Step[] = [
    {
      title: "stepProfile",
      text: "stepProfileText",
      label: "stepProfileDo",
      href: "/desk/settings/profile",
      isDone: hasProfile,
      duty: "manage",
    },
    {
      title: "stepInvoice",
      text: "stepInvoiceText",
      label: "newInvoice",
      href: "/desk/invoices/new",
      isDone: false,
      duty: "issue",
    },
    {
      title: "stepWords",
      text: "stepWordsText",
      label: "stepWordsDo",
      href: "/desk/money/words",
      isDone: hasWords ?? true,
      duty: "move",
    },
  ];
  const shown = (hasWords === null ? all.slice(0, -1) : all).filter(({ duty }) => mayHere(frame, duty));
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
          <div class="part-head">
            <h2>{locale.say("paymentsTitle")}</h2>
          </div>
          <p class="soft">{locale.say("paymentsNone")}</p>
        </section>
      </>
    ),
  });
}

function StepItem({
  frame: { locale },
  step: { title, text, label, href, isDone },
  number,
  isNext,
}: {
  frame: DeskFrame;
  step: Step;
  number: number;
  isNext: boolean;
}) {
  if (isDone)
    return (
      <li class="is-done">
        <span class="step step-done">
          <DeskIcon name="check" />
          <span class="visually-hidden">{locale.say("stepDone")}</span>
        </span>
        <div>
          <h2>{locale.texts[title]}</h2>
        </div>
      </li>
    );
  return (
    <li>
      <span class="step" aria-hidden="true">
        {number}
      </span>
      <div>
        <h2>{locale.texts[title]}</h2>
        <p>{locale.texts[text]}</p>
      </div>
      <a class={isNext ? "button" : "button button-quiet"} href={href}>
        {locale.texts[label]}
      </a>
    </li>
  );
}
