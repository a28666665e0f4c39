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
import { prolink } from "../../domain/wallet/prolink.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { owedBack, soldText } from "../../language/bill.ts";
import { billedOf, type CurrencyText } from "../../language/bill-currency.ts";
import type { Locale } from "../../language/locale.ts";
import { timeLeft } from "../../language/when.ts";
import { instant } from "../../lib/time.ts";
import type { Db } from "../../store/database.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import * as ReceiptStore from "../../store/tables/invoicing/receipt.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import type * as TransferStore from "../../store/tables/watch/transfer.ts";

import { refundAskHref } from "../refund/refund-ask.tsx";

/** Payments shown on a page; the rest are only counted. */
const transfersMax = 20;

/** How long the page reports that a signed payment failed. */
const failureShownMs = 3_600_000;

/** The part of an invoice's page that changes with payments. */
export function invoicePaymentProps(deps: HttpDeps, invoice: Invoice.Invoice, locale: Locale): PaymentProps {
  const today = Calendar.dayAt(deps.now(), deps.config.timeZone);
  const { status, dueDate } = invoice;
  return {
    ...paidProps(deps, invoice),
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
    pageUrl: urlForWallets(deps, Invoice.pageUrl(deps.baseUrl, invoice)),
    owedBack: owedBack(invoice, invoice.merchantName, locale),
    coinbase: null,
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
    ...paidProps(deps, link),
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
    pageUrl: urlForWallets(deps, checkoutUrl(deps.baseUrl, link.slug)),
    owedBack: null,
    coinbase: coinbaseOf(deps, link),
  };
}

/** What its page says of lines and tax: nothing of a single line without tax, which the description says. */
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

/** The ways to Coinbase Wallet, which reads no EIP-681; null on a local chain. Its code is a picture of its own. */
function coinbaseOf({ config }: Pick<HttpDeps, "config">, link: Link): PaymentProps["coinbase"] {
  const href = prolinkOf(config, link);
  // Each amount has an address of its own: a browser shows again what it has had from the same one.
  const code = `/pay/${link.slug}/coinbase.png?${Standing.of(link).due}`;
  return href === null ? null : { href, code };
}

/** What opens Coinbase Wallet with all that is due filled in; null on a local chain. */
export function prolinkOf({ network }: Pick<HttpDeps["config"], "network">, link: Link): string | null {
  const { due } = Standing.of(link);
  const { usdc, chainId } = network;
  return due === 0n ? null : prolink({ usdc, chainId, to: link.deposit.address, amount: due }, network);
}

/** The price of a link in a currency, and how long its amount in USDC holds, as its page says it. */
export function priceProps(link: PriceFacts, now: number, locale: Locale): PaymentProps["price"] {
  const { billed } = billedOf(link, locale);
  const endsAt = priceEndsAt(link);
  const holds = endsAt === link.expiresAt ? null : payByOf(endsAt, now, locale);
  return billed ? { ...billed, holds, isOver: isPriceOver(link, now) } : null;
}

/** Until when a link can be paid, as its page says it. */
export function payByOf(expiresAt: number | null, now: number, locale: Locale): PaymentProps["payBy"] {
  if (expiresAt === null || expiresAt <= now) return null;
  return { at: instant(expiresAt), left: timeLeft(locale, expiresAt - now) };
}

/** A page's address for opening in a wallet's browser. */
function urlForWallets({ config }: HttpDeps, url: string): string | null {
  return config.isPublic && url.startsWith("https://") ? url : null;
}

