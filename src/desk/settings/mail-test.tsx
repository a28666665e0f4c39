import * as Email from "../../domain/party/email.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import { shopNameOf } from "../gate.ts";
import { SubmitButton } from "../parts/button.tsx";
import { email } from "../parts/form/controls.tsx";
import { DeskForm, type FormFault } from "../parts/form/form.tsx";
import { formOf } from "../parts/form/rows.ts";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";

const testForm = formOf({
  to: {
    label: "mailTestTo",
    control: email,
    fault: "profileFaultEmail",
  },
});

type MailTestProps = { deps: HttpDeps; visit: Visit; to?: string | undefined; faults: readonly FormFault[] };

/** Asks for the address of a test mail; empty without a mail server. */
export function MailTest({ deps, visit: { frame }, to, faults }: MailTestProps) {
  const { locale } = frame;
  if (deps.config.smtpUrl === null) return "";
  const typed = { to: to ?? PreferenceStore.profile(deps.db).email ?? "" };
  return (
    <DeskForm frame={frame} action="/desk/settings/mail/test" className="form form-alone">
      {testForm.fields({ frame, typed, faults })("to")}
      <p>
        <SubmitButton kind="quiet" text={locale.say("sendIt")} />
      </p>
    </DeskForm>
  );
}

/** Sends it, and shows the mail server's reply. */
export async function sendTest(
  deps: HttpDeps,
  { frame: { locale } }: Visit,
  form: URLSearchParams,
  page: { to: string; again: (typed: string, faults: readonly FormFault[]) => string },
): Promise<FormOutcome> {
  const { to } = testForm.read(form, locale);
  const again = (message: string) => page.again(to, [{ field: "to", message }]);
  if (!Email.parse(to).ok) return again(locale.say("profileFaultEmail"));
  const outcome = await deps.mailer.sendTest({
    to,
    subject: locale.say("mailTestSubject"),
    text: locale.say("mailTestBody", { shop: shopNameOf(deps) }),
  });
  if (outcome.kind === "sent") return { kind: "done", to: page.to, did: "didMailTest", subject: to };
  const reason = deps.redact(outcome.reason);
  const text = outcome.kind === "unknown" ? "mailTestUnknown" : "mailTestFault";
  return { kind: "failed", html: again(locale.say(text, { reason })) };
}
