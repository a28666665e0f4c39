import type { Brand } from "../domain/brand.ts";
import type { Locale } from "../language/locale.ts";
import { MerchantMark } from "../pages/brand-mark.tsx";

export type ShopHeaderProps = {
  /** Who runs this Till. */
  brand: Brand;
  businessName: string;
  productDescription: string | null;
  reference: string | null;
};

/** Who is paid, and for what: at the top of a checkout. */
export function ShopHeader({
  props: { businessName, productDescription, reference, brand },
  locale,
  quantity = 1,
}: {
  props: ShopHeaderProps;
  locale: Locale;
  /** Said when it is more than one piece. */
  quantity?: number;
}) {
  // The sight of the page says that it is to be paid.
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
          <p class="soft prose" dir="auto">
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
