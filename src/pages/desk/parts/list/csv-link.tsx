import type { Locale } from "../../../../language/locale.ts";
import { DeskIcon } from "../icon.tsx";

/** Takes away what a list shows, on all its pages. Nothing for who may not. */
export function CsvLink({ locale, href }: { locale: Locale; href: string | null }) {
  if (href === null) return "";
  return (
    <a class="button button-quiet csv" href={href} download="" title={locale.say("downloadCsvOfShown")}>
      <DeskIcon name="download" />
      <span>{locale.say("downloadCsv")}</span>
    </a>
  );
}
