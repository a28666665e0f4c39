import { CopyButton } from "../../pages/icons.tsx";
import { copyButtonWords, ShortAddress, WholeAddress } from "../parts/copy.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage, Part } from "../parts/head.tsx";

/** What pays for settlements. Amounts of ETH as people read them. */
export type GasProps = {
  address: string;
  /** Null before a node has told. */
  figures: {
    eth: string;
    /** When it was read, in Unix milliseconds; null while that still holds. */
    asOf: number | null;
    settlements: number;
    ethForMany: string;
  } | null;
  /** Payments by a signature within 24 hours. */
  signed: SignedDay;
};

type SignedDay = {
  isOff: boolean;
  paid: number;
  failed: number;
  onTheWay: number;
  eth: string;
  budget: string;
};

/** More than this is plenty. */
const settlementsMax = 1_000;

function enough(
  { locale, when }: DeskFrame,
  { settlements, asOf }: NonNullable<GasProps["figures"]>,
): string {
  if (asOf !== null) return locale.say("balanceAsOf", { when: when.momentInText(asOf) });
  if (settlements === 0) return locale.say("gasNone");
  return settlements > settlementsMax
    ? locale.say("gasEnoughMany", { count: locale.figure(String(settlementsMax)) })
    : locale.say("gasEnough", { count: locale.figure(String(settlements)) });
}

/** The gas account on the page of the money. */
export function GasPart({ frame, gas: { address, figures, signed } }: { frame: DeskFrame; gas: GasProps }) {
  const { locale } = frame;
  return (
    <Part
      id="gas"
      title={locale.say("gasAccount")}
      beside={<a href="/desk/money/gas">{locale.say("gasShow")}</a>}
      isLive
    >
      <p class="soft part-line">{locale.say("gasAccountText")}</p>
      <dl class="gas">
        <div>
          <dt class="visually-hidden">{locale.say("gasBalance")}</dt>
          <dd>
            {figures === null ? (
              <span class="soft">{locale.say("balanceUnknown")}</span>
            ) : (
              <strong class="num">{locale.say("gasHolds", { eth: locale.figure(figures.eth) })}</strong>
            )}
          </dd>
          <dd class={figures?.settlements === 0 ? "late" : "soft"}>
            {figures !== null && enough(frame, figures)}
          </dd>
        </div>
        <div>
          <dt class="visually-hidden">{locale.say("moneyColumnWallet")}</dt>
          <dd class="soft">
            <ShortAddress address={address} />
          </dd>
        </div>
      </dl>
      <SignedPart frame={frame} signed={signed} />
    </Part>
  );
}

/** What the fees of payers who sign took, and how they fared. */
function SignedPart({ frame: { locale }, signed }: { frame: DeskFrame; signed: SignedDay }) {
  const { isOff, paid, failed, onTheWay, eth, budget } = signed;
  const figure = (count: number) => locale.figure(String(count));
  const isIdle = paid + failed + onTheWay === 0;
  return (
    <>
      <h3 class="signed-title">{locale.say("signedPayers")}</h3>
      <p class="soft">{locale.say(isOff ? "signedOff" : "signedPayersText")}</p>
      {isOff && isIdle ? (
        ""
      ) : (
        <ul class="signed-day">
          <li>{locale.say("signedFees", { eth: locale.figure(eth), budget: locale.figure(budget) })}</li>
          <li>{locale.say("signedPaid", { paid: figure(paid) })}</li>
          <li class={failed > 0 ? "late" : ""}>{locale.say("signedFailures", { failed: figure(failed) })}</li>
          <li>{locale.say("signedOpen", { open: figure(onTheWay) })}</li>
        </ul>
      )}
    </>
  );
}

/** Where to send ETH: the address whole, and as a code. */
export function gasPage({
  frame,
  gas: { address, figures },
  network,
  qr,
}: {
  frame: DeskFrame;
  gas: GasProps;
  network: string;
  /** A data URL. */
  qr: string;
}): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "money",
    title: locale.say("gasTitle"),
    back: "money",
    line: locale.say("gasLine", { network }),
    body: (
      <div class="gas-fill">
        <img class="qr" src={qr} width="240" height="240" alt={locale.say("gasCode")} />
        <div class="gas-words">
          <p>
            <WholeAddress address={address} />
          </p>
          <p>
            <CopyButton id="copy-gas" text={address} words={copyButtonWords(locale, locale.say("gasCopy"))} />
          </p>
          <dl class="facts" id="gas-known" data-live>
            <div>
              <dt>{locale.say("gasBalance")}</dt>
              <dd>
                {figures === null
                  ? locale.say("balanceUnknown")
                  : locale.say("gasHolds", { eth: locale.figure(figures.eth) })}
              </dd>
              {figures !== null && <dd class="soft">{enough(frame, figures)}</dd>}
            </div>
          </dl>
          {figures !== null && (
            <p class="soft">{locale.say("gasFor", { eth: locale.figure(figures.ethForMany) })}</p>
          )}
          <p class="notice notice-plain">{locale.say("gasNoUsdc")}</p>
        </div>
      </div>
    ),
  });
}
