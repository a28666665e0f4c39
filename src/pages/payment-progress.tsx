import { Html } from "@elysiajs/html";
import { Amount } from "./money.tsx";
import type { PaymentProps } from "./payment-props.ts";
import { confirmationCount } from "./payment-state.ts";

/** Characters of an amount that fit in large type on a phone. */
const figureLengthMax = 9;

export function Figure({ value }: { value: string }) {
  return (
    <p class={value.length > figureLengthMax ? "figure figure-long" : "figure"}>
      <Amount value={value} /> <span class="unit">USDC</span>
    </p>
  );
}

/** The transfer that has furthest to go decides when all of it counts. */
export function Confirming({ props }: { props: PaymentProps }) {
  const waiting = props.transfers.filter((transfer) => !transfer.confirmed);
  const [last] = waiting.toSorted((a, b) => a.confirmations - b.confirmations);
  if (!last) return <p class="due">Being confirmed by the network</p>;
  const { confirmations, confirmationsNeeded: needed } = last;
  if (needed === null) return <p class="due">Seen. Waiting until the network makes it final</p>;
  return (
    <div class="received">
      <progress class="bar" max={needed} value={Math.min(confirmations, needed)} aria-label="Confirmations" />
      <p class="due" safe>
        {confirmationCount(last)}
      </p>
    </div>
  );
}
