import type { Link } from "../domain/link/link.ts";
import * as Reusable from "../domain/link/reusable-link.ts";
import * as Usdc from "../domain/usdc.ts";
import { htmlPage } from "../http/answer/html.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Locale } from "../language/locale.ts";
import { newSlug } from "../lib/crypto.ts";
import type { CheckoutFrame } from "../pages/layout.tsx";
import { messagePage } from "../pages/message-page.tsx";
import { type BeginPageProps, beginPage } from "./begin-page.tsx";
import { payByOf } from "./payment-props.ts";

type BeginAnswer = {
  reusable: Reusable.ReusableLink;
  frame: CheckoutFrame;
  locale: Locale;
  /** The reply to a submitted form. */
  answer?: Pick<BeginPageProps, "token" | "typed" | "fault" | "notice"> & {
    status: 422 | 429;
    headers: Record<string, string>;
  };
};

const untouched = {
  status: 200,
  headers: {},
  typed: { quantity: "1", amount: "", email: "" },
  fault: null,
  notice: null,
};

/** The page that begins a payment of a reusable link. Looking at it writes nothing. */
export function beginPageOf({ config, now }: Pick<HttpDeps, "config" | "now">) {
  const { brand } = config;
  return ({ reusable, frame, locale, answer }: BeginAnswer): Response => {
    const frameAncestors = reusable.embedOrigins.join(" ") || "*";
    if (Reusable.status(reusable, now()) === "closed") {
      const page = messagePage({ message: "linkClosed", note: reusable.voidReason, locale, brand, frame });
      return htmlPage(page, { status: 410, frameAncestors });
    }
    const { businessName, productDescription, reference, price } = reusable;
    const { status, headers, ...rest } = answer ?? { ...untouched, token: newSlug() };
    const page = beginPage({
      ...frame,
      ...rest,
      brand,
      locale,
      businessName,
      productDescription,
      reference,
      price: priceProps(price),
      payBy: payByOf(reusable.expiresAt, now(), locale),
      asksEmail: config.mailReceipts,
    });
    return htmlPage(page, {
      status,
      frameAncestors,
      formAction: "'self'",
      // Going back shows the same form, whose token leads to the same payment.
      headers: { "cache-control": "private, no-cache", ...headers },
    });
  };
}

function priceProps(price: Reusable.Price): BeginPageProps["price"] {
  return price.kind === "fixed"
    ? { ...price, each: Usdc.format(price.each) }
    : { ...price, min: Usdc.format(price.min), max: Usdc.format(price.max) };
}

/** What a payment's page needs of its reusable link. `#new` tells its script not to return to this payment. */
export function reusableOf({ reusableSlug: slug, quantity }: Link, query: string) {
  return slug === null ? null : { slug, quantity, href: `/pay/${slug}${query}#new` };
}
