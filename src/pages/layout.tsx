import { createHash } from "node:crypto";
import base from "../../assets/styles/base.css" with { type: "text" };
import brandSheet from "../../assets/styles/brand.css" with { type: "text" };
import tokens from "../../assets/styles/tokens.css" with { type: "text" };
import { type Brand, isOf, plainBrand } from "../domain/brand.ts";
import { type Language, languageCodes, languages } from "../language/languages.ts";
import type { Locale } from "../language/locale.ts";
import { type Child, rawHtml } from "../lib/jsx/jsx-runtime.ts";
import { brandStyle, HostedBy } from "./brand-mark.tsx";

/** What stands between the tags of a component. */
export type WithChildren<Props> = Props & { children?: Child };

type LayoutProps = {
  /** The language of the page; English by default. */
  locale?: Pick<Language, "tag" | "dir">;
  /** Till's own look when not given. */
  brand?: Brand | undefined;
  title: string;
  /** Style sheets of this page, after the shared one. Never with a user's text in them. */
  styles?: readonly string[];
  /** Markup. */
  head?: Child;
  /** Markup. */
  body: Child;
  /** A bundled script. Never with a user's text in it. */
  script?: string;
  /** In the frame of another page: without what a browser shows around a page. */
  isFramed?: boolean;
};

/** Who shows a page that stands in the place of a checkout, and how. */
export type CheckoutFrame = {
  slug: string;
  /** The exact origin (`https://shop.example`) of the page around it, which is told about it; null tells nobody. */
  parentOrigin: string | null;
  /** In a frame as tall as its content: no ground, no margins. */
  embedded: boolean;
};

/** A whole document, and what its Content-Security-Policy has to allow: its own style and script, by their hashes. */
export type Page = { html: string; style: string; script: string | null };

const accentDefault = "#1d4ed8";

/** The icon of the tab, in the operator's colour: a data: URL. */
export const favicon = ({ palette }: Brand): string => faviconIn(palette?.accent ?? accentDefault);

const faviconIn = (colour: string) =>
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
  `%3Crect width='32' height='32' rx='8' fill='%23${colour.slice(1)}'/%3E` +
  "%3Cpath d='M8 11h16M12 11v5.5a4 4 0 0 0 8 0V11M10 24h12' fill='none' stroke='%23fff' stroke-width='2.6' " +
  "stroke-linecap='round'/%3E%3C/svg%3E";

/** The ground of base.css. Spread, because the JSX types do not know `media` here. */
const lightTheme = { name: "theme-color", content: "#f4f5f8", media: "(prefers-color-scheme: light)" };
const darkTheme = { name: "theme-color", content: "#0c0f14", media: "(prefers-color-scheme: dark)" };

/** A whole document. Styles, script and icon are in it: it loads nothing to be shown. */
export function layout({ brand = plainBrand, styles = [], isFramed = false, ...page }: LayoutProps): Page {
  const { locale = { tag: "en", dir: "ltr" }, title, head, body, script } = page;
  const isBranded = brand.name !== null || brand.logo !== null;
  const sheets = [tokens, base, ...(isBranded ? [brandSheet] : []), ...styles, brandStyle(brand)];
  const style = sheets.map(compact).join("");
  const document = (
    <html lang={locale.tag} dir={locale.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
        {!isFramed && <AroundThePage brand={brand} />}
        <style>{rawHtml(style)}</style>
        {head}
      </head>
      <body>
        {body}
        {script !== undefined && <script type="module">{rawHtml(script)}</script>}
      </body>
    </html>
  );
  return {
    html: `<!doctype html>\n${document}`,
    style: sourceOf(style),
    script: script === undefined ? null : sourceOf(script),
  };
}

const AroundThePage = ({ brand }: { brand: Brand }) => (
  <>
    <meta {...lightTheme} />
    <meta {...darkTheme} />
    <link rel="icon" href={favicon(brand)} />
  </>
);

/** The texts of styles and scripts that were asked for: they are constants, and few. */
const sources = new Map<string, string>();

/** What allows an inline style or script of this text (CSP 3, section 2.3.1). Unlike a nonce it is no use to another. */
function sourceOf(text: string): string {
  const cached = sources.get(text);
  if (cached !== undefined) return cached;
  const source = `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  sources.set(text, source);
  return source;
}

/** The sheets that were asked for: they are constants, and few. */
const compacted = new Map<string, string>();

/** Without the comments, spaces and zeros that only we read. None of the sheets has a string that this would touch. */
export function compact(css: string): string {
  const cached = compacted.get(css);
  if (cached !== undefined) return cached;
  const short = css
    .split("/*")
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf("*/") + 2)))
    .join("")
    .replace(/\s+/g, " ")
    // Not around a plus: calc() needs its spaces.
    .replace(/ ?([{};,>~]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}")
    .replace(/(?<=[ :(,-])0\./g, ".")
    .replace(/="([\w-]+)"]/g, "=$1]")
    .replace(/::(?=before|after)/g, ":");
  compacted.set(css, short);
  return short;
}

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
