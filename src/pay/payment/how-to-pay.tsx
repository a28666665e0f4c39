import { isTestNetwork } from "../../domain/wallet/network.ts";
import type { Locale } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { CopyButton, type CopyWords, Icon, Notice } from "../../pages/icons.tsx";
import { walletHref, webHref } from "../../pages/text.ts";
import { OtherNetworks, walletData } from "./crossing.tsx";
import { BareAmount, GroupedAddress } from "./progress.tsx";
import type { PaymentProps } from "./props.ts";

type Props = { props: PaymentProps };

/**
 * Everything needed to pay the remaining amount. The ways to
 * pay are radio buttons, so that choosing works without a script. None is selected here: until somebody chooses, the
 * style shows the one that suits the device.
 */
export function HowToPay({ props }: Props) {
  const { locale } = props;
  return (
    <section class="how" data-part="how" {...walletData(props)}>
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

function FromWallet({ props }: Props) {
  const { locale, paymentUri, walletLinks, pageUrl, canSign } = props;
  const href = walletHref(paymentUri);
  // Where Till pays the fee, which takes a signature and so a page: the links alone would ask for ETH.
  const browsersUrl = canSign && /^https:\/\/[\w.:/-]+$/.test(pageUrl ?? "") ? pageUrl : null;
  return (
    <div class="way way-wallet">
      <OtherNetworks props={props} />
      <div class="wallets" data-wallets hidden />
      {canSign && (
        <p class="hint sign-hint">
          <Rich locale={locale} text="signHint" />
        </p>
      )}
      <p class="hint on-computer">{locale.say("noWallet")}</p>
      <p class="hint on-phone">{locale.say("walletHint")}</p>
      <div class="apps">
        {walletLinks.map((wallet) => (
          <AppLink name={wallet.name} href={walletHref(wallet.href)} isForPhone={true} />
        ))}
        {href !== null && (
          <a class="button button-quiet open-wallet" id="open-wallet" href={href}>
            {locale.say("openWallet")}
          </a>
        )}
      </div>
      {browsersUrl !== null && <WalletBrowsers locale={locale} url={browsersUrl} />}
    </div>
  );
}

/**
 * Links that open a page in a phone wallet's browser, where the wallet pays as one in a computer's browser does. Each
 * form is documented by its wallet, and known to bring the wallet along; MetaMask takes the address without `https://`.
 */
const walletBrowsers = [
  ["MetaMask", (url: string) => `https://link.metamask.io/dapp/${url.replace("https://", "")}`],
  ["Coinbase Wallet", (url: string) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(url)}`],
] as const;

function WalletBrowsers({ locale, url }: { locale: Locale; url: string }) {
  return (
    <details class="on-phone" id="wallet-browsers">
      <summary>{locale.say("openPageIn")}</summary>
      <div class="apps">
        {walletBrowsers.map(([name, linkTo]) => (
          <AppLink name={name} href={linkTo(url)} isForPhone={false} />
        ))}
      </div>
    </details>
  );
}

/** Opens a new tab: a checkout may be in a frame, which no app can take over. */
function AppLink({ name, href, isForPhone }: { name: string; href: string | null; isForPhone: boolean }) {
  return href !== null ? (
    <a
      class={isForPhone ? "button button-quiet on-phone" : "button button-quiet"}
      href={href}
      target="_blank"
      rel="noopener"
    >
      {name}
    </a>
  ) : null;
}

function FromScan({ props: { locale, paymentQr, walletCode } }: Props) {
  const code = walletCode && webHref(walletCode);
  return (
    <div class="way way-scan">
      <img class="qr" src={paymentQr} alt={locale.say(code === null ? "qrOfPayment" : "qrOfPage")} />
      <p class="hint">{locale.say(code === null ? "scanHint" : "scanPage")}</p>
      {code !== null && (
        <details id="wallet-code">
          <summary>{locale.say("walletCode")}</summary>
          <img class="qr" src={code} alt={locale.say("qrOfPayment")} loading="lazy" />
        </details>
      )}
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
      {props.lookPath !== null && (
        <form method="post" action={`${props.lookPath}?lang=${locale.code}`}>
          <button class="button button-quiet" type="submit" formtarget="_blank">
            {locale.say("notShown")}
          </button>
        </form>
      )}
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
