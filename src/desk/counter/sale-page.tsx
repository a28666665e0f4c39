import { webHref } from "../../pages/text.ts";
import { CrossingSentence, isCrossing } from "../../pay/payment/crossing.tsx";
import type { Phase } from "../../pay/payment/state.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { line } from "../parts/form/controls.tsx";
import { DeskForm, type FormFault } from "../parts/form/form.tsx";
import { formOf } from "../parts/form/rows.ts";
import { DeskIcon } from "../parts/icon.tsx";
import { Codes, type CodesProps } from "./codes.tsx";
import { counterPage, SoundSwitch } from "./counter-frame.tsx";

type SaleProps = CodesProps & {
  slug: string;
  what: string | null;
  phase: Phase;
  /** When it counts, in words: "Confirmed in 7 s". Null if nothing is on its way. */
  confirming: string | null;
  canCancel: boolean;
  /** True if a receipt can be mailed. */
  canMail: boolean;
  typedEmail: string;
  faults: readonly FormFault[];
};

/** Without a script the page reloads this often. */
const reloadSeconds = 3;

/** One payment at the counter, from the code to "paid". The page shows what to do next. */
export function salePage(props: SaleProps): string {
  const { frame, phase } = props;
  const { locale } = frame;
  const isDone = phase === "paid" || phase === "excess" || phase === "marked";
  const isWaiting = !isDone && phase !== "void";
  return counterPage({
    frame,
    title: titleOf(props),
    isPaid: isDone,
    reloadSeconds: isWaiting ? reloadSeconds : null,
    actions: (
      <>
        <SoundSwitch frame={frame} />
        {isWaiting && (
          <a class="button button-plain" href="/desk/counter" data-next>
            {locale.say("counterNext")}
          </a>
        )}
        {props.canCancel && (
          <DeskForm frame={frame} action={`/desk/counter/${props.slug}/cancel`} className="cancel">
            <button type="submit" class="button button-quiet" id="cancel">
              {locale.say("counterCancel")}
            </button>
          </DeskForm>
        )}
      </>
    ),
    main: (
      <main class="counter-main" id="content">
        <div
          id="sale"
          class={isWaiting ? "to-pay" : "paid"}
          data-phase={phase}
          data-waiting={isWaiting ? "" : false}
        >
          {isWaiting && <Waiting {...props} />}
          {isDone && <Paid {...props} />}
          {phase === "void" && <Cancelled {...props} />}
        </div>
      </main>
    ),
  });
}

function titleOf({ frame: { locale }, phase, toPay, payment }: SaleProps): string {
  if (phase === "void") return locale.say("counterCancelled");
  if (phase === "paid" || phase === "excess") return locale.say("paid");
  if (phase === "marked") return locale.say("stateElsewhere");
  if (phase === "unpriced") return locale.say("rateExpired");
  return `${locale.say("counterToPay")} ${locale.usdc(toPay === "0.00" ? payment.total : toPay)}`;
}

function Waiting(props: SaleProps) {
  const { frame, toPay, payment, phase } = props;
  const { locale } = frame;
  const asks = toPay !== "0.00" && phase !== "error" && phase !== "unpriced";
  return (
    <>
      {asks && <Codes {...props} />}
      <div class="to-pay-words" id="sale-words">
        <div class="ask">
          <h1 class="label">{locale.say("counterToPay")}</h1>
          <Sum
            frame={frame}
            amount={asks ? toPay : payment.total}
            payment={payment}
            hasUsdc={phase !== "unpriced"}
          />
          <What what={props.what} />
        </div>
        <div id="sale-status" class="sale-status" role="status">
          <Progress {...props} />
        </div>
      </div>
    </>
  );
}

/** Returns the progress: the pill's tone and words, and what they mean. */
function progressOf({ frame: { locale }, phase, payment, toPay, confirming }: SaleProps) {
  const { say, figure } = locale;
  const { received, total, pending } = payment;
  if (phase === "error") return ["late", say("paymentProblem"), say("counterTakenBackText")];
  if (phase === "unpriced") return ["waiting", say("rateExpired"), say("counterUnpricedText")];
  if (pending !== null) {
    const text = toPay === "0.00" ? "counterSeenText" : "counterPartSeenText";
    return ["waiting", confirming ?? say("underWay"), say(text, { amount: figure(pending) })];
  }
  if (payment.signed !== null)
    return ["waiting", say("paymentSigned"), say("saySigned", { amount: figure(payment.signed.amount) })];
  if (isCrossing(payment)) return ["waiting", say("underWay"), <CrossingSentence props={payment} />];
  return phase === "partial"
    ? [
        phase,
        say("partlyPaid"),
        say("counterPartlyText", { received: figure(received), total: figure(total) }),
      ]
    : ["waiting", say("counterWaiting"), null];
}

