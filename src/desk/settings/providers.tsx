import type { Locale } from "../../language/locale.ts";
import { SelectField, typedText } from "../parts/form/form.tsx";

type Provider = { name: string; host: string; port: number };

/** Mail servers of common providers. On 465 they use TLS from the start, on 587 after STARTTLS. */
const providers: readonly Provider[] = [
  { name: "Brevo", host: "smtp-relay.brevo.com", port: 587 },
  { name: "Fastmail", host: "smtp.fastmail.com", port: 465 },
  { name: "GMX", host: "mail.gmx.net", port: 587 },
  { name: "Google (Gmail, Workspace)", host: "smtp.gmail.com", port: 465 },
  { name: "iCloud", host: "smtp.mail.me.com", port: 587 },
  { name: "Infomaniak", host: "mail.infomaniak.com", port: 587 },
  { name: "Mailgun", host: "smtp.mailgun.org", port: 465 },
  { name: "Mailgun (EU)", host: "smtp.eu.mailgun.org", port: 465 },
  { name: "Mailjet", host: "in-v3.mailjet.com", port: 587 },
  { name: "Microsoft 365", host: "smtp.office365.com", port: 587 },
  { name: "one.com", host: "send.one.com", port: 465 },
  { name: "OVHcloud", host: "ssl0.ovh.net", port: 465 },
  { name: "Postmark", host: "smtp.postmarkapp.com", port: 587 },
  { name: "Proton Mail", host: "smtp.protonmail.ch", port: 587 },
  { name: "Resend", host: "smtp.resend.com", port: 465 },
  { name: "SendGrid", host: "smtp.sendgrid.net", port: 587 },
  { name: "Strato", host: "smtp.strato.de", port: 465 },
  { name: "WEB.DE", host: "smtp.web.de", port: 587 },
  { name: "Yahoo", host: "smtp.mail.yahoo.com", port: 465 },
  { name: "Zoho", host: "smtp.zoho.com", port: 465 },
  { name: "Zoho (EU)", host: "smtp.zoho.eu", port: 465 },
];

/** A provider from the list, or another one, for which the server's fields are shown. */
export const ProviderField = ({ locale, host }: { locale: Locale; host: string }) => (
  <SelectField
    locale={locale}
    faults={[]}
    name="provider"
    label={locale.say("settingProvider")}
    value={providers.some((each) => each.host === host) ? host : ""}
    options={[{ value: "", label: locale.say("settingProviderOther") }]}
    rest={providers.map((each) => ({ value: each.host, label: each.name }))}
  />
);

/** Returns the chosen provider's server, or the typed one. */
export function serverIn(form: URLSearchParams, name: string): Record<"host" | "port" | "security", string> {
  const provider = providers.find(({ host }) => host === form.get("provider"));
  if (provider === undefined)
    return {
      host: typedText(form, name),
      port: typedText(form, "port"),
      security: typedText(form, "security"),
    };
  const { host, port } = provider;
  return { host, port: String(port), security: port === 465 ? "tls" : "starttls" };
}
