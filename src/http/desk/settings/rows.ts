import type { SessionRow } from "../../../pages/desk/people/sessions.tsx";
import { listSessions } from "../../../people/sessions.ts";
import type { Db } from "../../../store/database.ts";
import type { Visit } from "../gate.ts";

/** The id in a path; null when there is none. */
export function idIn({ params }: Pick<Visit, "params">, name = "id"): number | null {
  const text = params[name] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The browsers somebody is signed in with, for the page. */
export function sessionRows(db: Db, personId: number, { who, now }: Visit): SessionRow[] {
  return listSessions(db, personId, now).map(({ sessionId, ...session }) => ({
    ...session,
    id: sessionId,
    isHere: sessionId === who.sessionId,
  }));
}
