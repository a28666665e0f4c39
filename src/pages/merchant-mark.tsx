import { Html } from "@elysiajs/html";
import { type Brand, isOf } from "../domain/brand.ts";
import { Logo } from "./brand-mark.tsx";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

type MerchantMarkProps = { name: string; brand: Brand };

/** The merchant's logo at the top of a page when this Till is the merchant's own, else the first letter of the name. */
export function MerchantMark({ name, brand }: MerchantMarkProps) {
  if (brand.logo !== null && isOf(brand, name)) return <Logo brand={{ ...brand, name: null }} />;
  const [first] = graphemes.segment(name.trim());
  return (
    <span class="monogram" aria-hidden="true" safe>
      {(first?.segment ?? "").toUpperCase()}
    </span>
  );
}
