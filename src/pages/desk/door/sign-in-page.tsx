import type { Locale } from "../../../language/locale.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/form/form.tsx";
import { PasskeyField } from "../parts/form/proof.tsx";
import { type DoorLook, DoorNotice, doorPage } from "./door.tsx";

type SignInPageProps = DoorLook & {
  /** Nobody can sign in yet. */
  nobody: boolean;
  /** Asks for a passkey; null for the form with a password. */
  options: string | null;
  arePasskeysPossible: boolean;
  arePasswordsUsed: boolean;
  /** Where somebody wanted to go. */
  to: string | null;
  isSignedOut: boolean;
  name: string;
  fault: string | null;
};

export function signInPage(props: SignInPageProps): string {
  const { nobody, locale, shopName, isSignedOut, fault } = props;
  if (nobody)
    return doorPage({
      look: props,
      title: locale.say("nobodyYet"),
      text: locale.say("nobodyYetText"),
      body: <LoginCommand locale={locale} />,
    });
  return doorPage({
    look: props,
    title: locale.say("signInTo", { shop: shopName }),
    text: locale.say("signInText"),
    body: (
      <>
        {isSignedOut && fault === null && <DoorNotice>{locale.say("didSignOut")}</DoorNotice>}
        {fault !== null && <DoorNotice late>{fault}</DoorNotice>}
        {props.options === null ? (
          <ByPassword {...props} />
        ) : (
          <ByPasskey {...props} options={props.options} />
        )}
        <details>
          <summary>{locale.say("cannotSignIn")}</summary>
          <LoginCommand locale={locale} />
        </details>
      </>
    ),
  });
}

const action = "/desk/sign-in";

/** The other way in, with what the reader wanted to see. */
function otherWay(to: string | null, usesPassword: boolean): string {
  const query = new URLSearchParams({
    ...(usesPassword ? { password: "" } : {}),
    ...(to === null ? {} : { to }),
  });
  return query.size === 0 ? action : `${action}?${query}`;
}

function To({ to }: { to: string | null }) {
  return to === null ? "" : <input type="hidden" name="to" value={to} />;
}

function ByPasskey({
  locale,
  options,
  to,
  arePasswordsUsed,
}: Pick<SignInPageProps, "locale" | "to" | "arePasswordsUsed"> & { options: string }) {
  return (
    <form class="box" method="post" action={action}>
      <To to={to} />
      <SubmitButton kind="large full" icon="key" text={locale.say("signInByPasskey")} />
      <PasskeyField locale={locale} name="passkey" options={options} />
      <p class="soft small">{locale.say("signInByPasskeyText")}</p>
      {arePasswordsUsed && (
        <ButtonLink
          href={otherWay(to, true)}
          kind="plain full"
          text={locale.say("signInByPasswordInstead")}
        />
      )}
    </form>
  );
}

function ByPassword({ locale, to, name, fault, arePasskeysPossible }: SignInPageProps) {
  return (
    <form class="box form" method="post" action={action}>
      <To to={to} />
      <TextField
        locale={locale}
        name="name"
        label={locale.say("yourName")}
        value={name}
        extra={{ autocomplete: "username", autocapitalize: "off", spellcheck: "false", required: true }}
      />
      <TextField
        locale={locale}
        name="password"
        label={locale.say("password")}
        extra={{
          type: "password",
          autocomplete: "current-password",
          required: true,
          ...(fault === null ? {} : { "aria-invalid": "true" }),
        }}
      />
      <SubmitButton kind="large full" text={locale.say("signIn")} />
      {arePasskeysPossible && (
        <ButtonLink
          href={otherWay(to, false)}
          kind="plain full"
          text={locale.say("signInByPasskeyInstead")}
        />
      )}
    </form>
  );
}

/** How the person with the machine lets somebody in. */
export function LoginCommand({ locale }: { locale: Locale }) {
  return (
    <div class="box">
      <p>{locale.say("loginCommandText")}</p>
      <div class="code">
        <pre>till login</pre>
      </div>
    </div>
  );
}
