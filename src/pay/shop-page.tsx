import embeddedStyles from "../../assets/styles/embedded.css" with { type: "text" };
import type { Brand } from "../domain/brand.ts";
import type { Locale } from "../language/locale.ts";
import type { Child } from "../lib/jsx/jsx-runtime.ts";
import { MerchantMark } from "../pages/brand-mark.tsx";
import {
  type CheckoutFrame,
  layout,
  type Page,
  PageFoot,
  Reloading,
  reloadWithoutScript,
} from "../pages/layout.tsx";
import { queryFor } from "./visit.ts";

/** Facts shown to everybody who pays a shop, and so to anybody with the link: none is private. */
export type ShopProps = CheckoutFrame & {
  /** The operator of this Till. */
  brand: Brand;
  businessName: string;
  productDescription: string | null;
  reference: string | null;
};

type ShopPageProps = {
  props: ShopProps;
  locale: Locale;
  title: string;
  /** Attributes of the card, for its script. */
  attributes: { id: string } & Record<`data-${string}`, string | false>;
  styles: readonly string[];
  script: string;
  /** True if the page updates itself; without a script it reloads. */
  isLive: boolean;
  /** Shown if it is more than one. */
  quantity?: number;
  /** Metadata for programs. */
  head: Child;
  children: Child;
};

/** A shop's payment page: a card with who is paid, for what, and `children`; in a frame only the card. */
export function shopPage({ props, locale, quantity = 1, isLive, children, ...page }: ShopPageProps): Page {
  const { brand, embedded, businessName, isStill = false } = props;
  const body = (
    <div class={embedded ? "page" : "page page-alone"}>
      <main class="card checkout" {...page.attributes}>
        <Boxed locale={locale} slug={props.slug} />
        {isLive && (
          <Reloading
            locale={locale}
            isStill={isStill}
            href={queryFor({ locale, frame: { ...props, isStill: true } })}
          />
        )}
        <ShopHeader props={props} locale={locale} quantity={quantity} />
        {children}
      </main>
      {!embedded && <PageFoot locale={locale} brand={brand} merchantName={businessName} isLive={isLive} />}
      {isLive && <p class="visually-hidden" id="announcement" role="status" aria-live="polite" />}
    </div>
  );
  return layout({
    locale,
    brand,
    title: page.title,
    styles: embedded ? [...page.styles, embeddedStyles] : page.styles,
    head: (
      <>
        {isLive && reloadWithoutScript(isStill)}
        {page.head}
      </>
    ),
    body,
    script: page.script,
    isFramed: embedded,
  });
}

/** Shown by the script if a shop has put the page into a sandbox, which keeps it from asking its own server. */
function Boxed({ locale, slug }: { locale: Locale; slug: string }) {
  return (
    <p class="connection" id="boxed" hidden>
      <a href={`/pay/${encodeURIComponent(slug.toWellFormed())}`} target="_blank" rel="noopener">
        {locale.say("openPayment")}
      </a>
    </p>
  );
}

/** More than a phone shows of it at once; the rest scrolls. */
const isLong = (text: string): boolean => text.length > 120 || text.split("\n").length > 4;

/** Safari scrolls with the keys only what has the focus. */
const scrolledByKeys = ({ say }: Locale) => ({
  tabindex: 0,
  role: "group",
  "aria-label": say("description"),
});

type HeaderProps = { props: ShopProps; locale: Locale; quantity: number };

function ShopHeader({ props, locale, quantity }: HeaderProps) {
  const { businessName, productDescription, reference, brand } = props;
  // The page itself makes clear that it is to be paid.
  const [before, after] = locale.texts.payTo.split("{merchant}");
  return (
    <header class="shop">
      <MerchantMark name={businessName} brand={brand} />
      <div class="shop-words">
        <h1>
          <span class="visually-hidden">{before}</span>
          <bdi>{businessName}</bdi>
          <span class="visually-hidden">{after}</span>
        </h1>
        {productDescription !== null && productDescription.trim() !== "" && (
          <p class="soft prose" dir="auto" {...(isLong(productDescription) ? scrolledByKeys(locale) : {})}>
            {productDescription}
          </p>
        )}
        {reference !== null && (
          <p class="soft reference">
            {locale.say("reference") + locale.marks.colon}
            <bdi>{reference}</bdi>
          </p>
        )}
        {quantity !== 1 && (
          <p class="reference">{locale.labelled(locale.say("quantity"), String(quantity))}</p>
        )}
      </div>
    </header>
  );
}
