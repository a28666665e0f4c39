import beginStyles from "../../assets/styles/begin.css" with { type: "text" };
import checkoutStyles from "../../assets/styles/checkout.css" with { type: "text" };
import hostedStyles from "../../assets/styles/hosted.css" with { type: "text" };
import paymentStyles from "../../assets/styles/payment.css" with { type: "text" };
import * as Currency from "../domain/bill/currency.ts";
import type { Link } from "../domain/link/link.ts";
import * as Reusable from "../domain/link/reusable-link.ts";
import type * as Usdc from "../domain/usdc.ts";
import { htmlPage } from "../http/answer/html.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import type { Locale } from "../language/locale.ts";
import { newSlug } from "../lib/crypto.ts";
import type { Markup } from "../lib/jsx/jsx-runtime.ts";
import { Notice } from "../pages/icons.tsx";
import type { CheckoutFrame, Page } from "../pages/layout.tsx";
import { messagePage } from "../pages/message-page.tsx";
import { scripts } from "../pages/scripts.ts";
import { PriceFacts } from "./for-programs.tsx";
import { Figure, PayBy } from "./payment/progress.tsx";
import { type PaymentProps, payByOf } from "./payment/props.ts";
import { type ShopProps, shopPage } from "./shop-page.tsx";

const script = scripts.begin;

type Props = { props: BeginPageProps };

/** A reusable link's page: its price, and the form that begins a payment; without a script it shows no total. */
export function beginPage(props: BeginPageProps): Page {
  const { locale, price } = props;
  const title = locale.say("payTo", { merchant: props.businessName });
  return shopPage({
    props,
    locale,
    title: props.fault ? `${props.fault.sentence} · ${title}` : title,
    attributes: {
      id: "begin",
      "data-slug": props.slug,
      "data-parent-origin": props.parentOrigin ?? false,
      "data-language": locale.code,
    },
    styles: [paymentStyles, hostedStyles, checkoutStyles, beginStyles],
    script,
    isLive: false,
    head: !props.embedded && <PriceFacts props={props} />,
    children: (
      <form class="payment begin" method="post" novalidate>
        {props.notice !== null && <Notice isAlert>{props.notice}</Notice>}
        <div class="choice">
          {price.kind === "fixed" && <Pieces props={props} price={price} />}
          {price.kind === "chosen" && <Sum props={props} price={price} />}
          {props.asksEmail && <Email props={props} />}
          {props.currency !== null && <p class="due">{locale.say("quotedThen")}</p>}
          {props.payBy !== null && <PayBy locale={locale} payBy={props.payBy} />}
          <input type="hidden" name="token" value={props.token} autocomplete="off" />
          <button class="button" type="submit">
            {locale.say("continueToPayment")}
          </button>
        </div>
      </form>
    ),
  });
}

type Fixed = Extract<BeginPageProps["price"], { kind: "fixed" }>;
type Chosen = Extract<BeginPageProps["price"], { kind: "chosen" }>;

/** The script shows the total: without one, it would be for the wrong quantity. */
function Pieces({ props, price }: Props & { price: Fixed }) {
  const { locale, typed } = props;
  const isOne = price.quantityMax === 1;
  return (
    <>
      <div>
        <p class="figure-label">{locale.say(isOne ? "amountDue" : "unitPrice")}</p>
        <Figure value={price.each} locale={locale} unit={props.currency ?? "USDC"} />
      </div>
      {!isOne && (
        <>
          <Field props={props} field="quantity" label={locale.say("quantity")} hint="">
            <input
              type="number"
              inputmode="numeric"
              min="1"
              max={String(price.quantityMax)}
              step="1"
              required
              value={typed.quantity}
              {...named(props, "quantity")}
            />
          </Field>
          <p class="sum" id="sum" data-each={price.each} data-unit={props.currency ?? "USDC"} hidden>
            <span>{locale.say("total")}</span>
            <output for="quantity" class="amount" id="total" />
          </p>
        </>
      )}
    </>
  );
}

function Sum({ props, price }: Props & { price: Chosen }) {
  const { locale, typed } = props;
  const unit = props.currency ?? "USDC";
  const bounds = locale
    .say("amountBounds", { min: locale.figure(price.min), max: locale.figure(price.max) })
    .replace("USDC", unit);
  return (
    <Field props={props} field="amount" label={locale.amountIn(unit)} hint={bounds}>
      <input
        type="text"
        inputmode="decimal"
        dir="ltr"
        autocomplete="off"
        maxlength="40"
        required
        value={typed.amount}
        {...named(props, "amount")}
      />
    </Field>
  );
}

