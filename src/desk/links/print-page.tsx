import { qrPath } from "../../document/qr.ts";
import { checkoutUrl, type Link } from "../../domain/link/link.ts";
import type { ReusableLink } from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import { deskDocument } from "../parts/document.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { QrCode } from "../parts/qr.tsx";
import { linkHref } from "./detail-parts.tsx";
import { priceText } from "./list.ts";

/** The code of a link on a page to be printed: for a counter, a window or a table. */
export function linkPrintPage(frame: DeskFrame, link: Link | ReusableLink, baseUrl: string): string {
  const { locale } = frame;
  const { slug, businessName: shop, productDescription: title } = link;
  const url = checkoutUrl(baseUrl, slug);
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
        <p class="poster-price">
          {"price" in link
            ? `${priceText(link.price, locale)} USDC`
            : locale.usdc(Usdc.format(link.deposit.expected))}
        </p>
        <QrCode code={qrPath(url)} label={locale.say("linkPosterCode")} />
        <p>{locale.say("linkPosterScan")}</p>
        <p class="address">{url}</p>
      </main>
    ),
  });
}
