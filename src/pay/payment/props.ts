import { qrImage } from "../../document/qr.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Calendar from "../../domain/calendar.ts";
import { isTaxed } from "../../domain/link/bill.ts";
import {
  checkoutUrl,
  isExpired,
  isPriceOver,
  type Link,
  type PriceFacts,
  priceEndsAt,
  type Status,
} from "../../domain/link/link.ts";
import type { Counting } from "../../domain/payment/block.ts";
import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Usdc from "../../domain/usdc.ts";
import { paymentUri } from "../../domain/wallet/deposit-address.ts";
import { type WalletLink, walletLinks } from "../../domain/wallet/wallet-links.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { owedBack, soldText } from "../../language/bill.ts";
import { billedOf, type CurrencyText } from "../../language/bill-currency.ts";
import type { Locale } from "../../language/locale.ts";
import { timeLeft } from "../../language/when.ts";
import { instant } from "../../lib/time.ts";
import type { Db } from "../../store/database.ts";
import { sold } from "../../store/reports/receipt.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import * as ReceiptStore from "../../store/tables/invoicing/receipt.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import type * as TransferStore from "../../store/tables/watch/transfer.ts";
import { refundAskHref } from "../refund/refund-ask.tsx";
import { type CrossingProps, crossingProps } from "./crossing-props.ts";
import { lookPath } from "./look.tsx";

/** Maximum payments shown on a page; the rest are only counted. */
const transfersMax = 20;

/** How long the page shows that a signed payment failed. */
const failureShownMs = 3_600_000;

/** The part of an invoice's page that changes with payments. */
export function invoicePaymentProps(deps: HttpDeps, invoice: Invoice.Invoice, locale: Locale): PaymentProps {
  const today = Calendar.dayAt(deps.now(), deps.config.timeZone);
  const { status, dueDate } = invoice;
  return {
    ...paidProps(deps, invoice, Invoice.pageUrl(deps.baseUrl, invoice)),
    refundHref: refundAskHref(invoice.slug, Standing.of(invoice).toRefund),
    locale,
    status,
    dueDate,
    overdue: Invoice.isOverdue(invoice, today),
    expired: false,
    payBy: null,
    price: null,
    receiptUrl: `/api/invoices/${invoice.id}/receipt`,
    receiptNumber: null,
    owedBack: owedBack(invoice, invoice.merchantName, locale),
  };
}

const pageStatus = {
  pending: "sent",
  confirmed: "paid",
  partial: "partial",
  excess: "excess",
  error: "error",
  void: "void",
} as const satisfies Record<Status, PaymentProps["status"]>;

/** The part of a checkout page that changes with payments. */
export function linkPaymentProps(deps: HttpDeps, link: Link, locale: Locale): PaymentProps {
  const now = deps.now();
  return {
    ...paidProps(deps, link, checkoutUrl(deps.baseUrl, link.slug)),
    refundHref: refundAskHref(link.slug, Standing.of(link).toRefund),
    locale,
    status: pageStatus[link.status],
    dueDate: null,
    overdue: false,
    expired: isExpired(link, now),
    payBy: payByOf(link.expiresAt, now, locale),
    price: priceProps(link, now, locale),
    receiptUrl: `/api/links/${link.slug}/receipt`,
    receiptNumber: link.receiptNumber,
    owedBack: null,
  };
}

/** Returns the lines and tax for a link's page; null for a single line without tax, because the description says it. */
export function soldProps(
  db: Db,
  { bill, merchantEmail, currency, receiptNumber, deposit }: Link,
  locale: Locale,
): ReturnType<typeof soldText> | null {
  if (bill === null || (bill.lines.length < 2 && !isTaxed(bill))) return null;
  const issued = receiptNumber === null ? null : ReceiptStore.byDeposit(db, deposit.index);
  const seller = issued?.seller ?? PartyStore.find(db, "merchant", merchantEmail);
  return soldText(
    bill,
    {
      merchantDetails: seller?.details ?? null,
      currency,
      taxInCurrency: issued?.taxInCurrency ?? null,
    },
    locale,
  );
}

