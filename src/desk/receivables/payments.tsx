import type { Receivable } from "../../domain/receivable/receivable.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { shortHash, transactionHref } from "../../pages/text.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import type * as TransferStore from "../../store/tables/watch/transfer.ts";
import { Cell, headsOf, SumCell, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { Part } from "../parts/page/head.tsx";
import { State } from "../parts/state.tsx";

/** Maximum payments listed; the rest are only counted. */
const paymentsMax = 50;

type PaymentsProps = { deps: HttpDeps; frame: DeskFrame; receivable: Receivable };

/** The payments of an invoice or a link, newest first, with live confirmations. */
export function Payments({ receivable: { deposit }, ...props }: PaymentsProps) {
  const { locale } = props.frame;
  const { transfers, others } = DepositTransferStore.listLargest(props.deps.db, deposit.index, {
    limit: paymentsMax,
  });
  return (
    <Part id="payments" title={locale.say("paymentsTitle")} isLive>
      {transfers.length === 0 ? (
        <p class="soft">{locale.say("noPayments")}</p>
      ) : (
        <Table
          caption={locale.say("paymentsCaption")}
          heads={headsOf(locale, ["transaction", "state", "when"], ["amountInUsdc"])}
        >
          {transfers.toReversed().map((transfer) => (
            <Payment {...props} transfer={transfer} />
          ))}
        </Table>
      )}
      {others !== 0 && <p class="soft small">{locale.say("smallerOnes", { count: others })}</p>}
    </Part>
  );
}

type PaymentProps = Omit<PaymentsProps, "receivable"> & { transfer: TransferStore.RecordedTransfer };

function Payment({ deps, frame, transfer }: PaymentProps) {
  const { locale, when } = frame;
  const { txHash, confirmed, blockNumber } = transfer;
  const { network } = deps.config;
  const href = transactionHref(network.explorer, txHash);
  const hash = shortHash(txHash);
  return (
    <tr role="row">
      <Cell kind="main">
        {href === null ? (
          <span class="address" title={txHash}>
            {hash}
          </span>
        ) : (
          <a
            class="address reach"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={locale.say("transactionInExplorer", { hash })}
          >
            {hash}
          </a>
        )}
      </Cell>
      <Cell kind="under">
        {confirmed ? (
          <State name="paid" word={locale.say("confirmed")} />
        ) : (
          <State name="seen" word={locale.confirmedIn(deps.countsIn(blockNumber).inMs)} />
        )}
      </Cell>
      <Cell kind="quiet under-end">{when.moment(transfer.madeAt)}</Cell>
      <SumCell locale={locale} amount={transfer.amount} />
    </tr>
  );
}
