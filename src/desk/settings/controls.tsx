import type { Locale, TextKey } from "../../language/locale.ts";
import { bytesIn, imageOf } from "../../lib/image/image-file.ts";
import type { Control } from "../parts/form/controls.tsx";
import { TextField, typedText } from "../parts/form/form.tsx";
import { DeskIcon } from "../parts/icon.tsx";

/** Any of several, as a comma-separated list; other values are typed into `more`, if given. */
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
              locale={locale}
              faults={faults}
              hint={hint}
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

/**
 * An image, which is stored unchanged; `now` stays unless another one is sent, or it is removed. What was chosen is sent
 * again by a form with a fault elsewhere, because a browser forgets the file.
 */
export const image: Control = {
  show: ({ locale, name, label, hint, text, faults }) => {
    const fault = faults.find(({ field }) => field === name);
    // A browser shows an SVG only with its type.
    const bytes = bytesIn(text);
    const shown = bytes && imageOf(bytes);
    return (
      <div class="field">
        <label for={name}>{label}</label>
        <div class="logo-row">
          {shown !== null && "url" in shown && (
            <span class="logo-box">
              <img src={shown.url} alt="" />
            </span>
          )}
          <input
            id={name}
            name={name}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            aria-describedby={`${name}-hint`}
          />
          {fault === undefined && <input type="hidden" name={`${name}_chosen`} value={text} />}
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
    const sent = typedText(form, name) || (form.get(`${name}_chosen`) ?? now);
    // Only the machine's operator may name its files: what is not an image becomes an empty one, which is refused.
    return sent === now || sent === "" || bytesIn(sent) !== null ? sent : "data:;base64,";
  },
};
