import * as Email from "../../../domain/party/email.ts";
import { parseName } from "../../../domain/party/person.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import { isLanguageCode } from "../../../language/languages.ts";
import { isPassword, passwordLengthMin } from "../../../people/password.ts";
import {
  hasPassword,
  noteOwner,
  type People,
  removePasskey,
  removePassword,
  setEmail,
  setPassword,
} from "../../../people/people.ts";
import { deviceOf, listSessions } from "../../../people/sessions.ts";
import { transact } from "../../../store/database.ts";
import * as PasskeyStore from "../../../store/tables/desk/passkey.ts";
import * as PersonStore from "../../../store/tables/desk/person.ts";
import * as SessionStore from "../../../store/tables/desk/session.ts";
import type { Gate } from "../../gate.ts";
import { doneAt, pagesOfOne } from "../../one.ts";
import { type FormFault, typedText } from "../../parts/form/form.tsx";
import type { DoneText } from "../../parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { lostRoutes } from "./lost.tsx";
import { addPasskeyPage, mePage, nobodyPage, passkeyPage, passwordPage } from "./me-page.tsx";
import { idIn } from "./people.ts";

const me = "/desk/settings/me";
const addPurpose = "passkey.add";
const passwordPurpose = "password.set";
const removePurpose = ({ id }: PasskeyStore.Passkey) => `passkey.remove ${id}`;
const emailPurpose = "person.email";

/** A signed-in person; in development there is none. */
type Self = { id: number; name: string; sessionId: number };

