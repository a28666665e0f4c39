import * as Invoice from "../../domain/bill/invoice.ts";
import { isPaid, type Status } from "../../domain/bill/invoice.ts";
import type { Link } from "../../domain/link/link.ts";
import * as Balance from "../../domain/payment/standing.ts";
import type { Closure } from "../../domain/receivable/common.ts";
import { faces } from "../../domain/receivable/faces.ts";
import type { Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { refundStart, listPath as refundsPath } from "../money/refunds/parts.ts";
import { Figure } from "../parts/amount.tsx";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import type { StateName } from "../parts/state.tsx";

type Shown = Pick<Invoice.Invoice, "status" | "deposit" | "total" | "sentAt" | keyof Closure>;

const linkStatus = {
  pending: "sent",
  error: "sent",
  partial: "partial",
  confirmed: "paid",
  excess: "excess",
  void: "void",
} as const satisfies Record<Link["status"], Invoice.Status>;

/** Treats a link like an invoice that has been sent, because links are not mailed. */
function shownOf(receivable: Receivable): Shown {
  if (receivable.kind === "invoice") return receivable;
  const { status, deposit, createdAt } = receivable;
  return { ...receivable, status: linkStatus[status], total: deposit.net, sentAt: createdAt };
}

type Props = { frame: DeskFrame; invoice: Shown; receivable: Receivable };

/** The amounts received and remaining. */
export function Standing({ frame, receivable }: Omit<Props, "invoice">) {
  const invoice = shownOf(receivable);
  const props = { frame, receivable, invoice };
  const { locale } = frame;
  const { deposit } = invoice;
  const { net } = Balance.of(invoice);
  const { label, amount } = figureOf(invoice, locale);
  const isShown = Usdc.shows(deposit.received) || Usdc.shows(deposit.pending);
  return (
    <section class="standing" id="standing" data-live aria-label={locale.say("standing")}>
      <div>
        <h2 class="label">{label}</h2>
        <p class="figure">
          <Figure locale={locale} amount={amount} />
        </p>
      </div>
      {isShown && <Progress {...props} />}
      {isShown && deposit.received !== net && (
        <p class="standing-line soft">
          <span>
            {locale.say("receivedOf", {
              received: figure(locale, deposit.received),
              total: figure(locale, net),
            })}
          </span>
          {Usdc.shows(deposit.pending) && (
            <span>{locale.say("restIsComing", { amount: figure(locale, deposit.pending) })}</span>
          )}
        </p>
      )}
      <Remark {...props} />
    </section>
  );
}

const figure = (locale: Locale, amount: Usdc.Usdc) => locale.figure(Usdc.formatExact(amount));

function figureOf(invoice: Shown, locale: Locale) {
  const { status, total } = invoice;
  const { net, received, due, toReturn, isMarked } = Balance.of(invoice);
  if (status === "void") return { label: locale.say("standingVoid"), amount: total };
  if (isMarked) return { label: locale.say("standingElsewhere"), amount: Usdc.sum([net, toReturn]) };
  if (isPaid(status)) return { label: locale.say("standingReceived"), amount: received };
  return { label: locale.say(Usdc.shows(received) ? "stillToPay" : "amountDue"), amount: due };
}

/** A bar of the confirmed amount, with the pending one striped beside it. */
function Progress({ frame: { locale }, invoice }: Props) {
  const { deposit } = invoice;
  const { net: total } = Balance.of(invoice);
  const share = (amount: bigint) => Math.min(100, Number((amount * 1_000n) / (total || 1n)) / 10);
  const got = share(deposit.received);
  const coming = Math.min(100 - got, share(deposit.pending));
  const description = locale.say("receivedOf", {
    received: figure(locale, deposit.received),
    total: figure(locale, total),
  });
  return (
    <svg class="progress" width="100%" height="8" role="img" aria-label={description}>
      <defs>
        <pattern id="coming" width="6" height="8" patternUnits="userSpaceOnUse" patternTransform="skewX(-35)">
          <path class="stripe" d="M1.5 0v8" />
        </pattern>
      </defs>
      <rect fill="url(#coming)" x={`${got}%`} width={`${coming}%`} height="8" />
      <rect class="got" width={`${got}%`} height="8" />
    </svg>
  );
}

function Remark({ frame, invoice, receivable }: Props) {
  const { locale, when } = frame;
  const { status, deposit, markedPaidAt, voidReason, sentAt } = invoice;
  const { net, received, toReturn, paidCredit, isMarked, ...sums } = Balance.of(invoice);
  const { toRefund, refunded, refundable } = sums;
  const start = mayHere(frame, "issue") && (
    <a class="reach" href={refundStart(receivable)}>
      {locale.say("refundStart")}
    </a>
  );
  const remark = remarkOf();
  const back = toReturn > 0n && (status === "excess" && paidCredit === 0n ? "isTooMuch" : "isToReturn");
  return (
    <>
      {back && (
        <p class="notice">
          <span>
            {locale.say(back, { amount: figure(locale, toReturn) })}{" "}
            {toRefund > 0n ? (
              start
            ) : (
              <a class="reach" href={refundsPath}>
                {locale.say("showRefunds")}
              </a>
            )}
          </span>
        </p>
      )}
      {/* Money that nobody owes back can also be refunded where no credit note need come first. */}
      {!back && !faces[receivable.kind].hasCreditNotes && refundable > 0n && <p class="small">{start}</p>}
      {refunded > 0n && (
        <p class="soft small">{locale.say("refundedSum", { amount: figure(locale, refunded) })}</p>
      )}
      {remark !== null && <p class="soft small">{remark}</p>}
    </>
  );

  function remarkOf(): string | null {
    if (status === "void") return locale.say("voidedFor", { reason: voidReason ?? "" });
    if (isMarked) return locale.say("markedOn", { day: when.momentInText(markedPaidAt ?? 0) });
    if (status === "paid" && received < net)
      return locale.say("isShort", { amount: figure(locale, Usdc.remaining(net, received)) });
    if (isPaid(status) || Usdc.shows(received) || Usdc.shows(deposit.pending)) return null;
    return locale.say(sentAt === null ? "notSentYet" : "nothingArrived");
  }
}

/** Returns an invoice's state in the merchant's terms. With money on its way it is not late: there is nothing to do. */
export function stateOf(
  invoice: { status: Status; dueDate: string; deposit: { pending: Usdc.Usdc }; sentAt: number | null },
  today: string,
): StateName {
  const { status, deposit } = invoice;
  if (status === "void" || status === "paid" || status === "excess") return status;
  if (Usdc.shows(deposit.pending)) return "seen";
  if (Invoice.isOverdue(invoice, today)) return "late";
  if (status === "partial") return "partial";
  return invoice.sentAt === null ? "draft" : "open";
}

export const stateTexts = {
  draft: "stateNotSent",
  open: "stateOpen",
  seen: "underWay",
  partial: "partlyPaid",
  late: "overdue",
  paid: "paidInvoice",
  excess: "paidInExcess",
  void: "void",
} as const satisfies Record<StateName, TextKey>;
