import { Rich } from "../../language/rich.tsx";
import { CopyButton } from "../../pages/icons.tsx";
import { BareAmount, GroupedAddress } from "../../pay/payment/progress.tsx";
import type { PaymentProps } from "../../pay/payment/props.ts";
import { copyButtonWords } from "../parts/copy.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { QrCode, type QrPath } from "../parts/qr.tsx";

const ways = ["wallet", "camera", "hand"] as const;
const wayTexts = { wallet: "counterByWallet", camera: "counterByCamera", hand: "counterByHand" } as const;

export type CodesProps = {
  frame: DeskFrame;
  payment: PaymentProps;
  /** The amount asked for now: neither confirmed nor on its way. `"0.00"` if nothing is. */
  toPay: string;
  /** `coinbase` is for Coinbase Wallet, which does not read `wallet`; null on a local chain. */
  codes: { wallet: QrPath; coinbase: QrPath | null; camera: QrPath };
};

/** The ways to pay are radio buttons, so that choosing works without a script. */
export function Codes({ frame: { locale }, codes, payment, toPay }: CodesProps) {
  const network = payment.networkLabel;
  const copy = (id: string, text: string, name: string) => {
    const words = copyButtonWords(locale, locale.say("copy"), locale.labelled(locale.say("copy"), name));
    return <CopyButton id={id} text={text} words={words} />;
  };
  return (
    <div class="codes" id="sale-codes">
      {ways.map((way) => (
        <>
          <input type="radio" name="way" id={`way-${way}`} checked={way === "wallet"} autocomplete="off" />
          <label for={`way-${way}`}>{locale.say(wayTexts[way])}</label>
        </>
      ))}
      <div class="way way-wallet">
        <QrCode code={codes.wallet} label={locale.say("qrOfPayment")} />
        <p class="soft">
          <Rich locale={locale} text="counterWalletText" values={{ network: network }} />
        </p>
        {codes.coinbase && (
          <details class="other-code" id="coinbase-code">
            <summary>{locale.say("coinbaseCode")}</summary>
            <QrCode code={codes.coinbase} label={locale.say("qrOfCoinbase")} />
          </details>
        )}
      </div>
      <div class="way way-camera">
        <QrCode code={codes.camera} label={locale.say("counterCodeCamera")} />
        <p class="soft">{locale.say("counterCameraText")}</p>
      </div>
      <div class="way way-hand">
        <dl class="hand">
          <div>
            <dt>{locale.say("amount")}</dt>
            <dd class="hand-amount">
              <BareAmount value={toPay} />
            </dd>
            <dd>{copy("copy-amount", toPay, locale.say("amount"))}</dd>
          </div>
          <div>
            <dt>{locale.say("counterAddress")}</dt>
            <dd>
              <GroupedAddress address={payment.depositAddress} />
            </dd>
            <dd>{copy("copy-address", payment.depositAddress, locale.say("counterAddress"))}</dd>
          </div>
        </dl>
        <p class="soft">{locale.say("counterHandText", { network })}</p>
      </div>
    </div>
  );
}
