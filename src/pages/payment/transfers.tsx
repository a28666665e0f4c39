import { isTestNetwork } from "../../domain/wallet/network.ts";
import { Icon } from "../icons.tsx";
import { attr, shortHash, transactionHref } from "../text.ts";
import { Amount } from "./money.tsx";
import type { PaymentProps, PaymentTransfer } from "./payment-props.ts";

/** What has arrived, with the way to check it where somebody else has written it down. */
export function Transfers({ props }: { props: PaymentProps }) {
  const { transfers, otherTransfers, locale } = props;
  if (transfers.length === 0) return "";
  return (
    <section class="transfers" data-part="transfers">
      <h2 safe>{locale.say(transfers.length === 1 ? "payment" : "payments")}</h2>
      <ul>
        {transfers.map((transfer) => (
          <Transfer transfer={transfer} props={props} />
        ))}
      </ul>
      {otherTransfers > 0 && (
        <p class="soft" safe>
          {locale.say("smallerPayments", { count: otherTransfers })}
        </p>
      )}
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
          <span safe>
            {transfer.confirmed
              ? locale.say("confirmed")
              : locale.confirmations(transfer.confirmations, transfer.confirmationsNeeded)}
          </span>
        </span>
      </p>
      <p class="transfer-line soft">
        <time datetime={attr(transfer.madeAt)} safe>
          {locale.minute(transfer.madeAt)}
        </time>
        {href === null ? (
          <code title={attr(transfer.txHash)} safe>
            {hash}
          </code>
        ) : (
          <a
            href={href}
            target="_blank"
            aria-label={attr(locale.say("transactionInExplorer", { hash }))}
            rel="noopener"
          >
            <code safe>{hash}</code>
            <Icon name="outside" />
          </a>
        )}
      </p>
      <p class="paper paper-line">
        <bdi safe>{`${locale.say("transaction")}${locale.bracketed(network)}`}</bdi>{" "}
        <code safe>{transfer.txHash}</code>
      </p>
      <p class="paper paper-line">
        <bdi safe>{locale.say("sentFrom")}</bdi> <code safe>{transfer.from}</code>
      </p>
    </li>
  );
}
