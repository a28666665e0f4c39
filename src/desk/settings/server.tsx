import type { Control } from "../parts/form/controls.tsx";
import { SelectField, TextField, typedText } from "../parts/form/form.tsx";
import { ProviderField, serverIn } from "./providers.tsx";

const securities = ["starttls", "tls", "none"] as const;

/** Prefix of a typed server that is invalid and must not be parsed as a URL. */
const noServer = "!";

function securityOf(url: URL | null): (typeof securities)[number] {
  if (url?.protocol === "smtps:") return "tls";
  return url?.searchParams.get("ignoreTLS") === "true" ? "none" : "starttls";
}

/** Returns the parts of a mail server's URL, without the password. */
function partsOf(text: string) {
  const url = URL.parse(text);
  return {
    host: url?.hostname ?? text.replace(noServer, ""),
    port: url?.port ?? "",
    security: securityOf(url),
    user: decodeURIComponent(url?.username ?? ""),
    hasPassword: (url?.password ?? "") !== "",
  };
}

/**
 * A mail server. Its password is never shown, and stays if none is typed: but only for the same server and user,
 * because another server would learn it.
 */
export const server: Control = {
  show: ({ locale, text, faults, hint }) => {
    const { host, port, security, user, hasPassword } = partsOf(text);
    const field = { locale, faults };
    const plain = { autocomplete: "off", spellcheck: "false", dir: "ltr" };
    return (
      <div class="server">
        <ProviderField locale={locale} host={host} />
        <div class="two server-own">
          <TextField
            {...field}
            name="SMTP_URL"
            label={locale.say("mailServerIs")}
            value={host}
            hint={hint}
            extra={{ ...plain, placeholder: "mail.example.com" }}
          />
          <TextField
            {...field}
            name="port"
            label={locale.say("settingPort")}
            value={port}
            optional
            extra={{ ...plain, inputmode: "numeric", placeholder: security === "tls" ? "465" : "587" }}
          />
        </div>
        <div class="server-own">
          <SelectField
            {...field}
            name="security"
            label={locale.say("settingSecurity")}
            value={security}
            options={securities.map((value) => ({ value, label: locale.texts[`settingSecurity_${value}`] }))}
          />
        </div>
        <div class="two">
          <TextField
            {...field}
            name="user"
            label={locale.say("settingUser")}
            value={user}
            optional
            extra={plain}
          />
          <TextField
            {...field}
            name="password"
            label={locale.say("password")}
            hint={hasPassword ? locale.say("settingPasswordKept") : undefined}
            optional
            extra={{ type: "password", autocomplete: "new-password", dir: "ltr" }}
          />
        </div>
      </div>
    );
  },
  read(form, name, now) {
    const { host, port, security } = serverIn(form, name);
    if (host === "") return "";
    const url = URL.parse(`${security === "tls" ? "smtps" : "smtp"}://${host}`);
    // A URL drops an invalid port.
    const isPort = port === "" || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
    const isHost = url !== null && url.hostname.toLowerCase() === host.toLowerCase() && isPort;
    if (!isHost) return `${noServer}${host}`;
    url.port = port;
    url.username = encodeURIComponent(typedText(form, "user"));
    const before = URL.parse(now);
    const isSame = before?.hostname === url.hostname && before.username === url.username;
    url.password = encodeURIComponent(form.get("password") ?? "") || (isSame ? before.password : "");
    if (security === "none") url.searchParams.set("ignoreTLS", "true");
    else if (security === "starttls") url.searchParams.set("requireTLS", "true");
    return url.href;
  },
};
