import { Rich } from "../../language/rich.tsx";
import { CopyButton } from "../../pages/icons.tsx";
import { BareAmount, GroupedAddress } from "../../pay/payment/progress.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import { QrCode } from "../parts/qr.tsx";
import { counterPage, SoundSwitch } from "./counter-frame.tsx";
import { Cancelled, Paid } from "./sale-end.tsx";
import { type SaleProps, Sum, What } from "./sale-props.tsx";

/** Without a script the page asks again so often. */
const reloadSeconds = 3;

/** One payment at the counter, from the code to "paid". What is there says what is to be done next. */
export function salePage(props: SaleProps): string {
  const { frame, phase } = props;
  const { locale } = frame;
  const isDone = phase === "paid" || phase === "excess" || phase === "marked";
  const isWaiting = !isDone && phase !== "void";
  return counterPage({
    frame,
    title: titleOf(props),
    isPaid: isDone,
    reloadSeconds: isWaiting ? reloadSeconds : null,
    actions: (
      <>
        <SoundSwitch frame={frame} />
        {isWaiting && (
          <a class="button button-plain" href="/desk/counter" data-next>
            {locale.say("counterNext")}
          </a>
        )}
        {props.canCancel && (
          <DeskForm frame={frame} action={`/desk/counter/${props.slug}/cancel`} className="cancel">
            <button type="submit" class="button button-quiet" id="cancel">
              {locale.say("counterCancel")}
            </button>
          </DeskForm>
        )}
      </>
    ),
    main: (
      <main class="counter-main" id="content">
        <div
          id="sale"
          class={isWaiting ? "to-pay" : "paid"}
          data-phase={phase}
          data-waiting={isWaiting ? "" : false}
        >
          {isWaiting ? <Waiting {...props} /> : isDone ? <Paid {...props} /> : <Cancelled {...props} />}
        </div>
      </main>
    ),
  });
}

function titleOf({ frame: { locale }, phase, toPay }: SaleProps): string {
  if (phase === "void") return locale.say("counterCancelled");
  if (phase === "paid" || phase === "excess") return locale.say("paid");
  if (phase === "marked") return locale.say("stateElsewhere");
  return `${locale.say("counterToPay")} ${locale.usdc(toPay)}`;
}

function Waiting(props: SaleProps) {
  const { frame, toPay, payment } = props;
  const { locale } = frame;
  const asks = toPay !== "0.00" && props.phase !== "error";
  return (
    <>
      {asks && <Codes {...props} />}
      <div class="to-pay-words" id="sale-words">
        <div class="ask">
          <h1 class="label">{locale.say("counterToPay")}</h1>
          <Sum frame={frame} amount={asks ? toPay : payment.total} />
          <What what={props.what} />
        </div>
        <div id="sale-status" class="sale-status" role="status">
          <Progress {...props} />
        </div>
      </div>
    </>
  );
}

function Progress({ frame: { locale }, phase, payment, toPay, confirming }: SaleProps) {
  const figure = (amount: string) => locale.figure(amount);
  const { received, total, pending } = payment;
  if (phase === "error")
    return (
      <>
        <span class="pill pill-late">{locale.say("paymentProblem")}</span>
        <p>{locale.say("counterTakenBackText")}</p>
      </>
    );
  if (pending !== null)
    return (
      <>
        <span class="pill pill-waiting">{confirming ?? locale.say("underWay")}</span>
        <p>
          {toPay === "0.00"
            ? locale.say("counterSeenText", { amount: figure(pending) })
            : locale.say("counterPartSeenText", { amount: figure(pending) })}
        </p>
      </>
    );
  if (phase === "partial")
    return (
      <>
        <span class="pill pill-partial">{locale.say("partlyPaid")}</span>
        <p>{locale.say("counterPartlyText", { received: figure(received), total: figure(total) })}</p>
      </>
    );
  return <span class="pill pill-waiting">{locale.say("counterWaiting")}</span>;
}

const ways = ["wallet", "camera", "hand"] as const;
const wayTexts = { wallet: "counterByWallet", camera: "counterByCamera", hand: "counterByHand" } as const;

/** The ways to pay are radio buttons, so that choosing works without a script. */
function Codes({ frame: { locale }, codes, payment, toPay }: SaleProps) {
  const network = payment.networkLabel;
  const words = (name: string) => ({
    label: locale.say("copy"),
    copied: locale.say("copied"),
    notCopied: locale.say("notCopied"),
    name: locale.labelled(locale.say("copy"), name),
    sayCopied: locale.say("copied"),
    sayNotCopied: locale.say("notCopied"),
  });
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
            <dd>
              <CopyButton id="copy-amount" text={toPay} words={words(locale.say("amount"))} />
            </dd>
          </div>
          <div>
            <dt>{locale.say("counterAddress")}</dt>
            <dd>
              <GroupedAddress address={payment.depositAddress} />
            </dd>
            <dd>
              <CopyButton
                id="copy-address"
                text={payment.depositAddress}
                words={words(locale.say("counterAddress"))}
              />
            </dd>
          </div>
        </dl>
        <p class="soft">{locale.say("counterHandText", { network })}</p>
      </div>
    </div>
  );
}
