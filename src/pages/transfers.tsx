import { Html } from "@elysiajs/html";
import { Icon } from "./icons.tsx";
import { Amount } from "./money.tsx";
import type { PaymentProps, PaymentTransfer } from "./payment-props.ts";
import { confirmationCount } from "./payment-state.ts";
import { attr, minuteText, shortHash, transactionHref } from "./text.ts";

/** What has arrived, with the way to check it where somebody else has written it down. */
export function Transfers({ props: { transfers, explorer } }: { props: PaymentProps }) {
  if (transfers.length === 0) return "";
  return (
    <section class="transfers" data-part="transfers">
      <h2>{transfers.length === 1 ? "Payment" : "Payments"}</h2>
      <ul>
        {transfers.map((transfer) => (
          <Transfer transfer={transfer} explorer={explorer} />
        ))}
      </ul>
    </section>
  );
}

function Transfer({ transfer, explorer }: { transfer: PaymentTransfer; explorer: string | null }) {
  const href = transactionHref(explorer, transfer.txHash);
  const hash = shortHash(transfer.txHash);
  return (
    <li>
      <p class="transfer-line">
        <strong>
          <Amount value={transfer.amount} /> USDC
        </strong>
        <span class={transfer.confirmed ? "mark mark-done" : "mark"}>
          <Icon name={transfer.confirmed ? "check" : "clock"} />
          <span safe>{transfer.confirmed ? "Confirmed" : confirmationCount(transfer)}</span>
        </span>
      </p>
      <p class="transfer-line soft">
        <time datetime={attr(transfer.seenAt)} safe>
          {minuteText(transfer.seenAt)}
        </time>
        {href === null ? (
          <code title={attr(transfer.txHash)} safe>
            {hash}
          </code>
        ) : (
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={attr(`Transaction ${hash} in the explorer`)}
          >
            <code safe>{hash}</code>
            <Icon name="outside" />
          </a>
        )}
      </p>
    </li>
  );
}
