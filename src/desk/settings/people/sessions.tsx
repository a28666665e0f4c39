import type { Passkey } from "../../../store/tables/desk/passkey.ts";
import type { Session } from "../../../store/tables/desk/session.ts";
import { ActionButton, ButtonLink } from "../../parts/button.tsx";
import { Face, Named } from "../../parts/items.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";

type SessionsProps = {
  frame: DeskFrame;
  path: string;
  sessions: readonly Session[];
  here: number | null;
  isOwn?: boolean;
};

/**
 * The browsers where somebody is signed in; `here` is the reader's, `path` the person's page. One's own can be ended
 * one by one; ending somebody else's requires a proof.
 */
export function Sessions({ frame, path, sessions, here, isOwn = false }: SessionsProps) {
  const { locale } = frame;
  if (sessions.length === 0) return <p class="soft">{locale.say("notSignedIn")}</p>;
  return (
    <>
      <ul class="people">
        {sessions.map(({ sessionId, device, ...session }) => (
          <li>
            <Named
              name={device || locale.say("unknownDevice")}
              text={sessionId === here ? locale.say("thisBrowser") : sessionTimes(frame, session)}
            />
            {sessionId !== here && isOwn && (
              <ActionButton
                frame={frame}
                action={`${path}/sessions/${sessionId}/end`}
                kind="plain small"
                text={locale.say("signOut")}
                label={locale.say("signOutDevice", { device: device || locale.say("unknownDevice") })}
              />
            )}
          </li>
        ))}
      </ul>
      {!isOwn && (
        <p>
          <ButtonLink
            href={`${path}/sessions/end`}
            kind="quiet small"
            text={locale.say("signOutEverywhere")}
          />
        </p>
      )}
      {isOwn && sessions.some(({ sessionId }) => sessionId !== here) && (
        <ActionButton
          frame={frame}
          action={`${path}/sessions/end`}
          kind="quiet small"
          text={locale.say("signOutElsewhere")}
        />
      )}
    </>
  );
}

type Times = Pick<Session, "startedAt" | "seenAt">;

export const sessionTimes = ({ locale, when }: DeskFrame, { startedAt, seenAt }: Times) =>
  locale.say("sessionTimes", { start: when.momentInText(startedAt), seen: when.momentInText(seenAt) });

/** Says when a passkey was last used, or else when it was created. */
export const passkeyTime = ({ locale, when }: DeskFrame, { usedAt, createdAt }: Passkey) =>
  usedAt === null
    ? locale.say("madeOn", { time: when.momentInText(createdAt) })
    : locale.say("passkeyLastUsed", { time: when.momentInText(usedAt) });

/** The viewer's passkeys. */
export function Passkeys({ frame, passkeys }: { frame: DeskFrame; passkeys: readonly Passkey[] }) {
  const { locale } = frame;
  if (passkeys.length === 0) return <p class="soft">{locale.say("noPasskeys")}</p>;
  return (
    <ul class="people">
      {passkeys.map((passkey) => (
        <li>
          <Face icon="key" />
          <Named name={passkey.name || locale.say("passkey")} text={passkeyTime(frame, passkey)} />
          <ButtonLink
            href={`/desk/settings/me/passkeys/${passkey.id}`}
            kind="plain small"
            text={locale.say("change")}
            label={locale.say("changeNamed", { name: passkey.name || locale.say("passkey") })}
          />
        </li>
      ))}
    </ul>
  );
}
