import type { Config } from "../../config/config.ts";
import type { relaySums } from "../../doctor/relay-state.ts";
import * as Ether from "../../domain/ether.ts";
import { CopyButton } from "../../pages/icons.tsx";
import type { Holdings } from "../../settle/treasury.ts";
import { copyButtonWords, ShortAddress, WholeAddress } from "../parts/copy.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";

/** The gas account, which pays for settlements. */
export type GasProps = {
  address: string;
  /** Null until a node has responded. */
  held: Holdings | null;
  /** When it was read, in Unix milliseconds; null while it is current. */
  asOf: number | null;
  /** Payments by signature within 24 hours, and their rules. */
  signed: ReturnType<typeof relaySums> & Pick<Config["relay"], "mode" | "budget">;
};

/** More than this is plenty. */
const settlementsMax = 1_000n;

/** The advised amount of ETH covers this many settlements. */
const settlementsAdvised = 100n;

const settlementsOf = ({ gasBalance, settlementCost }: Holdings) =>
  settlementCost === 0n ? 0n : gasBalance / settlementCost;

/** True if it does not cover one transfer. */
export const isWithoutGas = (held: Holdings): boolean => settlementsOf(held) === 0n;

/** Says how many transfers it covers. */
function reach({ locale }: DeskFrame, held: Holdings): string {
  const settlements = settlementsOf(held);
  if (settlements === 0n) return locale.say("gasNone");
  return settlements > settlementsMax
    ? locale.say("gasEnoughMany", { count: locale.figure(String(settlementsMax)) })
    : locale.say("gasEnough", { count: locale.figure(String(settlements)) });
}

const lastKnown = ({ locale, when }: DeskFrame, asOf: number) =>
  locale.say("balanceAsOf", { when: when.momentInText(asOf) });

const holds = ({ locale }: DeskFrame, { gasBalance }: Holdings) =>
  locale.say("gasHolds", { eth: locale.figure(Ether.format(gasBalance)) });

type GasPartProps = { frame: DeskFrame; gas: GasProps };

/** The gas account on the money page. */
export function GasPart({ frame, gas: { address, held, asOf, signed } }: GasPartProps) {
  const { locale } = frame;
  return (
    <Part
      id="gas"
      title={locale.say("gasAccount")}
      beside={<a href="/desk/money/gas">{locale.say("gasShow")}</a>}
      isLive
    >
      <p class="soft part-line">{locale.say("gasAccountText")}</p>
      <p class={held !== null && isWithoutGas(held) ? "late" : ""}>
        {held === null ? locale.say("balanceUnknown") : reach(frame, held)}
      </p>
      {asOf !== null && <p class="soft">{lastKnown(frame, asOf)}</p>}
      <details>
        <summary>{locale.say("feesShow")}</summary>
        <dl class="gas">
          {held !== null && (
            <div>
              <dt class="visually-hidden">{locale.say("gasBalance")}</dt>
              <dd>
                <strong class="num">{holds(frame, held)}</strong>
              </dd>
            </div>
          )}
          <div>
            <dt class="visually-hidden">{locale.say("moneyColumnWallet")}</dt>
            <dd class="soft">
              <ShortAddress address={address} />
            </dd>
          </div>
        </dl>
        <SignedPart frame={frame} signed={signed} />
      </details>
    </Part>
  );
}

/** The fees paid for payers who sign, and the outcomes. */
function SignedPart({ frame: { locale }, signed }: { frame: DeskFrame } & Pick<GasProps, "signed">) {
  const { mode, paid, failed, onTheWay, fees, budget } = signed;
  const isOff = mode === "off";
  const eth = (wei: bigint) => locale.figure(Ether.format(wei));
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
          <li>{locale.say("signedFees", { eth: eth(fees), budget: eth(budget) })}</li>
          <li>{locale.say("signedPaid", { paid: figure(paid) })}</li>
          <li class={failed > 0 ? "late" : ""}>{locale.say("signedFailures", { failed: figure(failed) })}</li>
          <li>{locale.say("signedOpen", { open: figure(onTheWay) })}</li>
        </ul>
      )}
    </>
  );
}

type GasPageProps = {
  frame: DeskFrame;
  gas: GasProps;
  network: string;
  /** A data URL. */
  qr: string;
};

/** Where to send ETH: the full address, and its code. */
export function gasPage({ frame, gas: { address, held, asOf }, network, qr }: GasPageProps): string {
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
              <dd>{held === null ? locale.say("balanceUnknown") : holds(frame, held)}</dd>
              {held !== null && (
                <dd class="soft">{asOf === null ? reach(frame, held) : lastKnown(frame, asOf)}</dd>
              )}
            </div>
          </dl>
          {held !== null && (
            <p class="soft">
              {locale.say("gasFor", {
                eth: locale.figure(Ether.format(held.settlementCost * settlementsAdvised)),
              })}
            </p>
          )}
          <p class="notice notice-plain">{locale.say("gasNoUsdc")}</p>
        </div>
      </div>
    ),
  });
}
