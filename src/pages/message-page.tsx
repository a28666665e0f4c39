import embeddedStyles from "../../assets/styles/embedded.css" with { type: "text" };
import messageStyles from "../../assets/styles/message.css" with { type: "text" };
import type { Brand } from "../domain/brand.ts";
import type { Locale } from "../language/locale.ts";
import type { Child } from "../lib/jsx/jsx-runtime.ts";
import { HostedBy } from "./brand-mark.tsx";
import { type CheckoutFrame, layout, type Page } from "./layout.tsx";
import { scripts } from "./scripts.ts";

const script = scripts["widget/checkout-message"];

type MessagePageProps = {
  message:
    | "invoiceNotFound"
    | "linkNotFound"
    | "linkClosed"
    | "pageNotFound"
    | "tooManyRequests"
    | "somethingWrong"
    | "notSaved";
  /** Seconds until a retry; only used by `tooManyRequests`. */
  seconds?: number;
  /** The merchant's note on it. */
  note?: string | null;
  locale: Locale;
  /** The operator of this Till. */
  brand: Brand;
  /** Set where it replaces a checkout: in a frame, it reports its height to the embedding page. */
  frame?: CheckoutFrame;
};

/** A page with one message: not found, or something went wrong. */
export function messagePage({ message, seconds = 0, note = null, ...page }: MessagePageProps): Page {
  const { locale, brand, frame } = page;
  const title = locale.say(message === "notSaved" ? "somethingWrong" : message);
  return cardPage({
    title,
    locale,
    brand,
    frame,
    children: (
      <>
        <h1>{title}</h1>
        <p class="prose">{locale.say(`${message}Text`, { seconds })}</p>
        {note !== null && (
          <p class="prose" dir="auto">
            {note}
          </p>
        )}
      </>
    ),
  });
}

type CardPageProps = Pick<MessagePageProps, "locale" | "brand"> & {
  title: string;
  frame: CheckoutFrame | undefined;
  /** Added to the class of the message card. */
  className?: string;
  styles?: readonly string[];
  children: Child;
};

/** One narrow card with the operator below it; in a frame only the card. */
export function cardPage({ title, locale, brand, frame, className = "", ...page }: CardPageProps): Page {
  const embedded = frame?.embedded ?? false;
  const body = (
    <main class="page page-narrow">
      <div
        class={`card message${className}`}
        id="message"
        data-slug={frame?.slug ?? false}
        data-parent-origin={frame?.parentOrigin ?? false}
      >
        {page.children}
      </div>
      {!embedded && <HostedBy brand={brand} locale={locale} />}
    </main>
  );
  return layout({
    locale,
    brand,
    title,
    styles: [messageStyles, ...(page.styles ?? []), ...(embedded ? [embeddedStyles] : [])],
    body,
    ...(frame ? { script } : {}),
  });
}
