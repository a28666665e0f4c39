import * as Usdc from "../../domain/usdc.ts";
import type * as AuditStore from "../../store/tables/desk/audit.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";

type WordsPageProps = {
  frame: DeskFrame;
  /** The amount that would be lost with the machine; null while unknown. */
  atStake: Usdc.Usdc | null;
  /** Unix time in milliseconds; null if perhaps nobody has them. */
  writtenAt: number | null;
  command: string;
  /** Required before they are shown at the desk; null once only the machine shows them. */
  proof: ProofProps | null;
  /** When they were last shown here, and to whom. */
  shown: Pick<AuditStore.AuditEntry, "at" | "personName"> | null;
  /** The positions of the words to ask for. */
  asked: readonly number[];
  /** The page to continue to, for people who came here on the way; null for others. */
  next: string | null;
  faults: readonly FormFault[];
};

export const wordsPath = "/desk/money/words";
/** `next` is the page to continue to, for people who come here on the way. */
export const wordsHref = (next: string) => `${wordsPath}?to=${encodeURIComponent(next)}`;

export const wordField = (place: number) => `word-${place}`;

/** How to write down the wallet's words, and a check that somebody has. */
export function wordsPage(props: WordsPageProps): string {
  const { frame, atStake, writtenAt, command, proof, shown, next, faults } = props;
  const { locale, when } = frame;
  const query = next === null ? "" : `?to=${encodeURIComponent(next)}`;
  return headedPage({
    frame,
    place: "money",
    title: locale.say("wordsTitle"),
    back: "money",
    line: locale.say("wordsLine"),
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        <div class="notices" id="words-state" data-live>
          {writtenAt !== null && (
            <p class="notice notice-plain">
              <DeskIcon name="check" />
              <span>{locale.say("wordsKept", { day: when.momentInText(writtenAt) })}</span>
            </p>
          )}
          {writtenAt === null && atStake !== 0n && (
            <p class="notice">
              <DeskIcon name="words" />
              <span>
                {atStake === null
                  ? locale.say("wordsMissingText")
                  : locale.say("wordsAtStake", { amount: locale.figure(Usdc.format(atStake)) })}
              </span>
            </p>
          )}
          {shown !== null && (
            <p class="notice">
              <DeskIcon name="eye" />
              <span>
                {locale.say("wordsShownTo", { name: shown.personName, time: when.momentInText(shown.at) })}
              </span>
            </p>
          )}
        </div>
        <ol class="steps">
          <li>
            {proof === null ? (
              <>
                <p>{locale.say("wordsStepRun")}</p>
                <pre class="command" dir="ltr" tabindex="0">
                  {command}
                </pre>
              </>
            ) : (
              <DeskForm frame={frame} action={`/desk/money/words/show${query}`} className="form">
                <p>{locale.say("wordsStepShow")}</p>
                <ProofField locale={locale} proof={proof} faults={faults} />
                <p class="actions">
                  <SubmitButton text={locale.say("wordsShow")} />
                </p>
              </DeskForm>
            )}
          </li>
          <li>
            <p>{locale.say("wordsStepWrite")}</p>
          </li>
          <li>
            <p>{locale.say("wordsStepKeep")}</p>
          </li>
        </ol>
        {writtenAt === null && <Check {...props} action={`/desk/money/words${query}`} />}
      </>
    ),
  });
}

/** Asks for some of the words, so that nobody claims by mistake to have them. */
function Check({ frame, asked, faults, next, proof, action }: WordsPageProps & { action: string }) {
  const { locale } = frame;
  return (
    <Part title={locale.say("wordsHave")}>
      <DeskForm frame={frame} action={action} className="form form-alone">
        <p class="soft">{locale.say("wordsCheck")}</p>
        <div class="words-asked" id="check">
          {asked.map((place) => (
            <TextField
              locale={locale}
              name={wordField(place)}
              label={locale.say("wordsPlace", { place })}
              faults={faults}
              extra={{ autocomplete: "off", autocapitalize: "none", spellcheck: "false", dir: "ltr" }}
            />
          ))}
        </div>
        <p class="actions">
          <SubmitButton text={locale.say("wordsHaveButton")} kind={proof === null ? "" : "quiet"} />
          {next !== null && <ButtonLink href={next} kind="plain" text={locale.say("wordsLater")} />}
        </p>
      </DeskForm>
    </Part>
  );
}

type ShownProps = { frame: DeskFrame; words: readonly string[]; back: string };

/** The words themselves: in the response to a form, so that no address leads to them. Not copyable. */
export function shownWordsPage({ frame, words, back }: ShownProps): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "money",
    title: locale.say("wordsTitle"),
    back: "money",
    line: locale.say("wordsStepWrite"),
    body: (
      <div class="form form-alone">
        <ol class="words" dir="ltr" lang="en" translate="no">
          {words.map((word) => (
            <li>{word}</li>
          ))}
        </ol>
        <p class="soft">{locale.say("wordsStepKeep")}</p>
        <p class="actions">
          <ButtonLink href={`${back}#check`} text={locale.say("wordsHaveButton")} />
        </p>
      </div>
    ),
  });
}
