import type { TextKey } from "../../language/locale.ts";
import { ButtonLink } from "./button.tsx";
import { deskDocument } from "./document.tsx";
import type { DeskFrame } from "./frame.tsx";

/** One thing to say, in the place of a page: refused, not found, failed. */
export function deskMessage({
  title,
  text,
  ...frame
}: Pick<DeskFrame, "locale" | "assets" | "brand" | "shopName"> & { title: TextKey; text: TextKey }): string {
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
