import type { Locale } from "../../../language/locale.ts";
import { Rich } from "../../../language/rich.tsx";
import type { DeskFrame } from "../page/desk-frame.ts";
import { line } from "./controls.tsx";
import { type FormFault, TextField } from "./form.tsx";
import { formOf } from "./rows.ts";

/** How the page asks for a proof: see `src/people/people.ts`. */
export type ProofProps =
  | { kind: "none" }
  | { kind: "passkey"; options: string }
  | { kind: "password" }
  | { kind: "missing" }
  | { kind: "stale" };

const passwordForm = formOf({
  password: { label: "newPassword", control: line({ type: "password", autocomplete: "new-password" }) },
});

/** The field for a new password. */
export const newPasswordField = (
  frame: Pick<DeskFrame, "locale">,
  faults: readonly FormFault[],
  lengthMin: number,
) =>
  passwordForm.fields({ frame, typed: passwordForm.empty, faults })("password", {
    hint: frame.locale.say("passwordHint", { count: lengthMin }),
  });

type ProofFieldProps = { locale: Locale; proof: ProofProps; faults: readonly FormFault[] };

/** Proves that the form's sender is its person: by a passkey, which the script asks for on submit, or a password. */
export function ProofField({ locale, proof, faults }: ProofFieldProps) {
  if (proof.kind === "none") return "";
  if (proof.kind === "password")
    return (
      <TextField
        locale={locale}
        name="proof"
        label={locale.say("yourPassword")}
        hint={locale.say("yourPasswordHint")}
        faults={faults}
        extra={{ type: "password", autocomplete: "current-password" }}
      />
    );
  if (proof.kind === "missing" || proof.kind === "stale")
    return (
      <div class="notice notice-plain" id="proof" tabindex="-1">
        <p>
          {proof.kind === "missing" ? (
            <Rich locale={locale} text="proofMissing" href="/desk/settings/me" />
          ) : (
            <Rich locale={locale} text="proofStale" href="/desk/sign-in/openid?to=/desk/settings/me" />
          )}
        </p>
      </div>
    );
  const fault = faults.find(({ field }) => field === "proof");
  return (
    <PasskeyField
      locale={locale}
      name="proof"
      options={proof.options}
      {...(fault ? { fault: fault.message } : {})}
    />
  );
}

type PasskeyFieldProps = {
  locale: Locale;
  name: string;
  /** JSON for `navigator.credentials`. */
  options: string;
  fault?: string;
  isNew?: boolean;
};

/** A passkey's response as a form field. `isNew`: creates one. */
export function PasskeyField({ locale, name, options, fault, isNew = false }: PasskeyFieldProps) {
  return (
    <div class="passkey" id={name} tabindex="-1">
      <input
        type="hidden"
        name={name}
        data-passkey={isNew ? "create" : "get"}
        data-options={options}
        data-elsewhere={locale.say("passkeyElsewhere", { host: hostOf(options) })}
        data-unsupported={locale.say("passkeyUnsupported")}
        data-there={locale.say("passkeyThere")}
        data-failed={locale.say(isNew ? "passkeyNotMade" : "passkeyNotGiven")}
      />
      <p class="fault" role="alert" hidden={fault === undefined}>
        {fault ?? ""}
      </p>
      <noscript>
        <p class="hint">{locale.say("passkeyNeedsScript")}</p>
      </noscript>
    </div>
  );
}

function hostOf(options: string): string {
  const { rpId, rp } = JSON.parse(options);
  return rpId ?? rp.id;
}
