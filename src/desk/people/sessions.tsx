import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";

export type SessionRow = {
  id: number;
  /** Empty when the browser did not say. */
  device: string;
  startedAt: number;
  seenAt: number;
  isHere: boolean;
};

/**
 * The browsers in which somebody is signed in. `path`: whose they are. One's own have an end each; to end those of
 * somebody else asks for a proof.
 */
export function Sessions({
  frame,
  path,
  sessions,
  isOwn = false,
}: {
  frame: DeskFrame;
  path: string;
  sessions: readonly SessionRow[];
  isOwn?: boolean;
}) {
  const { locale, when } = frame;
  if (sessions.length === 0) return <p class="soft">{locale.say("notSignedIn")}</p>;
  return (
    <>
      <ul class="people">
        {sessions.map(({ id, device, startedAt, seenAt, isHere }) => (
          <li>
            <span class="who">
              <span>
                <strong>
                  <bdi>{device || locale.say("unknownDevice")}</bdi>
                </strong>
              </span>
              <span class="soft small">
                {isHere
                  ? locale.say("thisBrowser")
                  : locale.say("sessionTimes", {
                      start: when.momentInText(startedAt),
                      seen: when.momentInText(seenAt),
                    })}
              </span>
            </span>
            {!isHere && isOwn && (
              <DeskForm frame={frame} action={`${path}/sessions/${id}/end`} className="inline">
                <button
                  class="button button-plain button-small"
                  type="submit"
                  aria-label={locale.say("signOutDevice", { device: device || locale.say("unknownDevice") })}
                >
                  {locale.say("signOut")}
                </button>
              </DeskForm>
            )}
          </li>
        ))}
      </ul>
      {!isOwn ? (
        <p>
          <ButtonLink
            href={`${path}/sessions/end`}
            kind="quiet small"
            text={locale.say("signOutEverywhere")}
          />
        </p>
      ) : sessions.some(({ isHere }) => !isHere) ? (
        <DeskForm frame={frame} action={`${path}/sessions/end`} className="inline">
          <SubmitButton kind="quiet small" text={locale.say("signOutElsewhere")} />
        </DeskForm>
      ) : (
        ""
      )}
    </>
  );
}
