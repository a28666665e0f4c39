import { type Brand, isOf } from "../domain/brand.ts";
import type { Locale } from "../language/locale.ts";
import { Rich } from "../language/rich.tsx";

/** Only as an image: scripts of an SVG do not run in an `<img>`. `name` names the owner if no text beside it does. */
export function Logo({ brand, name = "" }: { brand: Brand; name?: string }) {
  if (brand.logo === null) return "";
  return <img class="logo" src={brand.logo} alt={name} />;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The merchant's logo at the top of a page if this Till is the merchant's own, else the first letter of the name. */
export function MerchantMark({ name, brand }: { name: string; brand: Brand }) {
  if (brand.logo !== null && isOf(brand, name)) return <Logo brand={brand} />;
  const [first] = graphemes.segment(name.trim());
  return (
    <span class="monogram" aria-hidden="true">
      {(first?.segment ?? "").toUpperCase()}
    </span>
  );
}

/** The operator of this Till; empty if no name or logo is set. */
export function HostedBy({ brand, locale }: { brand: Brand; locale: Locale }) {
  if (brand.name === null && brand.logo === null) return "";
  return (
    <div class="host">
      <Logo brand={brand} />
      {brand.name !== null && (
        <p>
          <Rich locale={locale} text="hostedBy" values={{ brand: <bdi>{brand.name}</bdi> }} />
        </p>
      )}
    </div>
  );
}

/** Replaces Till's colour with the operator's. The palette consists of numbers, so no user's text is in it. */
export const brandStyle = ({ palette, logo }: Brand): string =>
  `${palette === null ? "" : paletteStyle(palette)}${logo === null ? "" : logoStyle}`;

/** Logos are drawn for white: a dark one on a transparent background would be invisible. */
const logoStyle =
  "@media (prefers-color-scheme:dark){.logo{padding:.25rem .375rem;border-radius:.5rem;background:#fff}}";

function paletteStyle(palette: NonNullable<Brand["palette"]>): string {
  const { accent, text, strong, tint, dark } = palette;
  return (
    `:root{--accent:${text};--accent-strong:${strong};--accent-tint:${tint};--button:${accent}}` +
    "@media screen and (prefers-color-scheme:dark){:root{" +
    `--accent:${dark.accent};--accent-strong:${dark.strong};--accent-tint:${dark.tint};` +
    `--accent-ink:${dark.ink};--button:${dark.accent}}}`
  );
}