function Progress(props: SaleProps) {
  const [tone, word, text] = progressOf(props);
  return (
    <>
      <span class={`pill pill-${tone}`}>{word}</span>
      {text !== null && <p>{text}</p>}
    </>
  );
}

type SumProps = Pick<SaleProps, "frame" | "payment"> & { amount: string; hasUsdc?: boolean };

/** Shows the full amount in the price's currency, with USDC below if `hasUsdc`; other amounts in USDC. */
function Sum({ frame: { locale }, amount, payment: { total, price }, hasUsdc = true }: SumProps) {
  const large = amount === total ? price : null;
  const figure = locale.figure(large?.total ?? amount);
  return (
    <>
      <p class={figure.length > 9 ? "figure figure-long" : "figure"}>
        <span class="num">
          {figure}
          <span class="unit">{` ${large?.code ?? "USDC"}`}</span>
        </span>
      </p>
      {large !== null && hasUsdc && <p class="soft num">{locale.usdc(amount)}</p>}
    </>
  );
}

function What({ what }: { what: string | null }) {
  return what === null ? (
    ""
  ) : (
    <p class="soft" dir="auto">
      {what}
    </p>
  );
}

/** Spread, because the JSX types do not know it here. */
const focused = { autofocus: true };

const Next = ({ frame }: Pick<SaleProps, "frame">) => (
  <a class="button button-large" href="/desk/counter" data-next {...focused}>
    {frame.locale.say("counterNext")}
  </a>
);

/** Shown once it is paid: fills the screen, and the next customer is one key away. */
function Paid(props: SaleProps) {
  const { frame, phase, payment } = props;
  const { locale, did } = frame;
  return (
    <>
      <div class="paid-words" role="status">
        <span class="seal">
          <DeskIcon name="check" />
        </span>
        <h1>{locale.say(phase === "marked" ? "stateElsewhere" : "paid")}</h1>
        <Sum frame={frame} amount={phase === "marked" ? payment.total : payment.received} payment={payment} />
        <What what={props.what} />
        {phase === "excess" && (
          <p class="notice">
            {locale.say("counterExcess", {
              excess: locale.figure(payment.excess),
              total: locale.figure(payment.total),
            })}
          </p>
        )}
        {did !== null && <p>{locale.texts[did]}</p>}
      </div>
      <div class="actions">
        <Next frame={frame} />
        <Receipt {...props} />
      </div>
    </>
  );
}

const receiptForm = formOf({
  email: {
    label: "counterReceiptTo",
    control: line({ type: "email", inputmode: "email", autocomplete: "off", maxlength: "254", dir: "ltr" }),
  },
});

function Receipt({ frame, slug, payment, canMail, typedEmail: email, faults }: SaleProps) {
  const { locale } = frame;
  const pdf = webHref(payment.receiptUrl);
  return (
    <>
      {canMail && (
        <details class="receipt" open={faults.length > 0}>
          <summary class="button button-quiet button-large">
            <DeskIcon name="mail" />
            {locale.say("counterReceipt")}
          </summary>
          <DeskForm frame={frame} action={`/desk/counter/${slug}/receipt`}>
            {receiptForm.fields({ frame, typed: { email }, faults })("email")}
            <SubmitButton kind="quiet" text={locale.say("sendIt")} />
          </DeskForm>
        </details>
      )}
      {pdf !== null && (
        <ButtonLink href={pdf} as="window" kind="plain" text={locale.say("counterReceiptPdf")} />
      )}
    </>
  );
}

/** Nothing is owed; money that arrived anyway is shown. */
function Cancelled({ frame, payment, what }: SaleProps) {
  const { locale } = frame;
  const came = payment.received !== "0.00" ? payment.received : payment.pending;
  return (
    <>
      <div class="paid-words" role="status">
        <h1>{locale.say("counterCancelled")}</h1>
        <Sum frame={frame} amount={payment.total} payment={payment} />
        <What what={what} />
        {came === null ? (
          <p class="soft">{locale.say("counterCancelledText")}</p>
        ) : (
          <div class="notice">
            <DeskIcon name="alert" />
            <p>
              <strong>{locale.say("counterLateTitle", { amount: locale.figure(came) })}</strong>{" "}
              {locale.say("counterLateText")}
            </p>
          </div>
        )}
      </div>
      <div class="actions">
        <Next frame={frame} />
      </div>
    </>
  );
}