/** Returns a link's price in a currency, and how long its amount in USDC holds, for its page. */
export function priceProps(link: PriceFacts, now: number, locale: Locale): PaymentProps["price"] {
  const { billed } = billedOf(link, locale);
  const endsAt = priceEndsAt(link);
  const holds = endsAt === link.expiresAt ? null : payByOf(endsAt, now, locale);
  return billed ? { ...billed, holds, isOver: isPriceOver(link, now) } : null;
}

/** Returns the time until which a link can be paid, for its page. */
export function payByOf(expiresAt: number | null, now: number, locale: Locale): PaymentProps["payBy"] {
  if (expiresAt === null || expiresAt <= now) return null;
  return { at: instant(expiresAt), left: timeLeft(locale, expiresAt - now) };
}

/** Returns a page's address for opening in a wallet's browser; null if the page is not public over https. */
function urlForWallets({ config }: HttpDeps, url: string): string | null {
  return config.isPublic && url.startsWith("https://") ? url : null;
}

/** The properties about money, common to invoices and links. */
function paidProps(deps: HttpDeps, record: Invoice.Invoice | Link, url: string) {
  const { deposit, voidedAt, voidReason, markedPaidAt } = record;
  const { network } = deps.config;
  const { address, pending } = deposit;
  const standing = Standing.of(record);
  const { total, excess } = sold(deps.db, record);
  const { due: remaining } = standing;
  const asked = { usdc: network.usdc, chainId: network.chainId, to: address, amount: remaining };
  const uri = paymentUri(asked);
  const pageUrl = urlForWallets(deps, url);
  const { transfers, others } = DepositTransferStore.listLargest(deps.db, deposit.index, {
    limit: transfersMax,
  });
  // Money that came before the mark is included in what the mark covers.
  const isOwed = ({ confirmed, seenAt }: TransferStore.RecordedTransfer) =>
    voidedAt === null && (markedPaidAt === null || (confirmed && seenAt <= markedPaidAt));
  return {
    voidReason,
    isMarked: standing.isMarked,
    isUnexpected: !transfers.every(isOwed),
    total: Usdc.formatExact(total),
    received: Usdc.formatExact(standing.received),
    remaining: Usdc.formatExact(remaining),
    excess: Usdc.formatExact(excess),
    refunded: standing.refunded === 0n ? null : Usdc.formatExact(standing.refunded),
    isEven: standing.refunded > 0n && standing.toReturn === 0n,
    pending: Usdc.shows(pending) ? Usdc.formatExact(pending) : null,
    ...signingProps(deps, deposit, remaining),
    crossing: crossingProps(deps, deposit.index),
    networkLabel: network.label,
    depositAddress: address,
    usdcAddress: network.usdc,
    chainId: network.chainId,
    leastMicro: (remaining > deposit.tolerance ? remaining - deposit.tolerance : 0n).toString(),
    remainingMicro: remaining.toString(),
    pageUrl,
    paymentUri: uri,
    paymentQr: qrImage(pageUrl ?? uri),
    // Each amount has its own address, because browsers reuse an image from the same address.
    walletCode: pageUrl && `${new URL(url).pathname}/wallet.png?${remaining}`,
    walletLinks: walletLinks(asked, network),
    addressQr: qrImage(address),
    lookPath: deps.config.elsewhereRpcUrls.length > 0 ? lookPath(record.slug) : null,
    explorer: network.explorer,
    transfers: transfers.map((transfer) => ({
      txHash: transfer.txHash,
      from: transfer.payer,
      amount: Usdc.formatExact(transfer.amount),
      counts: deps.countsIn(transfer.blockNumber),
      confirmed: transfer.confirmed,
      madeAt: instant(transfer.madeAt),
    })),
    otherTransfers: others,
    delayed: deps.isDelayed(),
  };
}

/** Returns the outcome of the latest signature, and whether one can be given now. */
function signingProps(
  { db, config, now, relayer }: HttpDeps,
  { index }: Deposit,
  remaining: Usdc.Usdc,
): Pick<PaymentProps, "signed" | "signedFailed" | "canSign"> {
  const relay = RelayStore.onItsWay(db, index);
  const canPay = relayer()?.glance() === null;
  return {
    signed: relay && { amount: Usdc.formatExact(relay.amount), txHash: relay.txHash },
    signedFailed: RelayStore.lastFailed(db, index, now() - failureShownMs),
    canSign: canPay && remaining >= config.relay.min,
  };
}

