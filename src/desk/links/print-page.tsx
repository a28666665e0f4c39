import { deskDocument } from "../parts/document.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { QrCode, type QrPath } from "../parts/qr.tsx";
import { linkHref } from "./detail-props.ts";

/** The code of a link on a page to be printed: for a counter, a window or a table. */
export function linkPrintPage({
  frame,
  slug,
  shop,
  title,
  price,
  url,
  code,
}: {
  frame: DeskFrame;
  slug: string;
  shop: string;
  /** What it is for; null when nobody said. */
  title: string | null;
  price: string;
  url: string;
  code: QrPath;
}): string {
  const { locale } = frame;
  return deskDocument({
    ...frame,
    title: locale.say("linkPrint"),
    bodyClass: "poster",
    body: (
      <main>
        <p class="poster-actions">
          <a class="button button-quiet" href={linkHref(slug)}>
            <DeskIcon name="back" turns />
            {title ?? shop}
          </a>
          <button type="button" class="button" data-print hidden="">
            <DeskIcon name="print" />
            {locale.say("linkPosterPrint")}
          </button>
        </p>
        <h1 dir="auto">{shop}</h1>
        {title !== null && (
          <p class="poster-title" dir="auto">
            {title}
          </p>
        )}
        <p class="poster-price">{price}</p>
        <QrCode code={code} label={locale.say("linkPosterCode")} />
        <p>{locale.say("linkPosterScan")}</p>
        <p class="address">{url}</p>
      </main>
    ),
  });
}
