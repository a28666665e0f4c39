import { parseName } from "../../../domain/party/person.ts";
import type { TextKey } from "../../../language/locale.ts";
import { enterPage, goneLinkPage } from "../../../pages/desk/door/enter-page.tsx";
import type { FormFault } from "../../../pages/desk/parts/form/form.tsx";
import { deviceOf } from "../../../people/device.ts";
import { type Entry, enter, entryOf, type WayIn } from "../../../people/entry.ts";
import { isPassword, passwordLengthMin } from "../../../people/password.ts";
import { transactTogether } from "../../../store/group-commit.ts";
import * as PersonStore from "../../../store/tables/desk/person.ts";
import type { HttpDeps } from "../../deps.ts";
import { answer } from "../answer.ts";
import type { Doorway, Gate } from "../gate.ts";
import { letIn } from "./let-in.ts";

/** One-time links. Programs that scan mail open them too, so only submitting the page's form uses one up. */
export function enterRoutes(deps: HttpDeps, gate: Gate, { people, limits, clientOf }: Doorway): void {
  const { db } = deps;
  const { passkeys, passwords } = people;

  function page(
    request: Request,
    entry: Entry,
    usesPassword: boolean,
    { name = "", faults = [] }: { name?: string; faults?: readonly FormFault[] } = {},
  ): string {
    const look = gate.look(request);
    const { person, handle, purpose } = entry;
    const called = person?.name ?? (entry.person === null ? entry.name : null);
    return enterPage({
      ...look,
      guest: entry,
      name: name || (called ?? ""),
      options: usesPassword
        ? null
        : passkeys.creation(purpose, { handle, name: called ?? look.locale.say("roleOwner") }),
      arePasskeysPossible: passkeys.arePossible,
      hasOtherWay: person !== null && hasWayIn(person.id),
      passwordLengthMin,
      faults,
    });
  }

  const hasWayIn = (personId: number) => PersonStore.hasWayIn(db, personId);

  /** For a link that opens nothing. Guessing is slowed down; a valid link always works, whatever others do. */
  function gone(request: Request): Response {
    const client = clientOf(request);
    const reached = limits.check("SIGN_INS", client);
    if (!reached) limits.take("SIGN_INS", client);
    return answer(goneLinkPage(gate.look(request)), reached ? 429 : 404);
  }

  const openOf = ({ params = {} }: { params?: Record<string, string> }) =>
    entryOf(db, params["token"] ?? "", deps.now());

  gate.door.get("/desk/enter/:token", (context) => {
    const { request } = context;
    const entry = openOf(context);
    const usesPassword = new URL(request.url).searchParams.has("password") || !passkeys.arePossible;
    return entry === null ? gone(request) : page(request, entry, usesPassword);
  });
  gate.door.post("/desk/enter/:token", async (context) => {
    const { request, body } = context;
    const form = body as URLSearchParams;
    const entry = openOf(context);
    if (entry === null) return gone(request);
    const { texts } = gate.look(request).locale;
    const faults: FormFault[] = [];
    const refuse = (field: string, text: TextKey) => faults.push({ field, message: texts[text] });

    const nameText = form.get("name") ?? "";
    const name = entry.person?.name ?? parseName(nameText);
    if (name === null) refuse("name", "nameWanted");
    else if (entry.person === null && PersonStore.byName(db, name) !== null) refuse("name", "nameTaken");

    const password = form.get("password");
    let wayIn: WayIn = null;
    if (password !== null) {
      if (!isPassword(password)) refuse("password", "passwordTooShort");
      else if (faults.length === 0) wayIn = { passwordHash: await passwords.hash(password) };
    } else if (form.get("way") === "once" && entry.person !== null && hasWayIn(entry.person.id)) {
      // Changes nothing.
    } else if (faults.length === 0) {
      const passkey = await passkeys.verifyNew(form.get("passkey") ?? "", entry.purpose);
      if (passkey === null) refuse("passkey", "passkeyRefused");
      else wayIn = { passkey };
    }
    if (name === null || faults.length > 0)
      return answer(page(request, entry, password !== null, { name: nameText, faults }), 422);
    const device = deviceOf(request.headers.get("user-agent") ?? "");
    const token = await transactTogether(db, () =>
      enter(db, entry, { name, wayIn, device, now: deps.now() }),
    );
    return token === null ? gone(request) : letIn(request, token, "/desk?did=Enter", deps);
  });
}
