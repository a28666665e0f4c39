import { Html } from "@elysiajs/html";
import { languageCodes, languages } from "../../lib/language.ts";
import { attr } from "../text.ts";
import type { Reader } from "./reader.ts";

/** The same page in the other languages. Links, so that it works without a script. */
export function LanguageSwitch({ reader }: { reader: Reader }) {
  return (
    <nav class="languages" aria-label={attr(reader.say("language"))}>
      <ul>
        {languageCodes.map((code) => {
          const { name, tag } = languages[code];
          return (
            <li>
              {code === reader.code ? (
                <span aria-current="true" lang={tag}>
                  {name}
                </span>
              ) : (
                <a href={`?lang=${code}`} lang={tag} hreflang={tag}>
                  {name}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
