import { Html } from "@elysiajs/html";
import { Icon } from "./icons.tsx";
import { Amount, GroupedAddress } from "./money.tsx";
import type { PaymentProps } from "./payment-props.ts";
import { attr, walletHref } from "./text.ts";

/** Base. On any other chain that Till knows, USDC is worth nothing. */
const realMoneyChainId = 8453;

type Props = { props: PaymentProps };

/**
 * Everything that is needed to pay what remains. The data attributes are for the script's browser wallets. The two ways
 * are radio buttons, so that choosing works without a script.
 */
export function HowToPay({ props }: Props) {
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
      <h2 class="visually-hidden">How to pay</h2>
      {props.chainId === realMoneyChainId ? null : (
        <p class="notice">
          <Icon name="alert" />
          <span>
            <strong>Test network.</strong> Pay with test USDC only. Do not send real money.
          </span>
        </p>
      )}
      <fieldset class="ways">
        <legend class="visually-hidden">Where will you pay from?</legend>
        <input type="radio" name="way" id="way-wallet" value="wallet" checked />
        <label for="way-wallet">Wallet</label>
        <input type="radio" name="way" id="way-exchange" value="exchange" />
        <label for="way-exchange">Exchange</label>
        <FromWallet props={props} />
        <FromExchange props={props} />
      </fieldset>
      <Particulars props={props} />
    </section>
  );
}

function FromWallet({ props }: Props) {
  const safeQr = props.paymentQr;
  const href = walletHref(props.paymentUri);
  return (
    <div class="way way-wallet">
      <div class="qr" role="img" aria-label="QR code of this payment, for a wallet app">
        {safeQr}
      </div>
      <p class="hint">Scan with a wallet app. It fills in the address, the amount and the network.</p>
      <div class="wallets" data-wallets hidden />
      {href === null ? null : (
        <a class="button button-quiet open-wallet" id="open-wallet" href={href}>
          Open in wallet app
        </a>
      )}
    </div>
  );
}

function FromExchange({ props }: Props) {
  const safeQr = props.addressQr;
  return (
    <div class="way way-exchange">
      <div class="qr" role="img" aria-label="QR code of the deposit address">
        {safeQr}
      </div>
      <ol class="steps">
        <li>
          Withdraw <strong>USDC</strong>, and choose <strong safe>{props.networkLabel}</strong> as the
          network.
        </li>
        <li>Scan the code, or paste the deposit address below.</li>
        <li>
          Exactly <Amount value={props.remaining} /> USDC has to arrive. If your exchange takes its fee out of
          the withdrawal, add the fee.
        </li>
      </ol>
    </div>
  );
}

function Particulars({ props }: Props) {
  return (
    <>
      <dl class="particulars">
        <div class="particular">
          <dt>Amount</dt>
          <dd class="value">
            <Amount value={props.remaining} /> USDC
          </dd>
          <dd>
            <CopyButton id="copy-amount" text={props.remaining} what="amount" />
          </dd>
        </div>
        <div class="particular">
          <dt>Deposit address</dt>
          <dd class="value">
            <GroupedAddress address={props.depositAddress} />
          </dd>
          <dd>
            <CopyButton id="copy-address" text={props.depositAddress} what="deposit address" />
          </dd>
        </div>
      </dl>
      <p class="only">
        <Icon name="alert" />
        <span>
          <strong>USDC on {Html.escapeHtml(props.networkLabel)} only.</strong> Anything else sent to this
          address may be lost.
        </span>
      </p>
    </>
  );
}

/** Only the script can copy, so only the script shows it. */
export function CopyButton({ id, text, what }: { id: string; text: string; what: string }) {
  return (
    <button
      type="button"
      class="copy"
      id={id}
      data-copy={attr(text)}
      data-what={attr(what)}
      aria-label={attr(`Copy the ${what}`)}
      hidden
    >
      Copy
    </button>
  );
}
