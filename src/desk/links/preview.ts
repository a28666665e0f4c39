import { qrImage } from "../../document/qr.ts";
import * as Currency from "../../domain/bill/currency.ts";
import type { Link } from "../../domain/link/link.ts";
import type { ReusableLink } from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import { htmlPage } from "../../http/answer/html.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale } from "../../language/locale.ts";
import type { Page } from "../../pages/layout.tsx";
import { type BeginPageProps, beginPage, beginPageOf } from "../../pay/begin-page.tsx";
import { checkoutPage } from "../../pay/checkout-page.tsx";
import {
  linkPaymentProps,
  type PaymentProps,
  payByOf,
  priceProps,
  soldProps,
} from "../../pay/payment/props.ts";
import { currencyOf, endOf } from "./body.ts";
import type { TypedLink } from "./fields.ts";

/** Only the desk shows it, and it does not count as opened by a payer. */
const shown = { frameAncestors: "'self'", pictures: true };
const frame = { parentOrigin: null, embedded: true };

const nothing = "0.00";
/** For an amount that is not readable yet. */
const unread = "…";

/** Previews a link's page before it exists, from the readable parts of its form. */
export async function previewOfTyped(deps: HttpDeps, typed: TypedLink, locale: Locale): Promise<Response> {
  const { config, baseUrl, now } = deps;
  const amount = (text: string) => {
    const code = typed.currency || "USDC";
    const parsed = Currency.parseTyped(text, locale.decimalMark, code);
    return parsed === null || parsed > Usdc.max ? unread : Currency.format(parsed, code);
  };
  const { brand, network } = config;
  const shop = {
    ...frame,
    slug: "",
    brand,
    businessName: typed.business_name || unread,
    productDescription: typed.product_description || null,
    reference: typed.reference || null,
  };
  const endsAt = Date.parse(endOf(typed.expires_on, config.timeZone));
  const payBy = payByOf(Number.isNaN(endsAt) ? null : endsAt, now(), locale);
  if (typed.often === "again") {
    const price: BeginPageProps["price"] =
      typed.price === "chosen"
        ? { kind: "chosen", min: amount(typed.amount_min), max: amount(typed.amount_max) }
        : {
            kind: "fixed",
            each: amount(typed.expected_amount),
            quantityMax: /^\d{1,4}$/.test(typed.quantity_max) ? Number(typed.quantity_max) : 1,
          };
    return answer(
      beginPage({
        ...shop,
        locale,
        price,
        currency: typed.currency || null,
        payBy,
        token: "",
        typed: { quantity: "1", amount: "", email: "" },
        asksEmail: config.mailReceipts,
        fault: null,
        notice: null,
      }),
    );
  }
  const priced = typed.currency === "" ? null : await pricedOf(deps, typed, locale);
  const total = priced?.total ?? (typed.currency === "" ? amount(typed.expected_amount) : unread);
  const payment: PaymentProps = {
    locale,
    status: "sent",
    voidReason: null,
    isMarked: false,
    isUnexpected: false,
    overdue: false,
    expired: false,
    payBy,
    price: priced?.price ?? null,
    dueDate: null,
    total,
    received: nothing,
    remaining: total,
    excess: nothing,
    refunded: null,
    isEven: false,
    owedBack: null,
    pending: null,
    signed: null,
    signedFailed: false,
    canSign: false,
    crossing: { networks: [], newest: null },
    pageUrl: null,
    lookPath: null,
    networkLabel: network.label,
    depositAddress: `0x${"0".repeat(40)}`,
    usdcAddress: network.usdc,
    chainId: network.chainId,
    remainingMicro: "0",
    leastMicro: "0",
    paymentUri: "",
    // Nobody must pay it: a wallet that scans it opens Till's start page.
    paymentQr: qrImage(baseUrl),
    walletCode: null,
    walletLinks: [],
    addressQr: qrImage(baseUrl),
    explorer: null,
    receiptUrl: "",
    refundHref: null,
    receiptNumber: null,
    transfers: [],
    otherTransfers: 0,
    delayed: false,
  };
  return answer(
    checkoutPage({
      ...shop,
      statusUrl: "",
      sold: null,
      paymentUrl: "",
      successUrl: null,
      details: null,
      receipt: null,
      payment,
      reusable: null,
    }),
  );
}

/** Returns a price in a currency in USDC at the current rate; null if no rate is available. */
async function pricedOf({ price, now }: HttpDeps, typed: TypedLink, locale: Locale) {
  const { currency: code = "", rate = null } = currencyOf(typed, locale);
  const billed = Currency.parseTyped(typed.expected_amount, locale.decimalMark, code);
  const isSaid = Currency.isCode(code) && (rate === null || Currency.isRate(rate));
  if (!isSaid || billed === null || billed === 0n || billed > Usdc.max) return null;
  const asked = { merchantEmail: typed.merchant_email, billed, currency: { code, rate } };
  // Faults are reported when the link is to be created.
  const priced = await price(asked).catch(() => null);
  if (priced === null) return null;
  const begun = { ...priced, status: "pending", expiresAt: null, deposit: { pending: Usdc.zero } } as const;
  return { total: Usdc.format(priced.total), price: priceProps(begun, now(), locale) };
}

/** A link's current page, live. */
export function previewOfLink(deps: HttpDeps, link: Link, locale: Locale): Response {
  const { slug, businessName, productDescription, reference, successUrl } = link;
  return answer(
    checkoutPage({
      ...frame,
      slug,
      brand: deps.config.brand,
      businessName,
      productDescription,
      reference,
      statusUrl: `/api/payments/status/${slug}`,
      paymentUrl: `/pay/${slug}/payment?lang=${locale.code}`,
      successUrl,
      sold: soldProps(deps.db, link, locale),
      details: null,
      receipt: null,
      payment: linkPaymentProps(deps, link, locale),
      reusable: null,
    }),
  );
}

/** The page that begins a payment of a reusable link. */
export function previewOfReusable(deps: HttpDeps, reusable: ReusableLink, locale: Locale): Response {
  const page = beginPageOf(deps)({
    reusable: { ...reusable, embedOrigins: ["'self'"] },
    frame: { ...frame, slug: reusable.slug },
    locale,
  });
  return page;
}

const answer = (page: Page) => htmlPage(page, shown);
