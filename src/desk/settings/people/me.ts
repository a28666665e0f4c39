import * as Email from "../../../domain/party/email.ts";
import { parseName } from "../../../domain/party/person.ts";
import type { HttpDeps } from "../../../http/deps.ts";
import { isLanguageCode } from "../../../language/languages.ts";
import { isPassword, passwordLengthMin } from "../../../people/password.ts";
import {
  hasPassword,
  type People,
  removePasskey,
  removePassword,
  setEmail,
  setPassword,
} from "../../../people/people.ts";
import { deviceOf, listSessions } from "../../../people/sessions.ts";
import * as PasskeyStore from "../../../store/tables/desk/passkey.ts";
import * as PersonStore from "../../../store/tables/desk/person.ts";
import * as SessionStore from "../../../store/tables/desk/session.ts";
import type { Gate } from "../../gate.ts";
import { doneAt } from "../../one.ts";
import { confirmPage } from "../../parts/form/confirm-page.tsx";
import { type FormFault, typedText } from "../../parts/form/form.tsx";
import type { DeedText } from "../../parts/page/desk-frame.ts";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { lostRoutes } from "./lost.tsx";
import { addPasskeyPage, mePage, nobodyPage, passkeyPage, passwordPage } from "./me-page.tsx";
import { idIn } from "./people.ts";

const me = "/desk/settings/me";
const addPurpose = "passkey.add";
const passwordPurpose = "password.set";
const removePurpose = ({ id }: PasskeyStore.Passkey) => `passkey.remove ${id}`;
const removePasswordPurpose = "password.remove";
const emailPurpose = "person.email";

