import type { Locale } from "../../language/locale.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { favicon } from "../../pages/layout.tsx";
import type { DeskFrame } from "./frame.tsx";

/** A document of the desk. Its style and its script are files, as one person opens many pages. */
export function deskDocument({
  locale,
  assets,
  brand,
  shopName,
  title,
  bodyClass,
  head,
  body,
}: Pick<DeskFrame, "assets" | "brand" | "shopName"> & {
  locale: Pick<Locale, "tag" | "dir">;
  title: string;
  bodyClass?: string;
  /** Markup. */
  head?: Child;
  /** Markup. */
  body: Child;
}): string {
  const document = (
    <html lang={locale.tag} dir={locale.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{`${title} · ${shopName}`}</title>
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={favicon(brand)} />
        <link rel="stylesheet" href={assets.style} />
        <script type="module" src={assets.script}></script>
        {head}
      </head>
      <body {...(bodyClass === undefined ? {} : { class: bodyClass })}>
        {body}
        <p id="announcement" class="visually-hidden" role="status"></p>
      </body>
    </html>
  );
  return `<!doctype html>\n${document}`;
}
