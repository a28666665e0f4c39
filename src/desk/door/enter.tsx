import { parseName, type Role } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { type Entry, enter, entryOf, type WayIn } from "../../people/entry.ts";
import { isPassword, passwordLengthMin } from "../../people/password.ts";
import { deviceOf } from "../../people/sessions.ts";
import { transactTogether } from "../../store/group-commit.ts";
import * as PersonStore from "../../store/tables/desk/person.ts";
import { answer } from "../answer.ts";
import type { Gate, SignInDeps } from "../gate.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { line } from "../parts/form/controls.tsx";
import { FaultSummary, type FormFault } from "../parts/form/form.tsx";
import { newPasswordField, PasskeyField } from "../parts/form/proof.tsx";
import { formOf } from "../parts/form/rows.ts";
import { type DoorLook, doorPage, letIn } from "./door.tsx";
import { LoginCommand } from "./sign-in.tsx";

/** One-time links. Programs that scan mail open them too, so only submitting the page's form uses one up. */
export function enterRoutes(deps: HttpDeps, gate: Gate, { people, limits, clientOf }: SignInDeps): void {
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

  /** Responds to an invalid link. Guessing is slowed down; a valid link always works, whatever others do. */
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
    if (token === null) return gone(request);
    deps.onMailDue();
    return letIn(request, token, "/desk?did=Enter", deps);
  });
}

const nameForm = formOf({
  name: { label: "yourName", hint: "yourNameHint", control: line({ maxlength: "60" }) },
});

type EnterPageProps = DoorLook & {
  /** The person the link lets in. */
  guest: { person: { name: string } } | { person: null; role: Role; name: string | null };
  /** The value of the name field. */
  name: string;
  /** Options for a new passkey; null for the form with a password. */
  options: string | null;
  arePasskeysPossible: boolean;
  /** True for people coming back, who already have a passkey or a password. */
  hasOtherWay: boolean;
  passwordLengthMin: number;
  faults: readonly FormFault[];
};

const roleTexts = {
  owner: "guestOwner",
  staff: "guestStaff",
  accountant: "guestAccountant",
} as const satisfies Record<Role, TextKey>;

/** Explains a one-time link. Nothing is done before its form is sent. */
function enterPage(props: EnterPageProps): string {
  const { locale, guest, name, options, arePasskeysPossible, hasOtherWay, passwordLengthMin, faults } = props;
  return doorPage({
    look: props,
    ...titleOf(props),
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        {/* Without an action the form is sent to the link itself, which is nowhere in the page. */}
        <form class="box form" method="post">
          {guest.person === null ? (
            nameForm.fields({ frame: props, typed: { name }, faults })("name", {
              extra: { autocomplete: options === null ? "username" : "name" },
            })
          ) : (
            // For password managers, which store a name with each password.
            <input type="hidden" name="username" autocomplete="username" value={name} />
          )}
          {options === null ? (
            <>
              {newPasswordField(props, faults, passwordLengthMin)}
              <SubmitButton kind="large full" text={locale.say("setPasswordAndEnter")} />
            </>
          ) : (
            <>
              <SubmitButton kind="large full" icon="key" text={locale.say("makePasskey")} />
              <PasskeyField locale={locale} name="passkey" options={options} isNew />
              <p class="soft small">{locale.say("makePasskeyText")}</p>
            </>
          )}
        </form>
        <div class="door-ways">
          {!arePasskeysPossible && <p class="soft small">{locale.say("passkeysImpossible")}</p>}
          {arePasskeysPossible && options === null && (
            <ButtonLink href="?" kind="plain" text={locale.say("passkeyInstead")} />
          )}
          {arePasskeysPossible && options !== null && (
            <ButtonLink href="?password" kind="plain" text={locale.say("passwordInstead")} />
          )}
          {hasOtherWay && <EnterOnce locale={locale} />}
        </div>
      </>
    ),
  });
}

function titleOf({ locale, guest, shopName }: EnterPageProps) {
  if (guest.person !== null)
    return {
      title: locale.say("welcomeBack", { name: guest.person.name }),
      text: locale.say("welcomeBackText"),
    };
  if (guest.name === null) return { title: locale.say("firstOwner"), text: locale.say("firstOwnerText") };
  return { title: locale.say("invitedTo", { shop: shopName }), text: locale.say(roleTexts[guest.role]) };
}

function EnterOnce({ locale }: { locale: Locale }) {
  return (
    <form method="post">
      <input type="hidden" name="way" value="once" />
      <SubmitButton kind="plain" text={locale.say("enterOnce")} />
    </form>
  );
}

/** A link that was used, has expired, or never existed: strangers are not told which. */
function goneLinkPage(look: DoorLook): string {
  const { locale } = look;
  return doorPage({
    look,
    title: locale.say("linkGone"),
    text: locale.say("linkGoneText"),
    body: (
      <>
        <LoginCommand locale={locale} />
        <ButtonLink href="/desk/sign-in" kind="quiet full" text={locale.say("signIn")} />
      </>
    ),
  });
}
