import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import { PasskeyField, ProofField, type ProofProps } from "../parts/form/proof.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { Setting } from "../parts/setting.tsx";
import { NameForm, type PasskeyRow } from "./me-page.tsx";

type Common = { frame: DeskFrame; proof: ProofProps; faults: readonly FormFault[] };

const path = "/desk/settings/me";
const back = ({ locale }: DeskFrame) => ({ href: path, label: locale.say("settingsMe") });

/** A further passkey. What is there already is asked for first: a stolen session makes none. */
export function addPasskeyPage({
  frame,
  proof,
  options,
  faults,
}: Common & {
  /** Asks for the new one. */
  options: string;
}): string {
  const { locale } = frame;
  const title = locale.say("addPasskey");
  return headedPage({
    frame,
    place: "settings",
    title,
    back: back(frame),
    body: (
      <DeskForm frame={frame} action={`${path}/passkeys/add`} className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        <p>{locale.say(proof.kind === "passkey" ? "addPasskeyTwice" : "addPasskeyText")}</p>
        <ProofField locale={locale} proof={proof} faults={faults} />
        <PasskeyField locale={locale} name="passkey" options={options} isNew />
        <div class="actions">
          <SubmitButton icon="key" text={title} />
        </div>
      </DeskForm>
    ),
  });
}

/** One passkey: what it is called, and its end. */
export function passkeyPage({
  frame,
  passkey: { id, name },
  isLastWayIn,
  proof,
  faults,
}: Common & {
  passkey: PasskeyRow;
  isLastWayIn: boolean;
}): string {
  const { locale } = frame;
  const title = name || locale.say("passkey");
  return headedPage({
    frame,
    place: "settings",
    title,
    back: back(frame),
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        <NameForm
          frame={frame}
          title={locale.say("passkeyName")}
          text={locale.say("passkeyNameLine")}
          action={`${path}/passkeys/${id}/name`}
          name={name}
          autocomplete="off"
          faults={faults}
        />
        <Setting
          title={locale.say("removePasskey")}
          text={locale.say(isLastWayIn ? "lastWayIn" : "removePasskeyLine")}
        >
          {isLastWayIn ? (
            <p>
              <ButtonLink href={`${path}/passkeys/add`} kind="quiet" text={locale.say("addPasskey")} />
            </p>
          ) : (
            <DeskForm frame={frame} action={`${path}/passkeys/${id}/remove`}>
              <ProofField locale={locale} proof={proof} faults={faults} />
              <p>
                <button class="button button-quiet late" type="submit">
                  {locale.say("removePasskey")}
                </button>
              </p>
            </DeskForm>
          )}
        </Setting>
      </>
    ),
  });
}

export function passwordPage({
  frame,
  proof,
  faults,
  hasPassword,
  lengthMin,
}: Common & { hasPassword: boolean; lengthMin: number }): string {
  const { locale, person } = frame;
  const title = locale.say(hasPassword ? "changePassword" : "setPassword");
  return headedPage({
    frame,
    place: "settings",
    title,
    back: back(frame),
    body: (
      <DeskForm frame={frame} action={`${path}/password`} className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        <input type="hidden" name="username" autocomplete="username" value={person?.name ?? ""} />
        <ProofField locale={locale} proof={proof} faults={faults} />
        <TextField
          locale={locale}
          name="password"
          label={locale.say("newPassword")}
          hint={locale.say("passwordHint", { count: lengthMin })}
          faults={faults}
          extra={{ type: "password", autocomplete: "new-password" }}
        />
        <p class="hint">{locale.say("passwordEndsSessions")}</p>
        <div class="actions">
          <SubmitButton text={title} />
        </div>
      </DeskForm>
    ),
  });
}
