import { may } from "../../../domain/party/person.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import { endLost } from "../../../people/people.ts";
import { ageMsMax, listSessions } from "../../../people/sessions.ts";
import * as AuditStore from "../../../store/tables/desk/audit.ts";
import * as PasskeyStore from "../../../store/tables/desk/passkey.ts";
import type { Session } from "../../../store/tables/desk/session.ts";
import type { Gate } from "../../gate.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { confirmPage } from "../../parts/form/confirm-page.tsx";
import type { FormFault } from "../../parts/form/form.tsx";
import { Face, Named } from "../../parts/items.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { headedPage, Part } from "../../parts/page/head.tsx";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { AuditItem } from "../audit-page.tsx";
import { passkeyTime, sessionTimes } from "./sessions.tsx";

const me = "/desk/settings/me";
const path = `${me}/lost`;

/** Maximum actions shown per session, and for all ended sessions together. */
const entriesMax = 20;

type Entries = readonly AuditStore.AuditEntry[];

/** A lost phone or computer: what it could do, what was done with it, and how to sign it out. */
export function lostRoutes({ db }: Pick<HttpDeps, "db">, gate: Gate): void {
  const passkeysOf = ({ who }: Visit) => (who.id === null ? [] : PasskeyStore.listOf(db, who.id));

  /** Returns the passkey of a form or a link; null if none is named, undefined if it is not theirs. */
  function passkeyIn(from: URLSearchParams, visit: Visit): PasskeyStore.Passkey | null | undefined {
    const id = from.get("passkey") ?? "";
    return id === "" ? null : passkeysOf(visit).find((passkey) => String(passkey.id) === id);
  }

  const purposeOf = (passkey: PasskeyStore.Passkey | null) => `lost ${passkey?.id ?? "none"}`;

  function confirm(visit: Visit, passkey: PasskeyStore.Passkey | null, faults: readonly FormFault[] = []) {
    const { frame } = visit;
    const { say } = frame.locale;
    return confirmPage({
      frame,
      faults,
      back: { href: path, label: say("lostTitle") },
      question: say("lostSure"),
      text:
        passkey === null
          ? say("lostSureText")
          : say("lostSurePasskey", { name: passkey.name || say("passkey") }),
      field: <input type="hidden" name="passkey" value={String(passkey?.id ?? "")} />,
      proof: gate.proving.ask(visit, purposeOf(passkey)),
      action: path,
      keep: say("cancel"),
      confirm: say("lostEnd"),
    });
  }

  gate.page(path, "read", (visit) => {
    const { who, frame, now } = visit;
    if (who.id === null) return null;
    const sessions = listSessions(db, who.id, now).filter(({ sessionId }) => sessionId !== who.sessionId);
    return lostPage({
      frame,
      passkeys: passkeysOf(visit),
      movesMoney: may(who.role, "move"),
      ended: AuditStore.listEnded(db, who.id, listSessions(db, who.id, now), {
        since: now - ageMsMax,
        limit: entriesMax,
      }),
      sessions: sessions.map((session) => ({
        session,
        entries: AuditStore.listOfSession(db, session, entriesMax),
      })),
    });
  });
  gate.page(`${path}/confirm`, "read", (visit) => {
    const passkey = passkeyIn(visit.query, visit);
    return visit.who.id === null || passkey === undefined ? null : confirm(visit, passkey);
  });
  gate.action(path, "read", "session.lost", async (visit, form): Promise<FormOutcome | null> => {
    const { id: personId, sessionId } = visit.who;
    const passkey = passkeyIn(form, visit);
    if (personId === null || sessionId === null || passkey === undefined) return null;
    const fault = await gate.proving.check(visit, purposeOf(passkey), form);
    if (fault) return confirm(visit, passkey, [fault]);
    const refused = endLost(db, { personId, sessionId, passkeyId: passkey?.id ?? null });
    if (refused !== null)
      return confirm(visit, passkey, [{ field: "confirm", message: visit.frame.locale.say("lastWayIn") }]);
    return { kind: "done", to: me, did: "didEndLost", subject: passkey?.name || visit.who.name };
  });
}

type LostPageProps = {
  frame: DeskFrame;
  /** Actions of sessions that have ended. */
  ended: Entries;
  movesMoney: boolean;
  sessions: readonly { session: Session; entries: Entries }[];
  passkeys: readonly PasskeyStore.Passkey[];
};

function lostPage({ frame, sessions, ended, passkeys, movesMoney }: LostPageProps): string {
  const { locale } = frame;
  const { say } = locale;
  return headedPage({
    frame,
    place: "settings",
    title: say("lostTitle"),
    back: { href: me, label: say("settingsMe") },
    line: say("lostLine"),
    body: (
      <>
        <Part title={say("lostCould")}>
          <p class="soft">{say("lostCouldSession")}</p>
          <p class="soft">{say(movesMoney ? "lostCouldPasskey" : "lostCouldEnter")}</p>
        </Part>
        <Part title={say("lostDone")}>
          {sessions.length === 0 && <p class="soft">{say("lostNowhere")}</p>}
          {sessions.map(({ session, entries }) => (
            <section class="people-list">
              <ul class="people audit">
                <li>
                  <Named
                    name={session.device || say("unknownDevice")}
                    text={[
                      sessionTimes(frame, session),
                      passkeys.find(({ id }) => id === session.passkeyId)?.name ?? "",
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  />
                </li>
                {entries.length === 0 ? (
                  <li class="soft">{say("lostNothing")}</li>
                ) : (
                  entries.map((entry) => <AuditItem frame={frame} entry={entry} />)
                )}
              </ul>
            </section>
          ))}
          {ended.length > 0 && (
            <section class="people-list">
              <ul class="people audit">
                <li>
                  <Named name={say("lostEnded")} text={say("lostEndedText")} />
                </li>
                {ended.map((entry) => (
                  <AuditItem frame={frame} entry={entry} />
                ))}
              </ul>
            </section>
          )}
        </Part>
        <Part title={say("lostWhich")}>
          <ul class="people">
            {[...passkeys, null].map((passkey) => {
              const name = passkey === null ? say("lostNoPasskey") : passkey.name || say("passkey");
              return (
                <li>
                  {passkey !== null && <Face icon="key" />}
                  <Named name={name} text={passkey === null ? "" : passkeyTime(frame, passkey)} />
                  <ButtonLink
                    href={`${path}/confirm?passkey=${passkey?.id ?? ""}`}
                    kind="quiet small"
                    text={say("lostEnd")}
                    label={locale.labelled(say("lostEnd"), name)}
                  />
                </li>
              );
            })}
          </ul>
        </Part>
      </>
    ),
  });
}
