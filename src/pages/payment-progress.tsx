import { Html } from "@elysiajs/html";
import type { Reader } from "./language/reader.ts";
import { Rich } from "./language/rich.tsx";
import { Amount } from "./money.tsx";
import type { PaymentProps } from "./payment-props.ts";
import { attr } from "./text.ts";

/** Characters of an amount that fit in large type on a phone. */
const figureLengthMax = 9;

export function Figure({ value, reader }: { value: string; reader: Reader }) {
  return (
    <p class={reader.figure(value).length > figureLengthMax ? "figure figure-long" : "figure"}>
      <Amount value={value} reader={reader} /> <span class="unit">USDC</span>
    </p>
  );
}

/** The transfer that has furthest to go decides when all of it counts. */
export function Confirming({ props }: { props: PaymentProps }) {
  const { reader } = props;
  const waiting = props.transfers.filter((transfer) => !transfer.confirmed);
  const [last] = waiting.toSorted((a, b) => a.confirmations - b.confirmations);
  if (!last) return <p class="due">{Html.escapeHtml(reader.say("beingConfirmed"))}</p>;
  const { confirmations, confirmationsNeeded: needed } = last;
  if (needed === null) return <p class="due">{Html.escapeHtml(reader.say("waitingForFinal"))}</p>;
  return (
    <div class="received">
      <progress
        class="bar"
        max={needed}
        value={Math.min(confirmations, needed)}
        aria-label={attr(reader.say("confirmations"))}
      />
      <p class="due" safe>
        {reader.confirmations(confirmations, needed)}
      </p>
    </div>
  );
}

/** How much of the total has arrived. */
export function ReceivedOf({ props }: { props: PaymentProps }) {
  return (
    <Rich
      reader={props.reader}
      text="receivedOf"
      values={{
        received: String(<Amount value={props.received} reader={props.reader} />),
        total: String(<Amount value={props.total} reader={props.reader} />),
      }}
    />
  );
}
