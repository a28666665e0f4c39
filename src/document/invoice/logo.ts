import type { Brand } from "../../domain/brand.ts";
import { imageSize } from "../../lib/image/image-size.ts";

type Logo = { url: string; width: number; height: number };

/**
 * The operator's logo as large as fits, in points; null when there is none that a PDF can hold: only a PNG or a JPEG
 * is an image there.
 */
export function logoOf(
  { logo }: Pick<Brand, "logo">,
  { widthMax, heightMax }: { widthMax: number; heightMax: number },
): Logo | null {
  const [, type, data = ""] = /^data:image\/(png|jpeg);base64,(.*)$/s.exec(logo ?? "") ?? [];
  if (logo === null || type === undefined) return null;
  const size = imageSize(Buffer.from(data, "base64"), type === "png" ? "png" : "jpeg");
  if (size === null) return null;
  const scale = Math.min(widthMax / size.width, heightMax / size.height);
  return { url: logo, width: size.width * scale, height: size.height * scale };
}
