import { isRole, parseName } from "../../../domain/party/person.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import { invitationMs, linkMs, makeEntryLink } from "../../../people/entry.ts";
import {
  broughtBack,
  changeRole,
  hasPassword,
  keepBroughtBack,
  noteOwner,
  removeBroughtBack,
  removePerson,
} from "../../../people/people.ts";
import { listSessions } from "../../../people/sessions.ts";
import { transact } from "../../../store/database.ts";
import * as AccountStore from "../../../store/tables/desk/account.ts";
import * as EntryLinkStore from "../../../store/tables/desk/entry-link.ts";
import * as PasskeyStore from "../../../store/tables/desk/passkey.ts";
import * as PersonStore from "../../../store/tables/desk/person.ts";
import * as SessionStore from "../../../store/tables/desk/session.ts";
import type { Gate } from "../../gate.ts";
import { doneAt, pagesOfOne } from "../../one.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import { oncePage } from "../../parts/page/once-page.tsx";
import type { Visit } from "../../parts/page/visit.ts";
import { numberIn } from "../../parts/place.ts";
import { keptOutRoutes, peopleBack } from "./kept-out.tsx";
import { invitePage, peoplePage, personPage, wayBackPage } from "./people-page.tsx";

const list = "/desk/settings/people";
const one = `${list}/:id`;
const invitePurpose = "invite";
const restoredPurpose = "brought back";