/** Amounts are USDC decimals (`"1500.00"`, or with six decimals if there is a fraction of a cent). */
export type PaymentProps = {
  locale: Locale;
  /** A payment link's `pending` is `sent` here and its `confirmed` is `paid`. Only links have `error`. */
  status: "draft" | "sent" | "partial" | "paid" | "excess" | "error" | "void";
  /** The merchant's reason for voiding it, in lines; null unless it is void. */
  voidReason: string | null;
  /** Counts as paid because the merchant says so: money alone has not paid all of it. */
  isMarked: boolean;
  /** Money arrived, or is on its way, although it is void or marked as paid. */
  isUnexpected: boolean;
  overdue: boolean;
  /** True if a payment link has expired: no more is asked for. */
  expired: boolean;
  /** The time when it expires, as ISO 8601, and the time left if it is near; null if it never does, or already has. */
  payBy: { at: string; left: string | null } | null;
  /**
   * A link's price in a currency; null for a link in USDC, and for an invoice, whose bill has it. `holds`, like
   * `payBy`: when the amount in USDC ends, if it does. `isOver`: a new amount is yet to be quoted.
   */
  price: (CurrencyText & { holds: PaymentProps["payBy"]; isOver: boolean }) | null;
  /** `YYYY-MM-DD`; null for a payment link. */
  dueDate: string | null;
  /** Less its credit notes. */
  total: string;
  /** Confirmed. */
  received: string;
  /** The total less the confirmed amount; zero if that counts as the whole total. */
  remaining: string;
  /** The amount paid beyond the total and not refunded. */
  excess: string;
  /** The refunded amount; null if there is none. `isEven` if nothing is left to refund. */
  refunded: string | null;
  isEven: boolean;
  /** In words, what the merchant owes because of credit notes; null if nothing. */
  owedBack: string | null;
  /** The page where the payer asks for an overpayment; null if there is nothing to ask for. */
  refundHref: string | null;
  /** Seen, but not counted yet; null if there is none. */
  pending: string | null;
  /** A signed payment that does not show as a transfer yet; null if there is none. */
  signed: { amount: string; txHash: string | null } | null;
  /** The last signed payment failed, and no money has arrived since. */
  signedFailed: boolean;
  /** True if a wallet in the browser may pay by signature. */
  canSign: boolean;
  /** Payments from other networks. */
  crossing: CrossingProps;
  /** This page's address for phone wallets' browsers; null if they cannot reach it. */
  pageUrl: string | null;
  /** The payer's name for it: "Base". */
  networkLabel: string;
  depositAddress: string;
  usdcAddress: string;
  chainId: number;
  /** `remaining` in micro-USDC, a decimal integer. */
  remainingMicro: string;
  /** At least this much, in micro-USDC, counts as all of it; the rest is not asked for. */
  leastMicro: string;
  /** EIP-681, for the remaining amount. */
  paymentUri: string;
  /** The QR code of `pageUrl`, which a camera reads, too, or else of `paymentUri`; as an image's data URL. */
  paymentQr: string;
  /** The path of the QR code of `paymentUri`; null if `paymentQr` is that. */
  walletCode: string | null;
  walletLinks: readonly WalletLink[];
  /** Where a payer who has paid asks Till to look; null where it finds nothing that it would not find by itself. */
  lookPath: string | null;
  /** The QR code of the bare address. */
  addressQr: string;
  /** A block explorer's URL, without a trailing slash. */
  explorer: string | null;
  /** The receipt's PDF, which exists once it is paid. */
  receiptUrl: string;
  /** For a link with tax, once it is paid. */
  receiptNumber: string | null;
  /** The largest ones. */
  transfers: readonly PaymentTransfer[];
  /** Number of transfers not listed. */
  otherTransfers: number;
  /** Payments are currently detected late. */
  delayed: boolean;
};

export type PaymentTransfer = {
  txHash: string;
  amount: string;
  /** The sender's address. */
  from: string;
  counts: Counting;
  confirmed: boolean;
  /** ISO 8601. */
  madeAt: string;
};
