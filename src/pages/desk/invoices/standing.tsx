import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as Outcome from "../../../domain/payment/outcome.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Locale } from "../../../language/locale.ts";
import type { DeskFrame } from "../frame.tsx";
import { Figure } from "../parts/amount.tsx";

/** Of an invoice, or of a link in the words of one. */
export type StandingInvoice = Pick<
  Invoice,
  "status" | "deposit" | "total" | "markedPaidAt" | "voidReason" | "sentAt"
>;

type Props = { frame: DeskFrame; invoice: StandingInvoice };

/** What has come of it, and what is left. */
export function Standing({ frame, invoice }: Props) {
  const { locale } = frame;
  const { deposit } = invoice;
  const { label, amount } = figureOf(invoice, locale);
  const isShown = deposit.received > 0n || deposit.pending > 0n;
  return (
    <section class="standing" id="standing" data-live aria-label={locale.say("standing")}>
      <div>
        <h2 class="label">{label}</h2>
        <p class="figure">
          <Figure locale={locale} amount={amount} />
        </p>
      </div>
      {isShown && <Progress frame={frame} invoice={invoice} />}
      {isShown && deposit.received !== deposit.expected && (
        <p class="standing-line soft">
          <span>
            {locale.say("receivedOf", {
              received: figure(locale, deposit.received),
              total: figure(locale, deposit.expected),
            })}
          </span>
          {deposit.pending > 0n && (
            <span>{locale.say("restIsComing", { amount: figure(locale, deposit.pending) })}</span>
          )}
        </p>
      )}
      <Remark frame={frame} invoice={invoice} />
    </section>
  );
}

const figure = (locale: Locale, amount: Usdc.Usdc) => locale.figure(Usdc.formatExact(amount));

function figureOf({ status, deposit, total, markedPaidAt }: StandingInvoice, locale: Locale) {
  const isMarked = markedPaidAt !== null && !Outcome.isAll(deposit);
  if (status === "void") return { label: locale.say("standingVoid"), amount: total };
  if (isMarked) return { label: locale.say("standingElsewhere"), amount: deposit.expected };
  if (status === "paid" || status === "excess")
    return { label: locale.say("standingReceived"), amount: deposit.received };
  const amount = Outcome.remaining(deposit);
  return { label: locale.say(deposit.received > 0n ? "stillToPay" : "amountDue"), amount };
}

/** What is confirmed, and striped beside it what is on its way. */
function Progress({ frame: { locale }, invoice: { deposit } }: Props) {
  const total = deposit.expected;
  const share = (amount: bigint) => Math.min(100, Number((amount * 1_000n) / (total || 1n)) / 10);
  const got = share(deposit.received);
  const coming = Math.min(100 - got, share(deposit.pending));
  const said = locale.say("receivedOf", {
    received: figure(locale, deposit.received),
    total: figure(locale, total),
  });
  return (
    <svg class="progress" width="100%" height="8" role="img" aria-label={said}>
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

function Remark({ frame: { locale, when }, invoice }: Props) {
  const text = remarkOf(invoice);
  return text === null ? "" : <p class="soft small">{text}</p>;

  function remarkOf({ status, deposit, markedPaidAt, voidReason, sentAt }: StandingInvoice): string | null {
    if (status === "void") return locale.say("voidedFor", { reason: voidReason ?? "" });
    if (markedPaidAt !== null && !Outcome.isAll(deposit))
      return locale.say("markedOn", { day: when.momentInText(markedPaidAt) });
    if (status === "excess")
      return locale.say("isTooMuch", {
        amount: figure(locale, Usdc.remaining(deposit.received, deposit.expected)),
      });
    if (status === "paid" && deposit.received < deposit.expected)
      return locale.say("isShort", {
        amount: figure(locale, Usdc.remaining(deposit.expected, deposit.received)),
      });
    if (status === "paid" || deposit.received > 0n || deposit.pending > 0n) return null;
    return locale.say(sentAt === null ? "notSentYet" : "nothingArrived");
  }
}