/** Somebody signed in; in development nobody is. */
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

  /** A page or form for somebody signed in. */
  const page = (path: string, handler: (visit: Visit, self: Self) => string | null) =>
    gate.page(path, "read", (visit) => {
      const self = selfOf(visit);
      return self === null ? nobodyPage(visit) : handler(visit, self);
    });
  type Handler = (
    visit: Visit,
    self: Self,
    form: URLSearchParams,
  ) => FormOutcome | null | Promise<FormOutcome | null>;
  const action = (path: string, deed: string, handler: Handler) =>
    gate.action(path, "read", deed, (visit, form) => {
      const self = selfOf(visit);
      return self === null ? null : handler(visit, self, form);
    });

  const done = (did: DeedText, subject: string) => doneAt(me, did, subject);

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

  const newPurpose = ({ id, sessionId }: Self) => `add ${id} ${sessionId}`;

  function showAdd(visit: Visit, self: Self, faults: readonly FormFault[] = []): string {
    const handle = PersonStore.credentialsOf(db, self.id)?.handle ?? "";
    return addPasskeyPage({
      frame: visit.frame,
      proof: gate.proving.ask(visit, addPurpose),
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

  function showRemovePassword(visit: Visit, _: Self, faults: readonly FormFault[] = []): string {
    const { frame } = visit;
    const { locale } = frame;
    return confirmPage({
      frame,
      proof: gate.proving.ask(visit, removePasswordPurpose),
      faults,
      back: { href: me, label: locale.say("settingsMe") },
      question: locale.say("removePasswordSure"),
      text: locale.say("removePasswordLine"),
      action: `${me}/password/remove`,
      keep: locale.say("cancel"),
      confirm: locale.say("removePassword"),
    });
  }

  function showPassword(visit: Visit, self: Self, faults: readonly FormFault[] = []): string {
    return passwordPage({
      frame: visit.frame,
      proof: gate.proving.ask(visit, passwordPurpose),
      faults,
      hasPassword: hasPassword(db, self.id),
      lengthMin: passwordLengthMin,
    });
  }

  const passkeyOf = (visit: Visit, self: Self) =>
    PasskeyStore.listOf(db, self.id).find(({ id }) => id === idIn(visit)) ?? null;

  page(me, showMe);
  action(`${me}/name`, "person.name", (visit, self, form) => {
    const nameText = form.get("name") ?? "";
    const name = parseName(nameText);
    const { locale } = visit.frame;
    const namesake = name === null ? null : PersonStore.byName(db, name);
    const message =
      name === null
        ? locale.say("nameWanted")
        : namesake !== null && namesake.id !== self.id
          ? locale.say("nameTaken")
          : null;
    if (name === null || message !== null)
      return showMe(visit, self, nameText, [{ field: "name", message: message ?? "" }]);
    PersonStore.setName(db, self.id, name);
    return done("didChangeName", name);
  });
  action(`${me}/email`, "person.email", async (visit, self, form) => {
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
  action(`${me}/language`, "person.language", (_, self, form) => {
    const typed = form.get("language") ?? "";
    PersonStore.setLanguage(db, self.id, isLanguageCode(typed) ? typed : null);
    return done("didSaveBooks", typed);
  });
  page(`${me}/passkeys/add`, (visit, self) => (passkeys.arePossible ? showAdd(visit, self) : null));
  action(`${me}/passkeys/add`, "passkey.add", async (visit, self, form) => {
    const refuse = (fault: FormFault): FormOutcome => showAdd(visit, self, [fault]);
    const fault = await gate.proving.check(visit, addPurpose, form);
    if (fault) return refuse(fault);
    const passkey = await passkeys.verifyNew(form.get("passkey") ?? "", newPurpose(self));
    if (passkey === null || !gate.isStill(visit))
      return refuse({ field: "passkey", message: visit.frame.locale.say("passkeyRefused") });
    const name = deviceOf(visit.request.headers.get("user-agent") ?? "");
    PasskeyStore.insert(db, { ...passkey, personId: self.id, name, createdAt: now() });
    return done("didAddPasskey", name);
  });
  page(`${me}/passkeys/:id`, (visit, self) => {
    const passkey = passkeyOf(visit, self);
    return passkey && showPasskey(visit, self, passkey);
  });
  action(`${me}/passkeys/:id/name`, "passkey.name", (visit, self, form) => {
    const passkey = passkeyOf(visit, self);
    if (passkey === null) return null;
    const nameText = form.get("name") ?? "";
    const name = parseName(nameText);
    if (name === null) {
      const message = visit.frame.locale.say("passkeyNameWanted");
      const html = showPasskey(visit, self, { ...passkey, name: nameText }, [{ field: "name", message }]);
      return html;
    }
    PasskeyStore.rename(db, { id: passkey.id, personId: self.id, name });
    return done("didChangeName", name);
  });
  action(`${me}/passkeys/:id/remove`, "passkey.remove", async (visit, self, form) => {
    const passkey = passkeyOf(visit, self);
    if (passkey === null) return null;
    const fault = await gate.proving.check(visit, removePurpose(passkey), form);
    if (fault) return showPasskey(visit, self, passkey, [fault]);
    const refused = removePasskey(db, { id: passkey.id, personId: self.id });
    // The page says that it is the last way in.
    if (refused !== null) return showPasskey(visit, self, passkey);
    return done("didRemovePasskey", passkey.name);
  });
  page(`${me}/password`, (visit, self) => showPassword(visit, self));
  action(`${me}/password`, "password.set", async (visit, self, form) => {
    const password = form.get("password") ?? "";
    const refuse = (fault: FormFault): FormOutcome => showPassword(visit, self, [fault]);
    if (!isPassword(password))
      return refuse({ field: "password", message: visit.frame.locale.say("passwordTooShort") });
    const fault = await gate.proving.check(visit, passwordPurpose, form);
    if (fault) return refuse(fault);
    const hash = await passwords.hash(password);
    if (!gate.isStill(visit)) return null;
    setPassword(db, self.id, hash, self.sessionId);
    return done("didSetPassword", self.name);
  });
  page(`${me}/password/remove`, (visit, self) => showRemovePassword(visit, self));
  action(`${me}/password/remove`, "password.remove", async (visit, self, form) => {
    const refuse = (fault: FormFault): FormOutcome => showRemovePassword(visit, self, [fault]);
    const fault = await gate.proving.check(visit, removePasswordPurpose, form);
    if (fault) return refuse(fault);
    if (removePassword(db, self.id) !== null)
      return refuse({ field: "confirm", message: visit.frame.locale.say("lastWayIn") });
    return done("didRemovePassword", self.name);
  });
  action(`${me}/sessions/:session/end`, "session.revoke", (visit, self) => {
    const id = idIn(visit, "session");
    if (id === null || !SessionStore.remove(db, { id, personId: self.id })) return null;
    return done("didEndSession", self.name);
  });
  action(`${me}/sessions/end`, "session.revoke", (_, self) => {
    SessionStore.removeOf(db, self.id, self.sessionId);
    return done("didEndSessions", self.name);
  });
}
