import * as Usdc from "../../domain/usdc.ts";
import { ActionButton } from "../parts/button.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage, Part } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";

type WordsPageProps = {
  frame: DeskFrame;
  /** What would be lost with the machine; null while it is not known. */
  atStake: Usdc.Usdc | null;
  /** Unix time in milliseconds; null while nobody may have them. */
  writtenAt: number | null;
  command: string;
};

/** How to write the wallet's words down. They are never shown at the desk: whoever gets into it must not get them. */
export function wordsPage({ frame, atStake, writtenAt, command }: WordsPageProps): string {
  const { locale, when } = frame;
  const steps = [locale.say("wordsStepWrite"), locale.say("wordsStepKeep")];
  return headedPage({
    frame,
    place: "money",
    title: locale.say("wordsTitle"),
    back: "money",
    line: locale.say("wordsLine"),
    body: (
      <>
        <div class="notices" id="words-state" data-live>
          {writtenAt !== null ? (
            <p class="notice notice-plain">
              <DeskIcon name="check" />
              <span>{locale.say("wordsKept", { day: when.momentInText(writtenAt) })}</span>
            </p>
          ) : atStake === 0n ? (
            ""
          ) : (
            <p class="notice">
              <DeskIcon name="words" />
              <span>
                {atStake === null
                  ? locale.say("wordsMissingText")
                  : locale.say("wordsAtStake", { amount: locale.figure(Usdc.format(atStake)) })}
              </span>
            </p>
          )}
        </div>
        <ol class="steps">
          <li>
            <p>{locale.say("wordsStepRun")}</p>
            <pre class="command" dir="ltr" tabindex="0">
              {command}
            </pre>
          </li>
          {steps.map((step) => (
            <li>
              <p>{step}</p>
            </li>
          ))}
        </ol>
        {writtenAt === null && (
          <Part title={locale.say("wordsHave")}>
            <ActionButton
              frame={frame}
              action="/desk/money/words"
              kind="quiet"
              text={locale.say("wordsHaveButton")}
            />
            <p class="soft part-line">{locale.say("wordsDone")}</p>
          </Part>
        )}
      </>
    ),
  });
}
