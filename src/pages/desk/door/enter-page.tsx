import type { Role } from "../../../domain/party/person.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import { PasskeyField } from "../parts/form/proof.tsx";
import { type DoorLook, doorPage } from "./door.tsx";
import { LoginCommand } from "./sign-in-page.tsx";

type EnterPageProps = DoorLook & {
  /** Whom the link lets in. */
  guest: { person: { name: string } } | { person: null; role: Role; name: string | null };
  /** What stands in the field for the name. */
  name: string;
  /** Asks for a new passkey; null for the form with a password. */
  options: string | null;
  arePasskeysPossible: boolean;
  /** Who comes back has a passkey or a password already. */
  hasOtherWay: boolean;
  passwordLengthMin: number;
  faults: readonly FormFault[];
};

const roleTexts = {
  owner: "guestOwner",
  staff: "guestStaff",
  accountant: "guestAccountant",
} as const satisfies Record<Role, TextKey>;

/** What a one-time link will do. Nothing is done before its form is sent. */
export function enterPage(props: EnterPageProps): string {
  const { locale, guest, name, options, arePasskeysPossible, hasOtherWay, passwordLengthMin, faults } = props;
  return doorPage({
    look: props,
    ...titleOf(props),
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        {/* Without an action the form goes to the link itself, which stands nowhere in the page. */}
        <form class="box form" method="post">
          {guest.person === null ? (
            <TextField
              locale={locale}
              name="name"
              label={locale.say("yourName")}
              value={name}
              hint={locale.say("yourNameHint")}
              faults={faults}
              extra={{ autocomplete: options === null ? "username" : "name", maxlength: "60" }}
            />
          ) : (
            // For password managers, which keep a name with each password.
            <input type="hidden" name="username" autocomplete="username" value={name} />
          )}
          {options === null ? (
            <>
              <TextField
                locale={locale}
                name="password"
                label={locale.say("newPassword")}
                hint={locale.say("passwordHint", { count: passwordLengthMin })}
                faults={faults}
                extra={{ type: "password", autocomplete: "new-password" }}
              />
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
          {!arePasskeysPossible ? (
            <p class="soft small">{locale.say("passkeysImpossible")}</p>
          ) : options === null ? (
            <ButtonLink href="?" kind="plain" text={locale.say("passkeyInstead")} />
          ) : (
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

/** A link that was used, is too old, or never was: which of these, strangers are not told. */
export function goneLinkPage(look: DoorLook): string {
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
