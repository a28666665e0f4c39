import { qrPath } from "../../document/qr.ts";
import type * as Currency from "../../domain/bill/currency.ts";
import * as RateSource from "../../domain/bill/rate/source.ts";
import * as Tax from "../../domain/bill/tax.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Keypad from "../../domain/link/keypad.ts";
import { checkoutUrl, type Link } from "../../domain/link/link.ts";
import * as Email from "../../domain/party/email.ts";
import * as Usdc from "../../domain/usdc.ts";
import { paymentUri } from "../../domain/wallet/deposit-address.ts";
import { prolink } from "../../domain/wallet/prolink.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { noteReceiptAddress } from "../../invoicing/links/links.ts";
import { within } from "../../lib/loop.ts";
import { crossingCovers } from "../../pay/payment/crossing.tsx";
import { linkPaymentProps } from "../../pay/payment/props.ts";
import { countingOf, phaseOf } from "../../pay/payment/state.ts";
import type { Db } from "../../store/database.ts";
import * as CounterReport from "../../store/reports/desk/counter.ts";
import * as LinkList from "../../store/reports/desk/link-list.ts";
import { isOnItsWay } from "../../store/reports/on-its-way.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import type { Gate } from "../gate.ts";
import { percentOf } from "../invoices/form/body.ts";
import { afterWallet } from "../money/first-wallet.tsx";
import { formKey, newOnce } from "../parts/form/form-key.ts";
import type { Visit } from "../parts/page/visit.ts";
import { profileOf } from "../shop/profile-form.ts";
import { keypadPage, nobodyPage, whatLengthMax } from "./keypad-page.tsx";
import { salePage } from "./sale-page.tsx";

/** Currencies that exchanges quote a rate for. */
const counterCodes: readonly Currency.Code[] = ["EUR", "USD"];

const faultTexts = {
  what: "counterWhatFault",
  amount: "counterNothing",
  rate: "noRateNow",
  tax_rate: "faultTaxRate",
} as const;

/** Today's payments to list beside the keypad; the sum counts all. */
const salesMax = 30;

const dayMs = 86_400_000;

/** A customer waits for the keypad, which works without the rate. */
const rateMsMax = 500;

const taxLengthMax = 8;

