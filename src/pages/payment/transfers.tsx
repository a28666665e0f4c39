import { isTestNetwork } from "../../domain/wallet/network.ts";
import { Icon } from "../icons.tsx";
import { shortHash, transactionHref } from "../text.ts";
import { Amount } from "./money.tsx";
import type { PaymentProps, PaymentTransfer } from "./payment-props.ts";

/** What has arrived, with the way to check it where somebody else has written it down. */
export function Transfers({ props }: { props: PaymentProps }) {
  const { transfers, otherTransfers, locale } = props;
  if (transfers.length === 0) return "";
  return (
    <section class="transfers" data-part="transfers">
      <h2>{locale.say(transfers.length === 1 ? "payment" : "payments")}</h2>
      <ul>
        {transfers.map((transfer) => (
          <Transfer transfer={transfer} props={props} />
        ))}
      </ul>
      {otherTransfers > 0 && <p class="soft">{locale.say("smallerPayments", { count: otherTransfers })}</p>}
    </section>
  );
}

function Transfer({ transfer, props }: { transfer: PaymentTransfer; props: PaymentProps }) {
  const { locale, explorer, networkLabel } = props;
  const network = isTestNetwork(props)
    ? locale.say("testNetworkName", { network: networkLabel })
    : networkLabel;
  const href = transactionHref(explorer, transfer.txHash);
  const hash = shortHash(transfer.txHash);
  return (
    <li>
      <p class="transfer-line">
        <strong>
          <Amount value={transfer.amount} locale={locale} /> USDC
        </strong>
        <span class={transfer.confirmed ? "mark mark-done" : "mark"}>
          <Icon name={transfer.confirmed ? "check" : "clock"} />
          <span>
            {transfer.confirmed
              ? locale.say("confirmed")
              : locale.confirmations(transfer.confirmations, transfer.confirmationsNeeded)}
          </span>
        </span>
      </p>
      <p class="transfer-line soft">
        <time datetime={transfer.madeAt}>{locale.minute(transfer.madeAt)}</time>
        {href === null ? (
          <code title={transfer.txHash}>{hash}</code>
        ) : (
          <a
            href={href}
            target="_blank"
            aria-label={locale.say("transactionInExplorer", { hash })}
            rel="noopener"
          >
            <code>{hash}</code>
            <Icon name="outside" />
          </a>
        )}
      </p>
      <p class="paper paper-line">
        <bdi>{`${locale.say("transaction")}${locale.bracketed(network)}`}</bdi> <code>{transfer.txHash}</code>
      </p>
      <p class="paper paper-line">
        <bdi>{locale.say("sentFrom")}</bdi> <code>{transfer.from}</code>
      </p>
    </li>
  );
}
