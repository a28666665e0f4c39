import { join } from "node:path";
import { type LanguageCode, languageCodes } from "../language/languages.ts";
import { speak, type TextKey } from "../language/locale.ts";

/** Scripts for pages, each bundled from `client/<name>.ts` and its imports. */
const names = [
  "begin",
  "checkout",
  "checkout-networks",
  "copy-page",
  "desk/desk",
  "home",
  "invoice",
  "invoice-networks",
  "widget/checkout-message",
  "widget/modal",
  "widget/widget",
] as const;

type Scripts = Readonly<Record<(typeof names)[number], string>>;

/** Text that would end a script element, or begin a comment, in the middle of the script (HTML, section 4.12.1.3). */
const endsScript = /<\/script|<script|<!--/i;

/** Texts shown in the shop's page, around the frame. */
const widgetKeys = [
  "payWithUsdc",
  "formMissing",
  "openPayment",
  "slugMissing",
  "close",
] as const satisfies readonly TextKey[];

/** In every language. */
export type WidgetTexts = Record<LanguageCode, Record<(typeof widgetKeys)[number], string>>;

/** The scripts as JSON, set when the executable is built. */
declare const BROWSER_SCRIPTS: string | undefined;

/** Every browser script, minified: classic scripts without globals. When run from source, Till builds them first. */
export const scripts: Scripts =
  typeof BROWSER_SCRIPTS === "string" ? JSON.parse(BROWSER_SCRIPTS) : await buildScripts();

/** Throws if a script cannot be built. */
async function buildScripts(): Promise<Scripts> {
  const root = join(import.meta.dir, "client");
  // What only pages for payments from other networks do weighs on those alone.
  // Each by itself, or it would have what only the others use.
  const builds = names.map((name) =>
    Bun.build({
      entrypoints: [join(root, `${name}.ts`)],
      root,
      target: "browser",
      format: "iife",
      minify: true,
      // Not imported, so that the script contains these texts but not the dictionaries.
      define: {
        WIDGET_TEXTS: JSON.stringify(widgetTexts()),
        HAS_NETWORKS: String(name.endsWith("-networks")),
      },
    }),
  );
  const outputs = (await Promise.all(builds)).flatMap((build) => build.outputs);
  // The outputs come in an unspecified order.
  const built = outputs.map(async (output): Promise<[string, string]> => {
    const name = output.path.replace(/^\.\/|\.js$/g, "");
    const script = await output.text();
    if (endsScript.test(script)) throw new Error(`The script ${name} would end its own script element`);
    return [name, script];
  });
  return Object.fromEntries(await Promise.all(built)) as Scripts;
}

function widgetTexts(): WidgetTexts {
  return Object.fromEntries(
    languageCodes.map((code) => {
      const { texts } = speak(code);
      return [code, Object.fromEntries(widgetKeys.map((key) => [key, texts[key]]))];
    }),
  ) as WidgetTexts;
}