/** What both say of the money. */
function paidProps(deps: HttpDeps, record: Invoice.Invoice | Link) {
  const { deposit, voidedAt, voidReason, markedPaidAt } = record;
  const { network } = deps.config;
  const { address, pending } = deposit;
  const standing = Standing.of(record);
  const { due: remaining } = standing;
  const asked = { usdc: network.usdc, chainId: network.chainId, to: address, amount: remaining };
  const uri = paymentUri(asked);
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
    total: Usdc.formatExact(deposit.net),
    received: Usdc.formatExact(standing.received),
    remaining: Usdc.formatExact(remaining),
    excess: Usdc.formatExact(standing.toReturn),
    refunded: standing.refunded === 0n ? null : Usdc.formatExact(standing.refunded),
    isEven: standing.refunded > 0n && standing.toReturn === 0n,
    pending: Usdc.shows(pending) ? Usdc.formatExact(pending) : null,
    ...signingProps(deps, deposit, remaining),
    networkLabel: network.label,
    depositAddress: address,
    usdcAddress: network.usdc,
    chainId: network.chainId,
    leastMicro: (remaining > deposit.tolerance ? remaining - deposit.tolerance : 0n).toString(),
    remainingMicro: remaining.toString(),
    paymentUri: uri,
    paymentQr: qrImage(uri),
    addressQr: qrImage(address),
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

/** The outcome of the latest signature, and whether one can be given now. */
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

/** Amounts are USDC decimals (`"1500.00"`, or with six decimals when there is a fraction of a cent). */
export type PaymentProps = {
  locale: Locale;
  /** A payment link's `pending` is `sent` here and its `confirmed` is `paid`. Only links know `error`. */
  status: "draft" | "sent" | "partial" | "paid" | "excess" | "error" | "void";
  /** Why it is void, in lines of the merchant's; null unless it is. */
  voidReason: string | null;
  /** It counts as paid because the merchant says so: money alone has not paid all of it. */
  isMarked: boolean;
  /** Money came, or is on its way, although it is void or marked as paid. */
  isUnexpected: boolean;
  overdue: boolean;
  /** Whether a payment link's time is over: no more is asked for. */
  expired: boolean;
  /** When that will be, as ISO 8601, and how far away that is if it is near; null for never, or when it has been. */
  payBy: { at: string; left: string | null } | null;
  /**
   * The price of a link in a currency; null of one in USDC, and for an invoice, whose bill says it. `holds`, as `payBy`: until
   * when the amount in USDC does, if that ends. `isOver`: a new amount is yet to be quoted.
   */
  price: (CurrencyText & { holds: PaymentProps["payBy"]; isOver: boolean }) | null;
  /** `YYYY-MM-DD`; null for a payment link. */
  dueDate: string | null;
  /** With its credit notes. */
  total: string;
  /** Confirmed. */
  received: string;
  /** Total less what is confirmed; zero when that counts as all of it. */
  remaining: string;
  /** What was paid beyond the total and is not given back. */
  excess: string;
  /** What was given back; null when nothing was, and `isEven` when nothing is left to be. */
  refunded: string | null;
  isEven: boolean;
  /** What the merchant owes because of credit notes, in words; null when that is nothing. */
  owedBack: string | null;
  /** Where the payer asks for what was paid too much; null when there is nothing to ask for. */
  refundHref: string | null;
  /** What has been seen and does not count yet; null when there is none. */
  pending: string | null;
  /** What somebody has signed and what does not show as a transfer yet; null when there is none. */
  signed: { amount: string; txHash: string | null } | null;
  /** The last payment that was signed failed, and no money has come since. */
  signedFailed: boolean;
  /** Whether a wallet in the browser may pay by a signature. */
  canSign: boolean;
  /** Where the browsers of phones' wallets reach this page; null when they cannot. */
  pageUrl: string | null;
  /** As a payer knows it: "Base". */
  networkLabel: string;
  depositAddress: string;
  usdcAddress: string;
  chainId: number;
  /** `remaining` in micro-USDC, a decimal integer. */
  remainingMicro: string;
  /** With so much of that, in micro-USDC, the rest is not asked for. */
  leastMicro: string;
  /** EIP-681, for what remains. */
  paymentUri: string;
  /** The QR code of `paymentUri`, as an image's data URL. */
  paymentQr: string;
  /** What opens Coinbase Wallet with all of it filled in, and where that is as a code; null of an invoice, too. */
  coinbase: { href: string; code: string } | null;
  /** The QR code of the bare address. */
  addressQr: string;
  /** A block explorer's URL without a trailing slash. */
  explorer: string | null;
  /** The PDF of the receipt: there is one once it is paid. */
  receiptUrl: string;
  /** Of a link with tax, once it is paid. */
  receiptNumber: string | null;
  /** The largest ones. */
  transfers: readonly PaymentTransfer[];
  /** How many there are besides. */
  otherTransfers: number;
  /** Payments are detected late just now. */
  delayed: boolean;
};

export type PaymentTransfer = {
  txHash: string;
  amount: string;
  /** The address that sent it. */
  from: string;
  counts: Counting;
  confirmed: boolean;
  /** ISO 8601. */
  madeAt: string;
};
