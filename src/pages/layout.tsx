import { createHash } from "node:crypto";
import base from "../../assets/styles/base.css" with { type: "text" };
import brandSheet from "../../assets/styles/brand.css" with { type: "text" };
import tokens from "../../assets/styles/tokens.css" with { type: "text" };
import { type Brand, isOf, plainBrand } from "../domain/brand.ts";
import { type Language, languageCodes, languages } from "../language/languages.ts";
import type { Locale } from "../language/locale.ts";
import { type Child, rawHtml } from "../lib/jsx/jsx-runtime.ts";
import { brandStyle, HostedBy } from "./brand-mark.tsx";

/** Props of a component with content between its tags. */
export type WithChildren<Props> = Props & { children?: Child };

type LayoutProps = {
  /** The page's language; English by default. */
  locale?: Pick<Language, "tag" | "dir">;
  /** Till's own look by default. */
  brand?: Brand | undefined;
  title: string;
  /** Style sheets of this page, after the shared one. Never contain a user's text. */
  styles?: readonly string[];
  head?: Child;
  body: Child;
  /** A bundled script. Never contains a user's text. */
  script?: string;
  /** In another page's frame: without the surroundings of a standalone page. */
  isFramed?: boolean;
};

/** The owner and display of a page that is shown instead of a checkout. */
export type CheckoutFrame = {
  slug: string;
  /** The exact origin (`https://shop.example`) of the embedding page, which receives messages; null sends none. */
  parentOrigin: string | null;
  /** In a frame as tall as its content: no background, no margins. */
  embedded: boolean;
  /** Does not reload itself, if there is no script. */
  isStill?: boolean;
};

/** A whole document, and the hashes for its Content-Security-Policy: its own style and script. */
export type Page = { html: string; style: string; script: string | null };

const accentDefault = "#1d4ed8";

/** The tab's icon in the operator's colour, as a data: URL. */
export const favicon = ({ palette }: Brand): string => faviconIn(palette?.accent ?? accentDefault);

const faviconIn = (colour: string) =>
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
  `%3Crect width='32' height='32' rx='8' fill='%23${colour.slice(1)}'/%3E` +
  "%3Cpath d='M8 11h16M12 11v5.5a4 4 0 0 0 8 0V11M10 24h12' fill='none' stroke='%23fff' stroke-width='2.6' " +
  "stroke-linecap='round'/%3E%3C/svg%3E";

/** The background of base.css. Spread, because the JSX types do not know `media` here. */
const lightTheme = { name: "theme-color", content: "#f4f5f8", media: "(prefers-color-scheme: light)" };
const darkTheme = { name: "theme-color", content: "#0c0f14", media: "(prefers-color-scheme: dark)" };

/** Renders a whole document. Styles, script and icon are inline: it loads nothing to be shown. */
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

/** Hashes by text: styles and scripts are constants, and few. */
const sources = new Map<string, string>();

/** Returns the CSP source of an inline style or script (CSP 3, section 2.3.1). Unlike a nonce it fits no other text. */
function sourceOf(text: string): string {
  const cached = sources.get(text);
  if (cached !== undefined) return cached;
  const source = `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  sources.set(text, source);
  return source;
}

/** Compacted sheets: they are constants, and few. */
const compacted = new Map<string, string>();

/** Removes comments, spaces and zeros. None of the sheets has a string that this would touch. */
export function compact(css: string): string {
  const cached = compacted.get(css);
  if (cached !== undefined) return cached;
  const short = css
    .split("/*")
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf("*/") + 2)))
    .join("")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/ ?([{};,>~]) ?/g, "$1")
    .replaceAll(" / ", "/")
    .replaceAll("@media (", "@media(")
    .split("{")
    .map(closeUp)
    .join("{")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}")
    .replace(/(?<=[ :(,-])0\./g, ".")
    .replace(/="([\w-]+)"]/g, "=$1]")
    .replace(/::(?=before|after)/g, ":");
  compacted.set(css, short);
  return short;
}

/** Around a plus in the selector at the end alone: calc() needs its spaces. */
function closeUp(beforeBrace: string): string {
  const from = Math.max(beforeBrace.lastIndexOf(";"), beforeBrace.lastIndexOf("}")) + 1;
  return beforeBrace.slice(0, from) + beforeBrace.slice(from).replaceAll(" + ", "+");
}

type PageFootProps = {
  locale: Locale;
  brand: Brand;
  merchantName: string;
  /** True if the page updates itself. */
  isLive?: boolean;
};

/** Below the payment: answers to likely questions, and the page in other languages. */
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

/** Shown by the script while the server cannot be reached. */
export function Connection({ locale }: { locale: Locale }) {
  return (
    <p class="connection" id="connection" hidden>
      {locale.say("connectionLost")}
    </p>
  );
}

/** Reloads the page if there is no script, unless it is to keep still. */
export const reloadWithoutScript = (isStill: boolean) =>
  isStill ? (
    ""
  ) : (
    <noscript>
      <meta http-equiv="refresh" content="30" />
    </noscript>
  );

type ReloadingProps = {
  locale: Locale;
  isStill: boolean;
  /** The same page, keeping still. */
  href: string;
};

/** Without a script: a page that reloads while it is read can be told not to (WCAG 2.2, success criterion 2.2.1). */
export const Reloading = ({ locale, isStill, href }: ReloadingProps) => (
  <noscript>
    <p class="foot">
      <a href={isStill ? "" : href}>{locale.say(isStill ? "reloadPage" : "stopReloading")}</a>
    </p>
  </noscript>
);