/** Everybody's own settings: name, passkeys, password, sessions. */
export function meRoutes(
  { db, now, onMailDue }: HttpDeps,
  gate: Gate,
  { passkeys, passwords }: People,
): void {
  lostRoutes({ db }, gate);
  function selfOf({ who: { id, name, sessionId } }: Visit): Self | null {
    return id === null || sessionId === null ? null : { id, name, sessionId };
  }

  const { page, action, confirmed } = pagesOfOne(gate, selfOf);

  const done = (did: DoneText, subject: string) => doneAt(me, did, subject);

  function showMe(
    visit: Visit,
    self: Self,
    name = self.name,
    faults: readonly FormFault[] = [],
    typedEmail: string | null = null,
  ): string {
    const email = visit.who.role === "owner" ? (PersonStore.emailOf(db, self.id) ?? "") : null;
    return mePage({
      frame: visit.frame,
      name,
      email: email === null ? null : (typedEmail ?? email),
      proof: gate.proving.ask(visit, emailPurpose),
      language: visit.who.language,
      passkeys: PasskeyStore.listOf(db, self.id),
      arePasskeysPossible: passkeys.arePossible,
      hasPassword: hasPassword(db, self.id),
      sessions: listSessions(db, self.id, visit.now),
      here: self.sessionId,
      faults,
    });
  }

  /** From the first one on, an owner who came with an account elsewhere can move money: the others hear of it. */
  function addWayIn({ who }: Visit, { id, name }: Self, add: () => void): void {
    transact(db, () => {
      const isFirst = !PersonStore.hasWayIn(db, id);
      add();
      if (isFirst && who.role === "owner") noteOwner(db, { id, name }, name, now());
    });
    onMailDue();
  }

  const newPurpose = ({ id, sessionId }: Self) => `add ${id} ${sessionId}`;

  function showAdd(visit: Visit, self: Self, faults: readonly FormFault[] = []): string {
    const handle = PersonStore.credentialsOf(db, self.id)?.handle ?? "";
    return addPasskeyPage({
      frame: visit.frame,
      proof: gate.proving.ask(visit, addPurpose, true),
      options: passkeys.creation(newPurpose(self), { ...self, handle }),
      faults,
    });
  }

  function showPasskey(
    visit: Visit,
    self: Self,
    passkey: PasskeyStore.Passkey,
    faults: readonly FormFault[] = [],
  ): string {
    const isLastWayIn = PasskeyStore.listOf(db, self.id).length === 1 && !hasPassword(db, self.id);
    const proof = gate.proving.ask(visit, removePurpose(passkey));
    return passkeyPage({ frame: visit.frame, passkey, isLastWayIn, proof, faults });
  }

  function showPassword(visit: Visit, self: Self, faults: readonly FormFault[] = []): string {
    return passwordPage({
      frame: visit.frame,
      proof: gate.proving.ask(visit, passwordPurpose, true),
      faults,
      hasPassword: hasPassword(db, self.id),
      lengthMin: passwordLengthMin,
    });
  }

  const passkeyOf = (visit: Visit, self: Self) =>
    PasskeyStore.listOf(db, self.id).find(({ id }) => id === idIn(visit)) ?? null;

  gate.page(me, "read", (visit) => {
    const self = selfOf(visit);
    return self === null ? nobodyPage(visit) : showMe(visit, self);
  });
  action(`${me}/name`, "read", "person.name", (visit, self, form) => {
    const nameText = form.get("name") ?? "";
    const name = parseName(nameText);
    const { locale } = visit.frame;
    const refuse = (message: string) => showMe(visit, self, nameText, [{ field: "name", message }]);
    if (name === null) return refuse(locale.say("nameWanted"));
    const namesake = PersonStore.byName(db, name);
    if (namesake !== null && namesake.id !== self.id) return refuse(locale.say("nameTaken"));
    PersonStore.setName(db, self.id, name);
    return done("didChangeName", name);
  });
  action(`${me}/email`, "read", "person.email", async (visit, self, form) => {
    if (visit.who.role !== "owner") return null;
    const typed = typedText(form, "email");
    const refuse = (fault: FormFault) => showMe(visit, self, self.name, [fault], typed);
    if (typed !== "" && !Email.parse(typed).ok)
      return refuse({ field: "email", message: visit.frame.locale.say("profileFaultEmail") });
    const fault = await gate.proving.check(visit, emailPurpose, form);
    if (fault) return refuse(fault);
    setEmail(db, self, typed === "" ? null : typed, now());
    onMailDue();
    return done("didSaveBooks", typed);
  });
  action(`${me}/language`, "read", "person.language", (_, self, form) => {
    const typed = form.get("language") ?? "";
    PersonStore.setLanguage(db, self.id, isLanguageCode(typed) ? typed : null);
    return done("didSaveBooks", typed);
  });
  page(`${me}/passkeys/add`, "read", (visit, self) => (passkeys.arePossible ? showAdd(visit, self) : null));
  action(`${me}/passkeys/add`, "read", "passkey.add", async (visit, self, form) => {
    const refuse = (fault: FormFault): FormOutcome => showAdd(visit, self, [fault]);
    const fault = await gate.proving.check(visit, addPurpose, form, true);
    if (fault) return refuse(fault);
    const passkey = await passkeys.verifyNew(form.get("passkey") ?? "", newPurpose(self));
    if (passkey === null || !gate.isStill(visit))
      return refuse({ field: "passkey", message: visit.frame.locale.say("passkeyRefused") });
    const name = deviceOf(visit.request.headers.get("user-agent") ?? "");
    addWayIn(visit, self, () => {
      PasskeyStore.insert(db, { ...passkey, personId: self.id, name, createdAt: now() });
    });
    return done("didAddPasskey", name);
  });
  const ofPasskey = pagesOfOne(gate, (visit) => {
    const self = selfOf(visit);
    const passkey = self && passkeyOf(visit, self);
    return passkey && { self, passkey };
  });
  ofPasskey.page(`${me}/passkeys/:id`, "read", (visit, { self, passkey }) =>
    showPasskey(visit, self, passkey),
  );
  ofPasskey.action(`${me}/passkeys/:id/name`, "read", "passkey.name", (visit, { self, passkey }, form) => {
    const nameText = form.get("name") ?? "";
    const name = parseName(nameText);
    if (name === null) {
      const message = visit.frame.locale.say("passkeyNameWanted");
      return showPasskey(visit, self, { ...passkey, name: nameText }, [{ field: "name", message }]);
    }
    PasskeyStore.rename(db, { id: passkey.id, personId: self.id, name });
    return done("didChangeName", name);
  });
  ofPasskey.action(
    `${me}/passkeys/:id/remove`,
    "read",
    "passkey.remove",
    async (visit, { self, passkey }, form) => {
      const fault = await gate.proving.check(visit, removePurpose(passkey), form);
      if (fault) return showPasskey(visit, self, passkey, [fault]);
      const refused = removePasskey(db, { id: passkey.id, personId: self.id });
      // The page says that it is the last way in.
      if (refused !== null) return showPasskey(visit, self, passkey);
      return done("didRemovePasskey", passkey.name);
    },
  );
  page(`${me}/password`, "read", (visit, self) => showPassword(visit, self));
  action(`${me}/password`, "read", "password.set", async (visit, self, form) => {
    const password = form.get("password") ?? "";
    const refuse = (fault: FormFault): FormOutcome => showPassword(visit, self, [fault]);
    if (!isPassword(password))
      return refuse({ field: "password", message: visit.frame.locale.say("passwordTooShort") });
    const fault = await gate.proving.check(visit, passwordPurpose, form, true);
    if (fault) return refuse(fault);
    const hash = await passwords.hash(password);
    if (!gate.isStill(visit)) return null;
    addWayIn(visit, self, () => setPassword(db, self.id, hash, self.sessionId));
    return done("didSetPassword", self.name);
  });
  confirmed(`${me}/password/remove`, "read", "password.remove", {
    purpose: () => "password.remove",
    ask({ frame }) {
      const { say } = frame.locale;
      return {
        back: { href: me, label: say("settingsMe") },
        question: say("removePasswordSure"),
        text: say("removePasswordLine"),
        keep: say("cancel"),
        confirm: say("removePassword"),
      };
    },
    does: ({ frame }, { id, name }, { refuse }) =>
      removePassword(db, id) === null
        ? done("didRemovePassword", name)
        : refuse(frame.locale.say("lastWayIn")),
  });
  action(`${me}/sessions/:session/end`, "read", "session.revoke", (visit, self) => {
    const id = idIn(visit, "session");
    if (id === null || !SessionStore.remove(db, { id, personId: self.id })) return null;
    return done("didEndSession", self.name);
  });
  action(`${me}/sessions/end`, "read", "session.revoke", (_, self) => {
    SessionStore.removeOf(db, self.id, self.sessionId);
    return done("didEndSessions", self.name);
  });
}
