import type { LanguageCode } from "../../../domain/language.ts";
import type { Passkey } from "../../../store/tables/desk/passkey.ts";
import type { Session } from "../../../store/tables/desk/session.ts";
import { ButtonLink, SubmitButton } from "../../parts/button.tsx";
import { provenPage } from "../../parts/form/confirm-page.tsx";
import { choice, email, line } from "../../parts/form/controls.tsx";
import { DeskForm, FaultSummary, type FormFault } from "../../parts/form/form.tsx";
import { languagesAfter } from "../../parts/form/languages.ts";
import { newPasswordField, PasskeyField, ProofField, type ProofProps } from "../../parts/form/proof.tsx";
import { formOf } from "../../parts/form/rows.ts";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { headedPage } from "../../parts/page/head.tsx";
import { Setting } from "../../parts/setting.tsx";
import type { Proven } from "./people-page.tsx";
import { Passkeys, Sessions } from "./sessions.tsx";

const path = "/desk/settings/me";

export const meForm = formOf({
  email: {
    label: "yourEmail",
    optional: true,
    control: email,
    fault: "profileFaultEmail",
  },
  language: {
    label: "languageOfDesk",
    control: choice(({ say }) => languagesAfter(say("languageOfBrowser"))),
  },
});
const nameForm = formOf({ name: { label: "yourName", control: line({ maxlength: "60" }) } });

type MeProps = {
  frame: DeskFrame;
  name: string;
  language: LanguageCode | null;
  /** Null for people whom Till does not mail. */
  email: string | null;
  /** Required to change the address. */
  proof: ProofProps;
  passkeys: readonly Passkey[];
  arePasskeysPossible: boolean;
  hasPassword: boolean;
  sessions: readonly Session[];
  /** The reader's own session. */
  here: number;
  faults: readonly FormFault[];
};

/** A person's profile: their name, their ways to sign in, and the browsers where they are signed in. */
export function mePage(props: MeProps): string {
  const { frame, passkeys, arePasskeysPossible, hasPassword, faults } = props;
  const { locale } = frame;
  const typed = { email: props.email ?? "", language: props.language ?? "" };
  const field = meForm.fields({ frame, typed, faults });
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsMe"),
    back: "settings",
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        <NameForm
          frame={frame}
          title={locale.say("yourName")}
          text={locale.say("yourNameHint")}
          action={`${path}/name`}
          name={props.name}
          autocomplete="name"
          faults={faults}
        />
        {props.email !== null && (
          <Setting title={locale.say("yourEmail")} text={locale.say("yourEmailHint")}>
            <DeskForm frame={frame} action={`${path}/email`}>
              {field("email")}
              <ProofField locale={locale} proof={props.proof} faults={faults} />
              <p>
                <SubmitButton kind="quiet" text={locale.say("save")} />
              </p>
            </DeskForm>
          </Setting>
        )}
        <Setting title={locale.say("languageOfDesk")} text={locale.say("languageOfDeskText")}>
          <DeskForm frame={frame} action={`${path}/language`}>
            {field("language")}
            <p>
              <SubmitButton kind="quiet" text={locale.say("save")} />
            </p>
          </DeskForm>
        </Setting>
        <Setting
          title={locale.say("passkeys")}
          text={locale.say(arePasskeysPossible ? "passkeysLine" : "passkeysImpossible")}
        >
          <div class="form">
            <Passkeys frame={frame} passkeys={passkeys} />
            {arePasskeysPossible && (
              <p>
                <ButtonLink
                  href={`${path}/passkeys/add`}
                  kind="quiet"
                  icon="plus"
                  text={locale.say("addPasskey")}
                />
              </p>
            )}
          </div>
        </Setting>
        <Setting
          title={locale.say("password")}
          text={locale.say(hasPassword ? "passwordLine" : "noPasswordLine")}
        >
          <div class="form">
            <div class="actions">
              <ButtonLink
                href={`${path}/password`}
                kind="quiet"
                text={locale.say(hasPassword ? "changePassword" : "setPassword")}
              />
              {hasPassword && passkeys.length > 0 && (
                <ButtonLink
                  href={`${path}/password/remove`}
                  kind="plain"
                  text={locale.say("removePassword")}
                />
              )}
            </div>
          </div>
        </Setting>
        <Setting title={locale.say("signedInOn")} text={locale.say("signedInOnLine")}>
          <div class="form">
            <Sessions frame={frame} path={path} sessions={props.sessions} here={props.here} isOwn />
            <p>
              <ButtonLink href={`${path}/lost`} kind="quiet" text={locale.say("lostLink")} />
            </p>
          </div>
        </Setting>
      </>
    ),
  });
}

/** In development nobody signs in, so there is no profile. */
export function nobodyPage({ frame }: { frame: DeskFrame }): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsMe"),
    back: "settings",
    body: <p class="notice notice-plain">{locale.say("nobodyInDevelopment")}</p>,
  });
}

type NameFormProps = {
  frame: DeskFrame;
  title: string;
  text: string;
  action: string;
  name: string;
  autocomplete: "name" | "off";
  faults: readonly FormFault[];
};

/** The name of a person or thing, and a form to change it. */
function NameForm({ frame, title, text, action, name, autocomplete, faults }: NameFormProps) {
  const { locale } = frame;
  return (
    <Setting title={title} text={text}>
      <DeskForm frame={frame} action={action}>
        {nameForm.fields({ frame, typed: { name }, faults })("name", {
          label: title,
          extra: { autocomplete },
        })}
        <p>
          <SubmitButton kind="quiet" text={locale.say("saveName")} />
        </p>
      </DeskForm>
    </Setting>
  );
}

const back = ({ locale }: DeskFrame) => ({ href: path, label: locale.say("settingsMe") });

/** Adds a passkey. A proof by an existing one comes first, so a stolen session cannot add one. */
export function addPasskeyPage({
  options,
  ...page
}: Proven & {
  /** Options for the new one. */
  options: string;
}): string {
  const { frame, proof } = page;
  const { locale } = frame;
  const title = locale.say("addPasskey");
  return provenPage({
    ...page,
    title,
    back: back(frame),
    action: `${path}/passkeys/add`,
    children: <p>{locale.say(proof.kind === "passkey" ? "addPasskeyTwice" : "addPasskeyText")}</p>,
    after: <PasskeyField locale={locale} name="passkey" options={options} isNew />,
    submit: { icon: "key", text: title },
  });
}

type PasskeyPageProps = Proven & {
  passkey: Passkey;
  isLastWayIn: boolean;
};

/** One passkey: its name, and how to remove it. */
export function passkeyPage({ frame, passkey, isLastWayIn, proof, faults }: PasskeyPageProps): string {
  const { id, name } = passkey;
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

type PasswordPageProps = Proven & { hasPassword: boolean; lengthMin: number };

export function passwordPage({ hasPassword, lengthMin, ...page }: PasswordPageProps): string {
  const { frame, faults } = page;
  const { locale, person } = frame;
  const title = locale.say(hasPassword ? "changePassword" : "setPassword");
  return provenPage({
    ...page,
    title,
    back: back(frame),
    action: `${path}/password`,
    children: <input type="hidden" name="username" autocomplete="username" value={person?.name ?? ""} />,
    after: (
      <>
        {newPasswordField(frame, faults, lengthMin)}
        <p class="hint">{locale.say("passwordEndsSessions")}</p>
      </>
    ),
    submit: { text: title },
  });
}
