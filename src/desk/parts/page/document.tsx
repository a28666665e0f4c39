import type { Locale, TextKey } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import { favicon } from "../../../pages/layout.tsx";
import { ButtonLink } from "../button.tsx";
import type { DeskFrame } from "./desk-frame.ts";

type DocumentProps = Pick<DeskFrame, "assets" | "brand" | "shopName"> & {
  locale: Pick<Locale, "tag" | "dir">;
  title: string;
  bodyClass?: string;
  head?: Child;
  body: Child;
};

/** A document of the desk. Its style and its script are separate files, because one person opens many pages. */
export function deskDocument({ locale, title, ...page }: DocumentProps): string {
  const { assets, brand, shopName, bodyClass, head, body } = page;
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

type DeskMessageProps = Pick<DeskFrame, "locale" | "assets" | "brand" | "shopName"> & {
  title: TextKey;
  text: TextKey;
};

/** A message instead of a page: refused, not found, failed. */
export function deskMessage({ title, text, ...frame }: DeskMessageProps): string {
  const { locale } = frame;
  return deskDocument({
    ...frame,
    title: locale.texts[title],
    bodyClass: "door",
    body: (
      <main>
        <div>
          <h1>{locale.texts[title]}</h1>
          <p class="soft">{locale.texts[text]}</p>
        </div>
        <ButtonLink href="/desk" kind="quiet" text={locale.say("backToHome")} />
      </main>
    ),
  });
}
