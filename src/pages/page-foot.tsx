import { Html } from "@elysiajs/html";
import { type Brand, isOf } from "../domain/brand.ts";
import { HostedBy } from "./brand-mark.tsx";
import { LanguageSwitch } from "./language/language-switch.tsx";
import type { Reader } from "./language/reader.ts";

type PageFootProps = { reader: Reader; brand: Brand; merchantName: string };

/** Below what is to be paid: what people ask themselves, and the page in other languages. */
export function PageFoot({ reader, brand, merchantName }: PageFootProps) {
  return (
    <footer class="foot">
      <p safe>{reader.say("footnote")}</p>
      <LanguageSwitch reader={reader} />
      {isOf(brand, merchantName) ? null : <HostedBy brand={brand} reader={reader} />}
    </footer>
  );
}

/** Where the script says that the server cannot be reached. */
export function Connection({ reader }: { reader: Reader }) {
  return (
    <p class="connection" id="connection" hidden>
      {Html.escapeHtml(reader.say("connectionLost"))}
    </p>
  );
}

/** Without a script the page loads itself again. */
export function reloadWithoutScript(): string {
  return String(
    <noscript>
      <meta http-equiv="refresh" content="30" />
    </noscript>,
  );
}
