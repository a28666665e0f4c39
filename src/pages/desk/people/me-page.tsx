import { Html } from "@elysiajs/html";
import { attr } from "../../text.ts";
import { type DeskFrame, deskPage } from "../frame.tsx";
import { DeskForm, type Fault, FaultSummary, TextField } from "../parts/form.tsx";
import { PageHead } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { settingsBack } from "./people-page.tsx";
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
  faults: readonly Fault[];
}): string {
  const { locale } = frame;
  return deskPage({
    frame,
    place: "settings",
    title: locale.say("settingsMe"),
    body: (
      <>
        <PageHead back={settingsBack(locale)} title={locale.say("settingsMe")} />
        <FaultSummary locale={locale} faults={faults} />
        <section class="setting">
          <div>
            <h2 safe>{locale.say("yourName")}</h2>
            <p safe>{locale.say("yourNameHint")}</p>
          </div>
          <DeskForm frame={frame} action={`${path}/name`}>
            <TextField
              locale={locale}
              name="name"
              label={locale.say("yourName")}
              value={name}
              faults={faults}
              extra={{ autocomplete: "name", maxlength: "60" }}
            />
            <p>
              <button class="button button-quiet" type="submit" safe>
                {locale.say("saveName")}
              </button>
            </p>
          </DeskForm>
        </section>
        <section class="setting">
          <div>
            <h2 safe>{locale.say("passkeys")}</h2>
            <p safe>{locale.say(arePasskeysPossible ? "passkeysLine" : "passkeysImpossible")}</p>
          </div>
          <div class="form">
            <Passkeys frame={frame} passkeys={passkeys} />
            {arePasskeysPossible ? (
              <p>
                <a class="button button-quiet" href={`${path}/passkeys/add`}>
                  <DeskIcon name="plus" />
                  {Html.escapeHtml(locale.say("addPasskey"))}
                </a>
              </p>
            ) : (
              ""
            )}
          </div>
        </section>
        <section class="setting">
          <div>
            <h2 safe>{locale.say("password")}</h2>
            <p safe>{locale.say(hasPassword ? "passwordLine" : "noPasswordLine")}</p>
          </div>
          <div class="form">
            <div class="actions">
              <a class="button button-quiet" href={`${path}/password`} safe>
                {locale.say(hasPassword ? "changePassword" : "setPassword")}
              </a>
              {hasPassword && passkeys.length > 0 ? (
                <a class="button button-plain" href={`${path}/password/remove`} safe>
                  {locale.say("removePassword")}
                </a>
              ) : (
                ""
              )}
            </div>
          </div>
        </section>
        <section class="setting">
          <div>
            <h2 safe>{locale.say("signedInOn")}</h2>
            <p safe>{locale.say("signedInOnLine")}</p>
          </div>
          <div class="form">
            <Sessions frame={frame} path={path} sessions={sessions} isOwn />
          </div>
        </section>
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
  if (passkeys.length === 0)
    return (
      <p class="soft" safe>
        {locale.say("noPasskeys")}
      </p>
    );
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
                <bdi safe>{name || locale.say("passkey")}</bdi>
              </strong>
            </span>
            <span class="soft small" safe>
              {usedAt === null
                ? locale.say("madeOn", { time: when.moment(createdAt) })
                : locale.say("passkeyLastUsed", { time: when.moment(usedAt) })}
            </span>
          </span>
          <a
            class="button button-plain button-small"
            href={`${path}/passkeys/${id}`}
            aria-label={attr(locale.say("changePasskey", { name: name || locale.say("passkey") }))}
          >
            {Html.escapeHtml(locale.say("change"))}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** In development nobody signs in: there is no "me". */
export function nobodyPage({ frame }: { frame: DeskFrame }): string {
  const { locale } = frame;
  return deskPage({
    frame,
    place: "settings",
    title: locale.say("settingsMe"),
    body: (
      <>
        <PageHead back={settingsBack(locale)} title={locale.say("settingsMe")} />
        <p class="notice notice-plain" safe>
          {locale.say("nobodyInDevelopment")}
        </p>
      </>
    ),
  });
}
