import { Html } from "@elysiajs/html";
import { isTestNetwork } from "../domain/network.ts";
import { CopyButton, type CopyWords } from "./copy-button.tsx";
import { Icon } from "./icons.tsx";
import type { Reader } from "./language/reader.ts";
import { Rich } from "./language/rich.tsx";
import { BareAmount, GroupedAddress } from "./money.tsx";
import type { PaymentProps } from "./payment-props.ts";
import { attr, walletHref } from "./text.ts";

type Props = { props: PaymentProps };

/**
 * Everything that is needed to pay what remains. The data attributes are for the script's browser wallets. The ways
 * are radio buttons, so that choosing works without a script. None is chosen here: until somebody does, the style shows
 * the one that fits the device.
 */
export function HowToPay({ props }: Props) {
  const { reader } = props;
  return (
    <section
      class="how"
      data-part="how"
      data-chain-id={String(props.chainId)}
      data-network={attr(props.networkLabel)}
      data-usdc={attr(props.usdcAddress)}
      data-to={attr(props.depositAddress)}
      data-micro={attr(props.remainingMicro)}
    >
      <h2 class="visually-hidden" safe>
        {reader.say("howToPay")}
      </h2>
      {!isTestNetwork(props) ? null : (
        <p class="notice">
          <Icon name="alert" />
          <span>
            <Rich reader={reader} text="testNetwork" />
          </span>
        </p>
      )}
      <fieldset class="ways">
        <legend class="visually-hidden" safe>
          {reader.say("whereFrom")}
        </legend>
        <Way reader={reader} way="wallet" />
        <Way reader={reader} way="scan" />
        <Way reader={reader} way="exchange" />
        <FromWallet props={props} />
        <FromScan props={props} />
        <FromExchange props={props} />
      </fieldset>
      <Particulars props={props} />
    </section>
  );
}

function Way({ reader, way }: { reader: Reader; way: "wallet" | "scan" | "exchange" }) {
  return (
    <>
      <input type="radio" name="way" id={`way-${way}`} value={way} />
      <label for={`way-${way}`} safe>
        {reader.say(way)}
      </label>
    </>
  );
}

function FromWallet({ props: { reader, paymentUri } }: Props) {
  const href = walletHref(paymentUri);
  return (
    <div class="way way-wallet">
      <div class="wallets" data-wallets hidden />
      <p class="hint on-computer" safe>
        {reader.say("noWallet")}
      </p>
      <p class="hint on-phone" safe>
        {reader.say("walletHint")}
      </p>
      {href === null ? null : (
        <a class="button button-quiet open-wallet" id="open-wallet" href={href}>
          {Html.escapeHtml(reader.say("openWallet"))}
        </a>
      )}
    </div>
  );
}

function FromScan({ props: { reader, paymentQr } }: Props) {
  const safeQr = paymentQr;
  return (
    <div class="way way-scan">
      <div class="qr" role="img" aria-label={attr(reader.say("qrOfPayment"))}>
        {safeQr}
      </div>
      <p class="hint" safe>
        {reader.say("scanHint")}
      </p>
    </div>
  );
}

function FromExchange({ props }: Props) {
  const { reader } = props;
  const safeQr = props.addressQr;
  return (
    <div class="way way-exchange">
      <div class="qr" role="img" aria-label={attr(reader.say("qrOfAddress"))}>
        {safeQr}
      </div>
      <ol class="steps">
        <li>
          <Rich
            reader={reader}
            text="exchangeNetwork"
            values={{ network: Html.escapeHtml(props.networkLabel) }}
          />
        </li>
        <li safe>{reader.say("exchangeAddress")}</li>
        <li>
          <Rich
            reader={reader}
            text="exchangeAmount"
            values={{ amount: String(<BareAmount value={props.remaining} />) }}
          />
        </li>
      </ol>
    </div>
  );
}

function Particulars({ props }: Props) {
  const { reader } = props;
  return (
    <>
      <dl class="particulars">
        <div class="particular">
          <dt safe>{reader.say("amount")}</dt>
          <dd class="value">
            <BareAmount value={props.remaining} /> USDC
          </dd>
          <dd>
            <CopyButton id="copy-amount" text={props.remaining} words={copyWords(reader, "amount")} />
          </dd>
        </div>
        <div class="particular">
          <dt safe>{reader.say("depositAddress")}</dt>
          <dd class="value">
            <GroupedAddress address={props.depositAddress} />
          </dd>
          <dd>
            <CopyButton id="copy-address" text={props.depositAddress} words={copyWords(reader, "address")} />
          </dd>
        </div>
      </dl>
      <p class="only">
        <Icon name="alert" />
        <span>
          <Rich
            reader={reader}
            text="onlyNetwork"
            values={{ network: Html.escapeHtml(props.networkLabel) }}
          />
        </span>
      </p>
    </>
  );
}

function copyWords(reader: Reader, what: "amount" | "address"): CopyWords {
  const isAmount = what === "amount";
  return {
    label: reader.say("copy"),
    copied: reader.say("copied"),
    notCopied: reader.say("notCopied"),
    name: reader.say(isAmount ? "copyAmount" : "copyAddress"),
    sayCopied: reader.say(isAmount ? "amountCopied" : "addressCopied"),
    sayNotCopied: reader.say(isAmount ? "amountNotCopied" : "addressNotCopied"),
  };
}