function Email({ props }: Props) {
  return (
    <Field props={props} field="email" label={props.locale.say("receiptEmail")} hint="">
      <input
        type="email"
        inputmode="email"
        dir="ltr"
        autocomplete="email"
        maxlength="254"
        value={props.typed.email}
        {...named(props, "email")}
      />
    </Field>
  );
}

type FieldProps = Props & { field: BeginField; label: string; hint: string; children: Markup };

/** A field with its label, hint and fault. */
function Field({ props: { fault }, field, label, hint, children }: FieldProps) {
  return (
    <div class="field">
      <label for={field}>{label}</label>
      {children}
      {hint !== "" && (
        <p class="soft" id={`${field}-hint`}>
          {hint}
        </p>
      )}
      {fault?.field === field && (
        <p class="fault" id={`${field}-fault`} role="alert">
          {fault.sentence}
        </p>
      )}
    </div>
  );
}

/** Attributes that connect an input with its label, hint and fault. */
function named({ fault }: BeginPageProps, field: BeginField) {
  const isFaulty = fault?.field === field;
  return {
    id: field,
    name: field,
    ...(field === "amount" && !isFaulty ? { "aria-describedby": "amount-hint" } : {}),
    ...(isFaulty ? { "aria-describedby": `${field}-fault`, "aria-invalid": "true", autofocus: true } : {}),
  };
}

/** Amounts are decimals (`"25.00"`). */
export type BeginPageProps = ShopProps & {
  locale: Locale;
  /** The currency of the amounts; null for USDC. */
  currency: string | null;
  price: { kind: "fixed"; each: string; quantityMax: number } | { kind: "chosen"; min: string; max: string };
  /** The time until which a payment can be begun. */
  payBy: PaymentProps["payBy"];
  /** Makes a form that is sent twice one payment. */
  token: string;
  /** The payer's previous input. */
  typed: { quantity: string; amount: string; email: string };
  /** True if a receipt can be mailed. */
  asksEmail: boolean;
  /** The invalid field, and the reason as a sentence. */
  fault: { field: BeginField; sentence: string } | null;
  /** The reason why no payment can be begun now, as a sentence. */
  notice: string | null;
};

type BeginField = "quantity" | "amount" | "email";

type BeginAnswer = {
  reusable: Reusable.ReusableLink;
  frame: CheckoutFrame;
  locale: Locale;
  /** Set in the reply to a submitted form. */
  answer?: Pick<BeginPageProps, "token" | "typed" | "fault" | "notice"> & {
    status: 422 | 429 | 503;
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

/** The page that begins a payment of a reusable link. Viewing it writes nothing. */
export function beginPageOf({ config, now }: Pick<HttpDeps, "config" | "now">) {
  return ({ reusable, frame, locale, answer }: BeginAnswer): Response => {
    const frameAncestors = reusable.embedOrigins.join(" ") || "*";
    if (Reusable.status(reusable, now()) === "closed") {
      const page = messagePage({
        message: "linkClosed",
        note: reusable.voidReason,
        locale,
        brand: config.brand,
        frame,
      });
      return htmlPage(page, { status: 410, frameAncestors });
    }
    const { status, headers, ...rest } = answer ?? { ...untouched, token: newSlug() };
    const page = beginPage({
      ...reusable,
      ...frame,
      ...rest,
      brand: config.brand,
      locale,
      price: priceProps(reusable),
      currency: reusable.currency?.code ?? null,
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

function priceProps(reusable: Reusable.ReusableLink): BeginPageProps["price"] {
  const { price } = reusable;
  const text = (amount: Usdc.Billed) => Currency.formatOf(reusable, amount);
  return price.kind === "fixed"
    ? { ...price, each: text(price.each) }
    : { ...price, min: text(price.min), max: text(price.max) };
}

/** Returns the facts about the reusable link for a payment's page. `#new` tells its script not to return here. */
export function reusableOf({ reusableSlug: slug, quantity }: Link, query: string) {
  return slug === null ? null : { slug, quantity, href: `/pay/${slug}${query}#new` };
}
