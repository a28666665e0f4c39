import { webHref } from "../../pages/text.ts";
import { DeskForm, TextField } from "../parts/form/form.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { type SaleProps, Sum, What } from "./sale-props.tsx";

/** Spread, because the JSX types do not know it here. */
const focused = { autofocus: true };

/** It is paid: that fills the screen, and the next customer is one key away. */
export function Paid(props: SaleProps) {
  const { frame, phase, payment } = props;
  const { locale, did } = frame;
  return (
    <>
      <div class="paid-words" role="status">
        <span class="seal">
          <DeskIcon name="check" />
        </span>
        <h1>{locale.say(phase === "marked" ? "stateElsewhere" : "paid")}</h1>
        <Sum frame={frame} amount={phase === "marked" ? payment.total : payment.received} />
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
        <a class="button button-large" href="/desk/counter" data-next {...focused}>
          {locale.say("counterNext")}
        </a>
        <Receipt {...props} />
      </div>
    </>
  );
}

function Receipt({ frame, slug, payment, canMail, typedEmail, faults }: SaleProps) {
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
            <TextField
              locale={locale}
              name="email"
              label={locale.say("counterReceiptTo")}
              value={typedEmail}
              faults={faults}
              extra={{ type: "email", inputmode: "email", autocomplete: "off", maxlength: "254", dir: "ltr" }}
            />
            <button type="submit" class="button button-quiet">
              {locale.say("sendIt")}
            </button>
          </DeskForm>
        </details>
      )}
      {pdf !== null && (
        <a class="button button-plain" href={pdf} target="_blank" rel="noopener">
          {locale.say("counterReceiptPdf")}
        </a>
      )}
    </>
  );
}

/** Nothing is owed; what came all the same is told. */
export function Cancelled({ frame, payment, what }: SaleProps) {
  const { locale } = frame;
  const came = payment.received !== "0.00" ? payment.received : payment.pending;
  return (
    <>
      <div class="paid-words" role="status">
        <h1>{locale.say("counterCancelled")}</h1>
        <Sum frame={frame} amount={payment.total} />
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
        <a class="button button-large" href="/desk/counter" data-next {...focused}>
          {locale.say("counterNext")}
        </a>
      </div>
    </>
  );
}
