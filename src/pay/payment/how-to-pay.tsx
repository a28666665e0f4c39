import { isTestNetwork } from "../../domain/wallet/network.ts";
import type { Locale } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { CopyButton, type CopyWords, Icon, Notice } from "../../pages/icons.tsx";
import { walletHref, webHref } from "../../pages/text.ts";
import { BareAmount, GroupedAddress } from "./progress.tsx";
import type { PaymentProps } from "./props.ts";

type Props = { props: PaymentProps };

/**
 * Everything needed to pay the remaining amount. The data attributes are for the script's browser wallets. The ways to
 * pay are radio buttons, so that choosing works without a script. None is selected here: until somebody chooses, the
 * style shows the one that suits the device.
 */
export function HowToPay({ props }: Props) {
  const { locale } = props;
  return (
    <section
      class="how"
      data-part="how"
      data-chain-id={String(props.chainId)}
      data-network={props.networkLabel}
      data-usdc={props.usdcAddress}
      data-to={props.depositAddress}
      data-micro={props.remainingMicro}
      data-sign={props.canSign}
    >
      <h2 class="visually-hidden">{locale.say("howToPay")}</h2>
      {isTestNetwork(props) && (
        <Notice>
          <Rich locale={locale} text="testNetwork" />
        </Notice>
      )}
      <fieldset class="ways">
        <legend class="visually-hidden">{locale.say("whereFrom")}</legend>
        <Way locale={locale} way="wallet" />
        <Way locale={locale} way="scan" />
        <Way locale={locale} way="exchange" />
        <FromWallet props={props} />
        <FromScan props={props} />
        <FromExchange props={props} />
      </fieldset>
      <Particulars props={props} />
    </section>
  );
}

function Way({ locale, way }: { locale: Locale; way: "wallet" | "scan" | "exchange" }) {
  return (
    <>
      <input type="radio" name="way" id={`way-${way}`} />
      <label for={`way-${way}`}>{locale.say(way)}</label>
    </>
  );
}

function FromWallet({ props: { locale, paymentUri, coinbase, pageUrl, canSign } }: Props) {
  const href = walletHref(paymentUri);
  const coinbaseHref = coinbase && walletHref(coinbase.href);
  const code = coinbase && webHref(coinbase.code);
  return (
    <div class="way way-wallet">
      <div class="wallets" data-wallets hidden />
      {canSign && (
        <p class="hint sign-hint">
          <Rich locale={locale} text="signHint" />
        </p>
      )}
      {/^https:\/\/[\w.:/-]+$/.test(pageUrl ?? "") && <WalletBrowsers locale={locale} url={pageUrl ?? ""} />}
      <p class="hint on-computer">{locale.say("noWallet")}</p>
      <p class="hint on-phone">{locale.say("walletHint")}</p>
      {href !== null && (
        <a class="button button-quiet open-wallet" id="open-wallet" href={href}>
          {locale.say("openWallet")}
        </a>
      )}
      {code !== null && (
        <details class="on-computer" id="coinbase">
          <summary>{locale.say("coinbaseCode")}</summary>
          <img class="qr" src={code} alt={locale.say("qrOfCoinbase")} loading="lazy" />
        </details>
      )}
      {coinbaseHref !== null && (
        <div class="on-phone browsers">
          <a
            class="button button-quiet"
            id="open-coinbase"
            href={coinbaseHref}
            target="_blank"
            rel="noopener"
          >
            {locale.say("openCoinbase")}
          </a>
        </div>
      )}
    </div>
  );
}

/**
 * Links that open a page in a phone wallet's browser, where the wallet pays as one in a computer's browser does. Each
 * form is documented by its wallet, and known to bring the wallet along; MetaMask takes the address without `https://`.
 */
const walletBrowsers = [
  ["MetaMask", (url: string) => `https://link.metamask.io/dapp/${url.replace("https://", "")}`],
  ["Base app", (url: string) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(url)}`],
] as const;

/** Opens a new tab: a checkout may be in a frame, which no app can take over. */
function WalletBrowsers({ locale, url }: { locale: Locale; url: string }) {
  return (
    <div class="on-phone browsers">
      <p>{locale.say("openPageIn")}</p>
      {walletBrowsers.map(([name, linkTo]) => (
        <a class="button button-quiet" href={linkTo(url)} target="_blank" rel="noopener">
          {name}
        </a>
      ))}
    </div>
  );
}

function FromScan({ props: { locale, paymentQr } }: Props) {
  return (
    <div class="way way-scan">
      <img class="qr" src={paymentQr} alt={locale.say("qrOfPayment")} />
      <p class="hint">{locale.say("scanHint")}</p>
    </div>
  );
}

function FromExchange({ props }: Props) {
  const { locale } = props;
  return (
    <div class="way way-exchange">
      <img class="qr" src={props.addressQr} alt={locale.say("qrOfAddress")} />
      <ol class="steps">
        <li>
          <Rich locale={locale} text="exchangeNetwork" values={{ network: props.networkLabel }} />
        </li>
        <li>{locale.say("exchangeAddress")}</li>
        <li>
          <Rich
            locale={locale}
            text="exchangeAmount"
            values={{ amount: <BareAmount value={props.remaining} /> }}
          />
        </li>
      </ol>
    </div>
  );
}

function Particulars({ props }: Props) {
  const { locale } = props;
  return (
    <>
      <dl class="particulars">
        <div class="particular">
          <dt>
            {locale.say("amount")}
            {locale.decimalMark !== "." && locale.bracketed(locale.say("amountPoint"))}
          </dt>
          <dd class="value">
            <BareAmount value={props.remaining} /> USDC
          </dd>
          <dd>
            <CopyButton id="copy-amount" text={props.remaining} words={copyWords(locale, "amount")} />
          </dd>
        </div>
        <div class="particular">
          <dt>{locale.say("depositAddress")}</dt>
          <dd class="value">
            <GroupedAddress address={props.depositAddress} />
          </dd>
          <dd>
            <CopyButton id="copy-address" text={props.depositAddress} words={copyWords(locale, "address")} />
          </dd>
        </div>
      </dl>
      <p class="only">
        <Icon name="alert" />
        <span>
          <Rich locale={locale} text="onlyNetwork" values={{ network: props.networkLabel }} />
        </span>
      </p>
    </>
  );
}

function copyWords(locale: Locale, what: "amount" | "address"): CopyWords {
  const isAmount = what === "amount";
  return {
    label: locale.say("copy"),
    copied: locale.say("copied"),
    notCopied: locale.say("notCopied"),
    name: locale.say(isAmount ? "copyAmount" : "copyAddress"),
    sayCopied: locale.say(isAmount ? "amountCopied" : "addressCopied"),
    sayNotCopied: locale.say(isAmount ? "amountNotCopied" : "addressNotCopied"),
  };
}
