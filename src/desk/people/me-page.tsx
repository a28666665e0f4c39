import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Setting } from "../parts/setting.tsx";
import { type SessionRow, Sessions } from "./sessions.tsx";

export type PasskeyRow = { id: number; name: string; createdAt: number; usedAt: number | null };

const path = "/desk/settings/me";

/** What somebody has at the desk: a name, the ways in, and the browsers in which they are signed in. */
export function mePage({
  frame,
  name,
  passkeys,
  arePasskeysPossible,
  hasPassword,
  sessions,
  faults,
}: {
  frame: DeskFrame;
  name: string;
  passkeys: readonly PasskeyRow[];
  arePasskeysPossible: boolean;
  hasPassword: boolean;
  sessions: readonly SessionRow[];
  faults: readonly FormFault[];
}): string {
  const { locale } = frame;
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
          name={name}
          autocomplete="name"
          faults={faults}
        />
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
            <Sessions frame={frame} path={path} sessions={sessions} isOwn />
          </div>
        </Setting>
      </>
    ),
  });
}

function Passkeys({
  frame: { locale, when },
  passkeys,
}: {
  frame: DeskFrame;
  passkeys: readonly PasskeyRow[];
}) {
  if (passkeys.length === 0) return <p class="soft">{locale.say("noPasskeys")}</p>;
  return (
    <ul class="people">
      {passkeys.map(({ id, name, createdAt, usedAt }) => (
        <li>
          <span class="face">
            <DeskIcon name="key" />
          </span>
          <span class="who">
            <span>
              <strong>
                <bdi>{name || locale.say("passkey")}</bdi>
              </strong>
            </span>
            <span class="soft small">
              {usedAt === null
                ? locale.say("madeOn", { time: when.momentInText(createdAt) })
                : locale.say("passkeyLastUsed", { time: when.momentInText(usedAt) })}
            </span>
          </span>
          <a
            class="button button-plain button-small"
            href={`${path}/passkeys/${id}`}
            aria-label={locale.say("changeNamed", { name: name || locale.say("passkey") })}
          >
            {locale.say("change")}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** In development nobody signs in: there is no "me". */
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

/** What somebody or something is called, and another name for it. */
export function NameForm({
  frame,
  title,
  text,
  action,
  name,
  autocomplete,
  faults,
}: {
  frame: DeskFrame;
  title: string;
  text: string;
  action: string;
  name: string;
  autocomplete: "name" | "off";
  faults: readonly FormFault[];
}) {
  const { locale } = frame;
  return (
    <Setting title={title} text={text}>
      <DeskForm frame={frame} action={action}>
        <TextField
          locale={locale}
          name="name"
          label={title}
          value={name}
          faults={faults}
          extra={{ autocomplete, maxlength: "60" }}
        />
        <p>
          <SubmitButton kind="quiet" text={locale.say("saveName")} />
        </p>
      </DeskForm>
    </Setting>
  );
}
