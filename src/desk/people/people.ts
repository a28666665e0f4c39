import { isRole, parseName } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { invitationMs, linkMs, makeEntryLink } from "../../people/entry.ts";
import { broughtBack, changeRole, removeBroughtBack, removePerson } from "../../people/people.ts";
import { listSessions } from "../../people/sessions.ts";
import type { Db } from "../../store/database.ts";
import * as EntryLinkStore from "../../store/tables/desk/entry-link.ts";
import * as PersonStore from "../../store/tables/desk/person.ts";
import * as SessionStore from "../../store/tables/desk/session.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import { confirmPage } from "../parts/form/confirm-page.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import { oncePage } from "../settings/once-page.tsx";
import { invitePage, peopleBack, peoplePage } from "./people-page.tsx";
import { personPage, wayBackPage } from "./person-page.tsx";
import type { SessionRow } from "./sessions.tsx";

const list = "/desk/settings/people";
const invitePurpose = "invite";
const restoredPurpose = "remove again";

/** Who works at the desk: owners let people in and out, and set their roles. */
export function peopleRoutes({ db, baseUrl, now }: HttpDeps, gate: Gate): void {
  const personOf = (visit: Visit) => {
    const id = idIn(visit);
    const person = id === null ? null : PersonStore.byId(db, id);
    return person !== null && person.removedAt === null ? person : null;
  };

  type Person = NonNullable<ReturnType<typeof personOf>>;
  /** A page or form of one person. */
  const page = (path: string, show: (visit: Visit, person: Person) => string) =>
    gate.page(`${list}/:id${path}`, "manage", (visit) => {
      const person = personOf(visit);
      return person && show(visit, person);
    });
  type Handler = (visit: Visit, person: Person, form: URLSearchParams) => Promise<FormOutcome | null>;
  const action = (path: string, deed: string, handler: Handler) =>
    gate.action(`${list}/:id${path}`, "manage", deed, async (visit, form) => {
      const person = personOf(visit);
      return person && handler(visit, person, form);
    });

  const rolePurpose = ({ id }: Person) => `role ${id}`;
  const linkPurpose = ({ id }: Person) => `link ${id}`;
  const removePurpose = ({ id }: Person) => `remove ${id}`;
  const endPurpose = ({ id }: Person) => `end ${id}`;

  function showInvite(visit: Visit, name = "", role = "staff", faults: readonly FormFault[] = []): string {
    const proof = gate.proving.ask(visit, invitePurpose);
    return invitePage({ frame: visit.frame, name, role: isRole(role) ? role : "staff", proof, faults });
  }

  function showPerson(
    visit: Visit,
    person: Person,
    role = person.role,
    faults: readonly FormFault[] = [],
  ): string {
    return personPage({
      frame: visit.frame,
      person,
      role,
      sessions: sessionRows(db, person.id, visit),
      proof: gate.proving.ask(visit, rolePurpose(person)),
      faults,
    });
  }

  function showLink(visit: Visit, person: Person, faults: readonly FormFault[] = []): string {
    const proof = gate.proving.ask(visit, linkPurpose(person));
    return wayBackPage({ frame: visit.frame, person, proof, faults });
  }

  function showRemove(visit: Visit, person: Person, faults: readonly FormFault[] = []): string {
    const { frame } = visit;
    const { locale } = frame;
    return confirmPage({
      frame,
      proof: gate.proving.ask(visit, removePurpose(person)),
      faults,
      back: { href: `${list}/${person.id}`, label: person.name },
      question: locale.say("removePersonSure", { name: person.name }),
      text: locale.say("removePersonLine"),
      action: `${list}/${person.id}/remove`,
      keep: locale.say("removePersonKeep"),
      confirm: locale.say("removePersonNow"),
    });
  }

  function showEnd(visit: Visit, person: Person, faults: readonly FormFault[] = []): string {
    const { frame } = visit;
    const { locale } = frame;
    return confirmPage({
      frame,
      proof: gate.proving.ask(visit, endPurpose(person)),
      faults,
      back: { href: `${list}/${person.id}`, label: person.name },
      question: locale.say("endSessionsSure", { name: person.name }),
      text: locale.say("endSessionsLine"),
      action: `${list}/${person.id}/sessions/end`,
      keep: locale.say("cancel"),
      confirm: locale.say("signOutEverywhere"),
    });
  }

  const showPeople = (visit: Visit, faults: readonly FormFault[] = []): string => {
    const { frame, who } = visit;
    const removed = broughtBack(db, who.id);
    return peoplePage({
      frame,
      restored: removed && { removed, proof: gate.proving.ask(visit, restoredPurpose), faults },
      people: PersonStore.listActive(db).map((person) => ({ ...person, isMe: person.id === who.id })),
      invitations: EntryLinkStore.listInvitations(db, now()).map(({ name, ...link }) => ({
        ...link,
        name: name ?? "",
      })),
    });
  };

  gate.page(list, "manage", (visit) => showPeople(visit));
  gate.action(`${list}/remove-again`, "manage", "person.remove", async (visit, form) => {
    if (!broughtBack(db, visit.who.id)?.length) return null;
    const fault = await gate.proving.check(visit, restoredPurpose, form);
    if (fault) return showPeople(visit, [fault]);
    const names = removeBroughtBack(db, visit.who.id, now());
    return { kind: "done", to: list, did: "didRemovePeople", subject: names.join(", ") };
  });
  gate.action(`${list}/keep`, "manage", "person.keep", ({ who }) => {
    if (broughtBack(db, who.id) === null) return null;
    PersonStore.keepBroughtBack(db);
    return { kind: "done", to: list, did: "didKeepPeople", subject: "" };
  });
  gate.page(`${list}/invite`, "manage", (visit) => showInvite(visit));
  gate.action(`${list}/invite`, "manage", "person.invite", async (visit, form) => {
    const { frame } = visit;
    const { locale } = frame;
    const nameText = form.get("name") ?? "";
    const role = form.get("role") ?? "";
    const name = parseName(nameText);
    const faults: FormFault[] = [];
    if (name === null) faults.push({ field: "name", message: locale.say("theirNameWanted") });
    else if (PersonStore.byName(db, name) !== null)
      faults.push({ field: "name", message: locale.say("nameTaken") });
    if (!isRole(role)) faults.push({ field: "role", message: locale.say("roleWanted") });
    const proofFault = faults.length === 0 ? await gate.proving.check(visit, invitePurpose, form) : null;
    if (proofFault) faults.push(proofFault);
    if (name === null || !isRole(role) || faults.length > 0) return showInvite(visit, nameText, role, faults);
    const path = makeEntryLink(db, { person: null, role, name }, { now: now(), lastsMs: invitationMs });
    const html = oncePage({
      frame,
      back: peopleBack(locale),
      title: locale.say("invitationReady", { name }),
      text: locale.say("invitationReadyText"),
      secret: `${baseUrl}${path}`,
    });
    return { kind: "shown", html, subject: name };
  });
  gate.action("/desk/settings/invitations/:id/take-back", "manage", "person.uninvite", (visit) => {
    const id = idIn(visit);
    const link = EntryLinkStore.listInvitations(db, now()).find((each) => each.id === id);
    if (!link || !EntryLinkStore.removeInvitation(db, link.id)) return null;
    return { kind: "done", to: list, did: "didTakeBackInvitation", subject: link.name ?? "" };
  });
  page("", (visit, person) => showPerson(visit, person));
  action("/role", "person.role", async (visit, person, form) => {
    const { locale } = visit.frame;
    const role = form.get("role") ?? "";
    const refuse = (fault: FormFault) =>
      showPerson(visit, person, isRole(role) ? role : person.role, [fault]);
    if (!isRole(role)) return refuse({ field: "role", message: locale.say("roleWanted") });
    const fault = await gate.proving.check(visit, rolePurpose(person), form);
    if (fault) return refuse(fault);
    const refused = changeRole(db, person.id, role);
    if (refused === "gone") return null;
    if (refused !== null) return refuse({ field: "role", message: locale.texts[refused] });
    // A former owner may no longer see this page.
    const to = person.id === visit.who.id && role !== "owner" ? "/desk/settings" : `${list}/${person.id}`;
    return { kind: "done", to, did: "didChangeRole", subject: person.name };
  });
  page("/link", (visit, person) => showLink(visit, person));
  action("/link", "person.link", async (visit, person, form) => {
    const { frame } = visit;
    const { locale } = frame;
    const fault = await gate.proving.check(visit, linkPurpose(person), form);
    if (fault) return showLink(visit, person, [fault]);
    const html = oncePage({
      frame,
      back: { href: `${list}/${person.id}`, label: person.name },
      title: locale.say("wayBackFor", { name: person.name }),
      text: locale.say("wayBackReadyText"),
      secret: `${baseUrl}${makeEntryLink(db, { person }, { now: now(), lastsMs: linkMs })}`,
    });
    return { kind: "shown", html, subject: person.name };
  });
  page("/sessions/end", (visit, person) => showEnd(visit, person));
  action("/sessions/end", "session.revoke", async (visit, person, form) => {
    const fault = await gate.proving.check(visit, endPurpose(person), form);
    if (fault) return showEnd(visit, person, [fault]);
    SessionStore.removeOf(db, person.id, visit.who.sessionId);
    return { kind: "done", to: `${list}/${person.id}`, did: "didEndSessions", subject: person.name };
  });
  page("/remove", (visit, person) => showRemove(visit, person));
  action("/remove", "person.remove", async (visit, person, form) => {
    const refuse = (fault: FormFault) => showRemove(visit, person, [fault]);
    const fault = await gate.proving.check(visit, removePurpose(person), form);
    if (fault) return refuse(fault);
    const refused = removePerson(db, person.id, now());
    if (refused === "gone") return null;
    if (refused !== null) return refuse({ field: "confirm", message: visit.frame.locale.texts[refused] });
    return { kind: "done", to: list, did: "didRemovePerson", subject: person.name };
  });
}

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
