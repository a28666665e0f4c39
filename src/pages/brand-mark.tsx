import { type Brand, isOf } from "../domain/brand.ts";
import type { Locale } from "../language/locale.ts";
import { Rich } from "../language/rich.tsx";

/** Only as an image: in an `<img>` no script of an SVG runs. `name`: whose it is, where nothing beside says so. */
export function Logo({ brand, name = "" }: { brand: Brand; name?: string }) {
  if (brand.logo === null) return "";
  return <img class="logo" src={brand.logo} alt={name} />;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The merchant's logo at the top of a page when this Till is the merchant's own, else the first letter of the name. */
export function MerchantMark({ name, brand }: { name: string; brand: Brand }) {
  if (brand.logo !== null && isOf(brand, name)) return <Logo brand={brand} />;
  const [first] = graphemes.segment(name.trim());
  return (
    <span class="monogram" aria-hidden="true">
      {(first?.segment ?? "").toUpperCase()}
    </span>
  );
}

/** Who runs this Till; nothing when nobody said so. */
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

/** The operator's colour in the place of Till's. The palette is made of numbers: nobody's text is in it. */
export const brandStyle = ({ palette, logo }: Brand): string =>
  `${palette === null ? "" : paletteStyle(palette)}${logo === null ? "" : logoStyle}`;

/** A logo is drawn for white: a dark one with a transparent ground would be lost. */
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
