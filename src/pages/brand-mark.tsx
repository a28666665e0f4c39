import { Html } from "@elysiajs/html";
import type { Brand } from "../domain/brand.ts";
import type { Reader } from "./language/reader.ts";
import { Rich } from "./language/rich.tsx";
import { attr } from "./text.ts";

/** Only as an image: in an `<img>` no script of an SVG runs. */
export function Logo({ brand }: { brand: Brand }) {
  if (brand.logo === null) return "";
  return <img class="logo" src={attr(brand.logo)} alt={attr(brand.name ?? "")} />;
}

/** Who runs this Till; nothing when nobody said so. */
export function HostedBy({ brand, reader }: { brand: Brand; reader: Reader }) {
  if (brand.name === null && brand.logo === null) return "";
  const name = <bdi safe>{brand.name ?? ""}</bdi>;
  return (
    <div class="host">
      <Logo brand={{ ...brand, name: null }} />
      {brand.name === null ? null : (
        <p>
          <Rich reader={reader} text="hostedBy" values={{ brand: String(name) }} />
        </p>
      )}
    </div>
  );
}

/** The operator's colour in the place of Till's. The palette is made of numbers: nobody's text is in it. */
export function brandStyle({ palette }: Brand): string {
  if (palette === null) return "";
  const { accent, text, strong, tint, dark } = palette;
  return (
    `:root{--accent:${text};--accent-strong:${strong};--accent-tint:${tint};--button:${accent}}` +
    "@media screen and (prefers-color-scheme:dark){:root{" +
    `--accent:${dark.accent};--accent-strong:${dark.strong};--accent-tint:${dark.tint};` +
    `--accent-ink:${dark.ink};--button:${dark.accent}}}`
  );
}