/** The screen customers pay at: type an amount, and its link's code is shown until it is paid. */
export function counterRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config, baseUrl } = deps;

  /** Currencies that Till fetches a rate for. */
  const currencies = () =>
    counterCodes.filter((code) => config.rates.some((source) => RateSource.urlOf(source, code) !== null));

  /** Returns the price of 1 USDC; null for USDC, and if no rate is available. */
  async function rateOf(code: Currency.Code | "", email: string): Promise<Currency.Rate | null> {
    if (code === "") return null;
    const priceRequest = {
      merchantEmail: email,
      billed: Keypad.amountOf("100"),
      currency: { code, rate: null },
    };
    const priced = await within(
      deps.price(priceRequest).catch(() => null),
      rateMsMax,
    );
    return priced?.currency?.rate ?? null;
  }

  async function keypad(
    { frame, now }: Visit,
    form: URLSearchParams,
    fault: keyof typeof faultTexts | null,
  ): Promise<string> {
    const { locale } = frame;
    const { name, email } = profileOf(db);
    if (name === null || email === null) return nobodyPage({ frame });
    const since = Calendar.startOf(Calendar.dayAt(now, config.timeZone), config.timeZone);
    const wanted = form.get("currency") ?? LinkList.newestCurrency(db, "counter");
    const currency = currencies().find((code) => code === wanted) ?? "";
    // Digits in a currency that is no longer available are dropped.
    const isGone = currency === "" && (wanted ?? "") !== "";
    const { newest, received } = CounterReport.dayAtCounter(db, { since, limit: salesMax });
    return keypadPage({
      frame,
      now,
      digits: isGone ? "" : Keypad.press(Keypad.digitsOf(form.get("digits") ?? ""), form.get("key") ?? ""),
      currency,
      currencies: currencies(),
      rate: await rateOf(currency, email),
      taxRate: (form.get("tax_rate") ?? LinkList.newestTaxRate(db, locale.decimalMark)).slice(
        0,
        taxLengthMax,
      ),
      what: (form.get("what") ?? "").slice(0, whatLengthMax),
      once: form.get("once") || newOnce(),
      fault:
        fault === null
          ? null
          : { field: fault === "rate" ? "amount" : fault, message: locale.say(faultTexts[fault]) },
      sales: newest,
      received,
      late: CounterReport.paidThoughCancelled(db, { since: since - dayMs }),
    });
  }

  /** Returns the counter's link with that slug; null for any other. */
  function find(visit: Visit): Link | null {
    const link = LinkStore.bySlug(db, visit.params["slug"] ?? "");
    return link && ReceivableStore.briefAt(db, link.deposit.index).atCounter ? link : null;
  }

  function sale(
    { frame }: Visit,
    link: Link,
    refused: { typedEmail: string; faults: { field: string; message: string }[] } | null = null,
  ): string {
    const { locale } = frame;
    const payment = linkPaymentProps(deps, link, locale);
    const { pending, address } = link.deposit;
    const remaining = Usdc.fromMicro(BigInt(payment.remainingMicro));
    // A signature is for all that was due.
    const covers =
      payment.signed !== null || crossingCovers(payment) || pending >= BigInt(payment.leastMicro);
    const toPay = covers ? Usdc.zero : Usdc.remaining(remaining, pending);
    const { usdc, chainId } = config.network;
    const transfer = { usdc, chainId, to: address, amount: toPay };
    const coinbase = prolink(transfer, config.network);
    const counting = countingOf(payment);
    return salePage({
      frame,
      slug: link.slug,
      what: link.productDescription,
      phase: phaseOf(payment),
      payment,
      toPay: Usdc.formatExact(toPay),
      codes: {
        wallet: qrPath(paymentUri(transfer)),
        coinbase: coinbase === null ? null : qrPath(coinbase),
        camera: qrPath(checkoutUrl(baseUrl, link.slug)),
      },
      confirming: counting && locale.confirmedIn(counting.inMs),
      canCancel: isUntouched(db, link),
      canMail: config.mailReceipts && link.voidedAt === null,
      typedEmail: "",
      faults: [],
      ...refused,
    });
  }

  gate.page(
    "/desk/counter",
    "issue",
    afterWallet(deps, (visit) => keypad(visit, visit.query, null)),
  );
  gate.action("/desk/counter", "issue", "counter.charge", async (visit, form) => {
    const { name, email, payoutWallet } = profileOf(db);
    const what = (form.get("what") ?? "").trim();
    const digits = Keypad.digitsOf(form.get("digits") ?? "");
    // The currency that the keypad showed, whichever rates Till knows by now.
    const currency = form.get("currency") ?? "";
    const amount = Keypad.decimalOf(digits);
    const taxRate = (form.get("tax_rate") ?? "").trim();
    const share = percentOf(taxRate, visit.frame.locale.decimalMark);
    if (digits === "" || name === null || email === null) return keypad(visit, form, "amount");
    const body = {
      business_name: name,
      merchant_email: email,
      ...(currency === "" ? { expected_amount: amount } : { currency, amount }),
      product_description: what,
      ...(taxRate === "" || Tax.parseShare(share) === 0 ? {} : { tax_rate: share }),
      ...(payoutWallet === null
        ? { wallet_type: "managed" }
        : { wallet_type: "byo", wallet_address: payoutWallet }),
    };
    if (taxRate !== "" && Tax.parseShare(share) === null) return keypad(visit, form, "tax_rate");
    if (what.length > whatLengthMax) return keypad(visit, form, "what");
    if (currency !== "" && !currencies().includes(currency)) return keypad(visit, form, "rate");
    let once = form.get("once") ?? "";
    for (;;) {
      const sold = await deps.links.make(body, { key: formKey(once, body), atCounter: true });
      if (!sold.ok && sold.refusal.kind === "rate_unavailable") return keypad(visit, form, "rate");
      if (!sold.ok || sold.value.kind !== "once") return keypad(visit, form, "what");
      const { link } = sold.value;
      if (isUntouched(db, link))
        return { kind: "done", to: `/desk/counter/${link.slug}`, subject: link.slug };
      // Somebody went back to an old page: its link was paid or cancelled, and the next customer owes the same amount.
      once = link.slug;
    }
  });
  gate.page("/desk/counter/:slug", "issue", async (visit) => {
    const before = find(visit);
    await (before && deps.links.quote(before));
    const link = find(visit);
    return link && sale(visit, link);
  });

  // Whoever charges may cancel until money arrives; other links can only be cancelled by owners.
  gate.action("/desk/counter/:slug/cancel", "issue", "counter.cancel", async (visit) => {
    const link = find(visit);
    if (!link) return null;
    if (link.voidedAt === null && !isUntouched(db, link)) return sale(visit, link);
    const reason = visit.frame.locale.say("counterVoidReason");
    const cancelled = await deps.links.void({ kind: "once", link }, { reason }, { key: null });
    if (!cancelled.ok) return sale(visit, find(visit) ?? link);
    return { kind: "done", to: "/desk/counter", did: "didCancelSale" };
  });
  gate.action("/desk/counter/:slug/receipt", "issue", "counter.receipt", async (visit, form) => {
    const link = find(visit);
    if (!link || !config.mailReceipts) return null;
    const typedEmail = form.get("email")?.trim() ?? "";
    const email = Email.parse(typedEmail);
    if (!email.ok) {
      const faults = [{ field: "email", message: visit.frame.locale.say("counterReceiptFault") }];
      return sale(visit, link, { typedEmail, faults });
    }
    const { slug } = link;
    const became = await noteReceiptAddress(db, { slug, email: email.email, now: visit.now });
    if (became === "unknown") return null;
    deps.onMailDue();
    const did = became === "sent" ? "didFindReceiptSent" : "didSendReceipt";
    return { kind: "done", to: `/desk/counter/${slug}`, did };
  });
}

/** True if no money has arrived, and none is on its way. */
const isUntouched = (db: Db, { deposit, voidedAt, markedPaidAt }: Link) =>
  !Usdc.shows(Usdc.sum([deposit.received, deposit.pending])) &&
  !isOnItsWay(db, deposit.index) &&
  voidedAt === null &&
  markedPaidAt === null;
