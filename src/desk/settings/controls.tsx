import type { Locale, TextKey } from "../../language/locale.ts";
import { bytesIn } from "../../lib/image/image-file.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { type FormFault, SelectField, TextField, typedText } from "../parts/form/form.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { ProviderField, serverIn } from "./providers.tsx";

/** A setting as a form shows it. */
export type Asked = {
  locale: Locale;
  name: string;
  label: string;
  hint?: string | undefined;
  /** As its variable would say it; empty when it is not set. */
  text: string;
  faults: readonly FormFault[];
};

/**
 * How a kind of setting is shown, and what was typed, as its variable would say it: null for what the form does not offer.
 * `now` is what is in force.
 */
export type Control = {
  show(asked: Asked): Child;
  read(form: URLSearchParams, name: string, now: string, locale: Locale): string | null;
  options?(locale: Locale): Options;
};

type Options = readonly { value: string; label: string }[];

/** One line. */
export const line = (
  extra: Readonly<Record<string, string>> = {},
  unit?: (locale: Locale) => string,
): Control => ({
  show: ({ text, ...asked }) => (
    <TextField
      {...asked}
      value={text}
      extra={{ autocomplete: "off", ...extra }}
      unit={unit?.(asked.locale)}
    />
  ),
  read: typedText,
});

/** One of several. */
export const choice = (options: (locale: Locale) => Options, rest: Options = []): Control => ({
  show: ({ text, ...asked }) => (
    <SelectField {...asked} value={text} options={options(asked.locale)} rest={rest} />
  ),
  read(form, name, now, locale) {
    const text = form.has(name) ? typedText(form, name) : now;
    const isOffered = [...options(locale), ...rest].some(({ value }) => value === text);
    return isOffered || text === now ? text : null;
  },
  options,
});

/** On or off. */
export const flag: Control = {
  show: ({ name, label, hint, text }) => (
    <label class="choice">
      <input type="checkbox" name={name} value="true" checked={text === "true"} />
      <span>
        <strong>{label}</strong>
        {hint !== undefined && <span class="soft">{hint}</span>}
      </span>
    </label>
  ),
  read: (form, name) => String(form.has(name)),
};

/** Any of several, as a list with commas; those that are not offered are typed into `more`, if there is that. */
export const several = (
  values: readonly string[],
  say: (value: string, locale: Locale) => string,
  { none = "", more }: { none?: string; more?: TextKey } = {},
): Control => {
  const partsOf = (text: string) => text.split(",").map((part) => part.trim());
  return {
    show: ({ locale, name, label, hint, text, faults }) => {
      const chosen = partsOf(text);
      const others = chosen.filter((part) => part !== "" && part !== none && !values.includes(part));
      return (
        <fieldset id={name} tabindex="-1">
          <legend>{label}</legend>
          <ul class="ticks">
            {values.map((value) => (
              <li>
                <label>
                  <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
                  {say(value, locale)}
                </label>
              </li>
            ))}
          </ul>
          {more === undefined ? (
            hint !== undefined && <p class="hint">{hint}</p>
          ) : (
            <TextField
              {...{ locale, faults, hint }}
              name={`${name}_more`}
              label={locale.texts[more]}
              value={others.join(", ")}
              optional
              extra={{ autocomplete: "off", dir: "ltr" }}
            />
          )}
        </fieldset>
      );
    },
    read(form, name) {
      const ticked = form.getAll(name);
      if (!ticked.every((value) => values.includes(value))) return null;
      const typed = more === undefined ? [] : partsOf(typedText(form, `${name}_more`));
      const parts = [...new Set([...ticked, ...typed])].filter((part) => part !== "");
      return parts.length === 0 ? none : parts.join(",");
    },
  };
};

/** Dark enough for white text; their styles are in setting.css. */
const colours = ["#1d4ed8", "#8a4210", "#0f766e", "#86198f", "#b42318", "#334155"];
const own = "own";

/** Some colours, the first of which is Till's own, and any other. */
export const colour: Control = {
  show: ({ locale, name, label, hint, text, faults }) => {
    const now = text === "" ? colours[0] : text.toLowerCase();
    const isOwn = now !== undefined && !colours.includes(now);
    const fault = faults.find(({ field }) => field === name);
    return (
      <fieldset id={name} tabindex="-1">
        <legend>{label}</legend>
        <div class="swatches">
          {colours.map((value) => (
            <label class={`swatch-${value.slice(1)}`} title={value}>
              <input type="radio" name={name} value={value} checked={value === now} />
              <i aria-hidden="true">
                <DeskIcon name="check" />
              </i>
              <span class="visually-hidden">{value}</span>
            </label>
          ))}
          <label class="swatch-own">
            <input type="radio" name={name} value={own} checked={isOwn} />
            <span>{locale.say("settingOwnColour")}</span>
          </label>
          <input
            type="color"
            name={`${name}_own`}
            value={isOwn ? now : colours[0]}
            aria-label={locale.say("settingOwnColour")}
          />
        </div>
        {fault === undefined ? (
          hint !== undefined && <p class="hint">{hint}</p>
        ) : (
          <p class="fault">{fault.message}</p>
        )}
      </fieldset>
    );
  },
  read(form, name) {
    const chosen = typedText(form, name);
    const text = chosen === own ? typedText(form, `${name}_own`).toLowerCase() : chosen;
    return text === colours[0] ? "" : text;
  },
};

/** An image, which is stored as it is; `now` stays unless another one is sent, or it is to go. */
export const image: Control = {
  show: ({ locale, name, label, hint, text, faults }) => {
    const fault = faults.find(({ field }) => field === name);
    return (
      <div class="field">
        <label for={name}>{label}</label>
        <div class="logo-row">
          {text !== "" && (
            <span class="logo-box">
              <img src={text} alt="" />
            </span>
          )}
          <input
            id={name}
            name={name}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            aria-describedby={`${name}-hint`}
          />
        </div>
        {text !== "" && (
          <label class="choice">
            <input type="checkbox" name={`${name}_gone`} value="true" />
            <span>{locale.say("settingLogoGone")}</span>
          </label>
        )}
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
        {fault !== undefined && <p class="fault">{fault.message}</p>}
      </div>
    );
  },
  read(form, name, now) {
    if (form.has(`${name}_gone`)) return "";
    const sent = typedText(form, name) || now;
    // Only who runs the machine may name a file of it: what is no image here is an empty one, which is refused.
    return sent === now || bytesIn(sent) !== null ? sent : "data:;base64,";
  },
};

const securities = ["starttls", "tls", "none"] as const;

/** Before what was typed as a server and is none, which must not be taken for a URL. */
const noServer = "!";

/** The parts of the URL of a mail server; the password is in none of them. */
function partsOf(text: string) {
  const url = URL.parse(text);
  const isTls = url?.protocol === "smtps:";
  return {
    host: url?.hostname ?? text.replace(noServer, ""),
    port: url?.port ?? "",
    security: isTls ? "tls" : url?.searchParams.get("ignoreTLS") === "true" ? "none" : "starttls",
    user: decodeURIComponent(url?.username ?? ""),
    hasPassword: (url?.password ?? "") !== "",
  };
}

/**
 * A mail server. Its password is never shown, and stays when none is typed: but for the same server and user alone, as
 * whoever names another one would learn it.
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
    // A URL leaves out a port that is none.
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
