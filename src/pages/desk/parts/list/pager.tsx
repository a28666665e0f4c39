import type { Locale } from "../../../../language/locale.ts";
import { ButtonLink } from "../button.tsx";

/** Below a list: what it says of itself, and the way to its other pages. `newest` and `older` are paths; null for none. */
export function Pager({
  locale,
  line = "",
  newest,
  older,
}: {
  locale: Locale;
  line?: string;
  newest: string | null;
  older: string | null;
}) {
  if (line === "" && newest === null && older === null) return "";
  return (
    <div class="pager" id="pager" data-live>
      <span>{line}</span>
      <nav class="actions" aria-label={locale.say("pages")}>
        {newest !== null && <ButtonLink href={newest} kind="quiet small" text={locale.say("toNewest")} />}
        {older !== null && (
          <a class="button button-quiet button-small" href={older} rel="next">
            {locale.say("toOlder")}
          </a>
        )}
      </nav>
    </div>
  );
}

/** The way to the page after this one, of a list without a way back. `href`: null on its last page. */
export function NextPage({ locale, href }: { locale: Locale; href: string | null }) {
  if (href === null) return "";
  return (
    <p class="pager">
      <span></span>
      <ButtonLink href={href} kind="quiet small" text={locale.say("nextPage")} />
    </p>
  );
}
