import { Rich } from "../../language/rich.tsx";
import { Notice } from "../../pages/icons.tsx";
import { microOf } from "../../pages/text.ts";
import type { PaymentProps } from "./props.ts";

/** Returns whether the page has to do with other networks: then it has a longer script, and more style. */
export const hasNetworks = ({ crossing: { networks, newest } }: Pick<PaymentProps, "crossing">): boolean =>
  networks.length > 0 || newest !== null;

/** What the script needs to know for the wallets of the browser. */
export const walletData = (props: PaymentProps) => ({
  "data-chain-id": String(props.chainId),
  "data-network": props.networkLabel,
  "data-usdc": props.usdcAddress,
  "data-to": props.depositAddress,
  "data-micro": props.remainingMicro,
  "data-sign": props.canSign,
});

/** True if what Circle has signed covers all that is still asked for: to ask for it would have people pay twice. */
export function crossingCovers(props: PaymentProps): boolean {
  const amount = isCrossing(props) ? microOf(props.crossing.newest?.amount ?? "") : null;
  return amount !== null && amount >= BigInt(props.leastMicro);
}

/** Returns whether Circle has signed it: it may have to be delivered even if nothing is owed any more. */
export const isCrossing = ({ crossing: { newest } }: PaymentProps): boolean =>
  newest?.state === "attested" || newest?.state === "late";

type Props = { props: PaymentProps };

/** Where the script lets a wallet pay from another network, once there is a wallet. */
export function OtherNetworks({ props: { locale, crossing, networkLabel } }: Props) {
  if (crossing.networks.length === 0) return "";
  return (
    <div class="networks" data-networks hidden>
      <label class="networks-label" for="network">
        {locale.say("payFromNetwork")}
      </label>
      <select id="network">
        <option value="">{networkLabel}</option>
        {crossing.networks.map(({ chainId, label }) => (
          <option value={String(chainId)}>{label}</option>
        ))}
      </select>
      <p data-terms />
    </div>
  );
}

const sentences = {
  told: "crossTold",
  attested: "crossAttested",
  late: "crossWaiting",
  unknown: "crossNone",
  over: "crossOver",
} as const;

/** What is known of a payment from another network, in words. It is none until it has arrived. */
export function CrossingSentence({ props: { locale, crossing, networkLabel } }: Props) {
  if (crossing.newest === null) return "";
  const { state, network, amount, at } = crossing.newest;
  return (
    <Rich
      locale={locale}
      text={sentences[state]}
      values={{
        network,
        home: networkLabel,
        amount: locale.figure(amount ?? ""),
        time: <time datetime={at}>{locale.minute(at)}</time>,
      }}
    />
  );
}

/** The same with what its payer can do. */
export function FromOtherNetwork({ props }: Props) {
  const { newest } = props.crossing;
  if (newest === null) return "";
  const { state } = newest;
  const isOver = state === "unknown" || state === "over";
  return (
    <div class="crossing" data-part="crossing" data-failed={isOver} {...walletData(props)}>
      <Notice icon={isOver ? "alert" : "clock"}>
        <CrossingSentence props={props} />
      </Notice>
      {state === "late" && <div class="wallets" data-deliver hidden />}
    </div>
  );
}
