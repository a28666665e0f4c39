import * as Closing from "../../domain/closing.ts";
import * as Event from "../../domain/event/event.ts";
import * as Outcome from "../../domain/payment/outcome.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Usdc from "../../domain/usdc.ts";
import { transactionUrl } from "../../domain/wallet/network.ts";
import {
  type PaymentLine,
  type PaymentMessageProps,
  type PaymentOccasion,
  paymentMessage,
} from "../../mail/messages/payment-message.tsx";
import type { Message } from "../../mail/smtp/message.ts";
import type { Db } from "../../store/database.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import type { MailDeps } from "./mail-kind.ts";
import { type Owner, owedBackTo, pageOf, shared } from "./owner.ts";

/** A stored mail's occasion; `""` is the first, for which there always is a mail. */
export const occasionOf = (stored: string): PaymentOccasion =>
  occasions.find((occasion) => occasion === stored) ?? "paid";

const occasions = ["partial", "excess", "unexpected", "reversed"] as const;

/** Whether it is still so: by money that counts, not by the merchant's word. */
export function isTrue(owner: Owner, occasion: PaymentOccasion, db: Db): boolean {
  const { deposit, ...closed } = shared(owner);
  const outcome = Outcome.compare(deposit);
  const isClosed = Event.closedAt(closed) !== null;
  if (occasion === "reversed") return !Outcome.isAll(deposit) && TransferStore.anyLost(db, deposit.index);
  if (occasion === "unexpected") return isClosed && outcome !== "none";
  return occasion === "paid"
    ? Closing.isPaidByMoney({ ...closed, ...deposit })
    : !isClosed && outcome === occasion;
}

/** What receipts and notices say about a payment. */
export function paidMessage(
  deps: MailDeps,
  owner: Owner,
  which: Pick<PaymentMessageProps, "kind" | "occasion" | "hasPdf">,
): Pick<Message, "subject" | "text" | "html"> {
  const { deposit, reference, ...closed } = shared(owner);
  const { net, received, due, toReturn } = Standing.of({ deposit, ...closed });
  return paymentMessage({
    ...which,
    ...partiesOf(owner),
    reference,
    total: Usdc.formatExact(net),
    received: Usdc.formatExact(received),
    remaining: Usdc.formatExact(due),
    excess: toReturn === 0n ? null : Usdc.formatExact(toReturn),
    owedBack: owner.kind === "invoice" ? owedBackTo(owner.invoice, deps.language) : null,
    ...paymentsOf(deps, deposit.index),
    network: deps.network,
    url: pageOf(deps.baseUrl, owner),
    brand: deps.brand,
    language: deps.language,
  });
}

function partiesOf(owner: Owner): Pick<PaymentMessageProps, "about" | "merchantName" | "merchantEmail"> {
  if (owner.kind === "invoice") {
    const { number, vendorName, vendorEmail, merchantName, merchantEmail } = owner.invoice;
    return { about: { kind: "invoice", number, vendorName, vendorEmail }, merchantName, merchantEmail };
  }
  const { slug, productDescription, payerEmail, businessName, merchantEmail } = owner.link;
  const about = { kind: "link", slug, productDescription, payerEmail } as const;
  return { about, merchantName: businessName, merchantEmail };
}

/** Payments listed in a mail; the rest are only counted. */
const shownMax = 20;

/** The payments that count at a deposit, largest first. */
function paymentsOf(
  { db, network }: MailDeps,
  depositIndex: number,
): { payments: PaymentLine[]; otherPayments: number } {
  const shown = { limit: shownMax, confirmedOnly: true };
  const { transfers, others } = TransferStore.listLargest(db, depositIndex, shown);
  const payments = transfers.map(({ amount, madeAt, txHash }) => ({
    amount: Usdc.formatExact(amount),
    madeAt,
    txHash,
    url: transactionUrl(network.explorer, txHash),
  }));
  return { payments, otherPayments: others };
}
