import type { Locale } from "../../../language/locale.ts";
import { SubmitButton } from "../../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault } from "../../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../../parts/form/proof.tsx";
import { DeskIcon } from "../../parts/icon.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";

const list = "/desk/settings/people";

/** Possible effects of a restored backup on who works here, with the proof required to remove people. */
export type Restored = {
  /** People known to have been removed; empty if unknown. */
  removed: readonly { name: string }[];
  proof: ProofProps;
  faults: readonly FormFault[];
};

/** Returns the title and the text about people that a restored backup may have brought back, also for Home. */
export const restoredTexts = (locale: Locale, removed: readonly { name: string }[]): [string, string] => [
  locale.say("backupRestored"),
  removed.length === 0
    ? locale.say("peopleUnknown")
    : locale.say("peopleBack", {
        count: removed.length,
        names: locale.listed(removed.map(({ name }) => name)),
      }),
];

type RestoredNoticeProps = { frame: DeskFrame; restored: Restored };

export function RestoredNotice({ frame, restored: { removed, proof, faults } }: RestoredNoticeProps) {
  const { locale } = frame;
  const [title, text] = restoredTexts(locale, removed);
  return (
    <section class="notice people-list" id="restored">
      <DeskIcon name="people" />
      <div class="form">
        <p dir="auto">
          <strong>{title}</strong>
          <br />
          {text}
        </p>
        <DeskForm frame={frame} action={`${list}/keep`}>
          <FaultSummary locale={locale} faults={faults} />
          <ProofField locale={locale} proof={proof} faults={faults} />
          <div class="actions">
            {removed.length > 0 && (
              <SubmitButton kind="danger" text={locale.say("removeAgain")} to={`${list}/remove-again`} />
            )}
            <SubmitButton kind="quiet" text={locale.say("keepPeople")} />
          </div>
        </DeskForm>
      </div>
    </section>
  );
}