/** The people working at the desk: owners let people in and out, and set their roles. */
export function peopleRoutes({ db, baseUrl, now, onMailDue, config }: HttpDeps, gate: Gate): void {
  keptOutRoutes(db, gate);
  const personOf = (visit: Visit) => {
    const id = idIn(visit);
    const person = id === null ? null : PersonStore.byId(db, id);
    return person !== null && person.removedAt === null ? person : null;
  };

  type Person = NonNullable<ReturnType<typeof personOf>>;
  const { page, action, confirmed } = pagesOfOne(gate, personOf);

  /** What people call where somebody has an account to sign in with; null without one. */
  function providerOf({ id }: Pick<Person, "id">): string | null {
    const account = AccountStore.ofPerson(db, id);
    return account && (config.openId?.name ?? new URL(account.issuer).host);
  }

  const rolePurpose = ({ id }: Person) => `role ${id}`;

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
      hasPasskey: PasskeyStore.listOf(db, person.id).length > 0,
      hasPassword: hasPassword(db, person.id),
      provider: providerOf(person),
      sessions: listSessions(db, person.id, visit.now),
      here: visit.who.sessionId,
      proof: gate.proving.ask(visit, rolePurpose(person)),
      faults,
    });
  }

  const showPeople = (visit: Visit, faults: readonly FormFault[] = []): string => {
    const { frame, who } = visit;
    const removed = broughtBack(db, who.id);
    return peoplePage({
      frame,
      restored: removed && { removed, proof: gate.proving.ask(visit, restoredPurpose), faults },
      people: PersonStore.listActive(db),
      meId: who.id,
      invitations: EntryLinkStore.listInvitations(db, now()),
      keptOut: AccountStore.listRemoved(db),
    });
  };

  gate.page(list, "manage", (visit) => showPeople(visit));
  gate.action(`${list}/remove-again`, "manage", "person.remove", async (visit, form) => {
    if (!broughtBack(db, visit.who.id)?.length) return null;
    const fault = await gate.proving.check(visit, restoredPurpose, form);
    if (fault) return showPeople(visit, [fault]);
    const names = removeBroughtBack(db, visit.who.id, visit.who.name, now());
    onMailDue();
    return doneAt(list, "didRemovePeople", names.join(", "));
  });
  gate.action(`${list}/keep`, "manage", "person.keep", async (visit, form) => {
    const { who } = visit;
    if (broughtBack(db, who.id) === null) return null;
    const fault = await gate.proving.check(visit, restoredPurpose, form);
    if (fault) return showPeople(visit, [fault]);
    keepBroughtBack(db, who.name, now());
    onMailDue();
    return doneAt(list, "didKeepPeople", "");
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
    const guest = { person: null, role, name };
    const path = makeEntryLink(db, guest, { by: visit.who.id, now: now(), lastsMs: invitationMs });
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
    return doneAt(list, "didTakeBackInvitation", link.name ?? "");
  });
  page(one, "manage", (visit, person) => showPerson(visit, person));
  action(`${one}/role`, "manage", "person.role", async (visit, person, form) => {
    const { locale } = visit.frame;
    const role = form.get("role") ?? "";
    const refuse = (fault: FormFault) =>
      showPerson(visit, person, isRole(role) ? role : person.role, [fault]);
    if (!isRole(role)) return refuse({ field: "role", message: locale.say("roleWanted") });
    const fault = await gate.proving.check(visit, rolePurpose(person), form);
    if (fault) return refuse(fault);
    const refused = changeRole(db, person.id, role, visit.who.name, now());
    if (refused === "gone") return null;
    if (refused !== null) return refuse({ field: "role", message: locale.texts[refused] });
    onMailDue();
    // A former owner may no longer see this page.
    const to = person.id === visit.who.id && role !== "owner" ? "/desk/settings" : `${list}/${person.id}`;
    return doneAt(to, "didChangeRole", person.name);
  });
  const backTo = ({ id, name }: Person) => ({ href: `${list}/${id}`, label: name });
  const linkPurpose = ({ id }: Person) => `link ${id}`;
  const showLink = (visit: Visit, person: Person, faults: readonly FormFault[] = []) =>
    wayBackPage({
      frame: visit.frame,
      person,
      proof: gate.proving.ask(visit, linkPurpose(person)),
      faults,
    });
  page(`${one}/link`, "manage", (visit, person) => showLink(visit, person));
  action(`${one}/link`, "manage", "person.link", async (visit, person, form) => {
    const fault = await gate.proving.check(visit, linkPurpose(person), form);
    if (fault) return showLink(visit, person, [fault]);
    const { frame, who } = visit;
    // Whoever has the link can act as that owner from then on.
    const path = transact(db, () => {
      if (person.role === "owner") noteOwner(db, person, who.name, now());
      return makeEntryLink(db, { person }, { by: who.id, now: now(), lastsMs: linkMs });
    });
    onMailDue();
    const html = oncePage({
      frame,
      back: backTo(person),
      title: frame.locale.say("wayBackFor", { name: person.name }),
      text: frame.locale.say("wayBackReadyText"),
      secret: baseUrl + path,
    });
    return { kind: "shown", html, subject: person.name };
  });
  confirmed(`${one}/sessions/end`, "manage", "session.revoke", {
    purpose: ({ id }) => `end ${id}`,
    ask({ frame }, person) {
      const { say } = frame.locale;
      return {
        back: backTo(person),
        question: say("endSessionsSure", { name: person.name }),
        text: say("endSessionsLine"),
        keep: say("cancel"),
        confirm: say("signOutEverywhere"),
      };
    },
    does({ who }, { id, name }) {
      SessionStore.removeOf(db, id, who.sessionId);
      return doneAt(`${list}/${id}`, "didEndSessions", name);
    },
  });
  confirmed(`${one}/remove`, "manage", "person.remove", {
    purpose: ({ id }) => `remove ${id}`,
    ask({ frame }, person) {
      const { say } = frame.locale;
      return {
        back: backTo(person),
        question: say("removePersonSure", { name: person.name }),
        text: say(providerOf(person) === null ? "removePersonLine" : "removeAccountLine"),
        keep: say("removePersonKeep"),
        confirm: say("removePersonNow"),
      };
    },
    does({ frame, who }, { id, name }, { refuse }) {
      const refused = removePerson(db, id, who.name, now());
      if (refused === "gone") return null;
      if (refused !== null) return refuse(frame.locale.texts[refused]);
      onMailDue();
      return doneAt(list, "didRemovePerson", name);
    },
  });
}

/** Returns the id in a path; null if there is none. */
export const idIn = ({ params }: Pick<Visit, "params">, name = "id"): number | null => numberIn(params[name]);
