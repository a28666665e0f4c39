import { type Brand, isOf } from "../domain/brand.ts";
import { languageCodes, languages } from "../language/languages.ts";
import type { Locale } from "../language/locale.ts";
import { HostedBy } from "./brand-mark.tsx";

type PageFootProps = {
  locale: Locale;
  brand: Brand;
  merchantName: string;
  /** Whether the page shows by itself what has changed. */
  isLive?: boolean;
};

/** Below what is to be paid: what people ask themselves, and the page in other languages. */
export function PageFoot({ locale, brand, merchantName, isLive = true }: PageFootProps) {
  const footnote = locale.say("footnote");
  return (
    <footer class="foot">
      <p>{isLive ? `${locale.say("updatesItself")}${locale.marks.gap}${footnote}` : footnote}</p>
      <LanguageSwitch locale={locale} />
      {!isOf(brand, merchantName) && <HostedBy brand={brand} locale={locale} />}
    </footer>
  );
}

/** The same page in the other languages. Links, so that it works without a script. */
function LanguageSwitch({ locale }: { locale: Locale }) {
  return (
    <nav class="languages" aria-label={locale.say("language")}>
      {languageCodes.map((code) => {
        const { name, tag } = languages[code];
        return code === locale.code ? (
          <span aria-current="true" lang={tag}>
            {name}
          </span>
        ) : (
          <a href={`?lang=${code}`} lang={tag}>
            {name}
          </a>
        );
      })}
    </nav>
  );
}

/** Where the script says that the server cannot be reached. */
export function Connection({ locale }: { locale: Locale }) {
  return (
    <p class="connection" id="connection" hidden>
      {locale.say("connectionLost")}
    </p>
  );
}

/** Without a script the page loads itself again. */
export const reloadWithoutScript = () => (
  <noscript>
    <meta http-equiv="refresh" content="30" />
  </noscript>
);
