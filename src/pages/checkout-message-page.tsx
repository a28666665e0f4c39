import { Html } from "@elysiajs/html";
import embeddedStyles from "../../assets/styles/embedded.css" with { type: "text" };
import { HostedBy } from "./brand-mark.tsx";
import { bundle } from "./bundle.ts" with { type: "macro" };
import type { CheckoutFrame } from "./checkout-props.ts";
import type { Reader } from "./language/reader.ts";
import { layout, type Page } from "./layout.tsx";
import { attr } from "./text.ts";

const script = bundle("checkout-message");

export type CheckoutMessageProps = CheckoutFrame & { reader: Reader; title: string; text: string };

/** In place of a checkout, one thing to say: there is no such link, for example. In a frame it tells its size too. */
export function checkoutMessagePage(props: CheckoutMessageProps): Page {
  const { reader, title, text, slug, parentOrigin, embedded, brand } = props;
  const body = (
    <main class="page page-narrow">
      <div
        class="card message"
        id="message"
        data-slug={attr(slug)}
        data-parent-origin={parentOrigin === null ? false : attr(parentOrigin)}
      >
        <h1 safe>{title}</h1>
        <p class="prose" safe>
          {text}
        </p>
      </div>
      {embedded ? null : <HostedBy brand={brand} reader={reader} />}
    </main>
  );
  const styles = embedded ? [embeddedStyles] : [];
  return layout({ language: reader.language, brand, title, styles, body: String(body), script });
}
