import * as Usdc from "../../domain/usdc.ts";
import { Rich } from "../../language/rich.tsx";
import type { Holdings } from "../../settle/treasury.ts";
import type * as MoneyReport from "../../store/reports/desk/money.ts";
import { Figure } from "../parts/amount.tsx";
import { ActionButton, ButtonLink } from "../parts/button.tsx";
import { ShortAddress } from "../parts/copy.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Cell, Empty, headsOf, SumCell, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";
import { ElsewherePart } from "./elsewhere-page.tsx";
import { GasPart, type GasProps, isWithoutGas } from "./gas.tsx";
import { Movements, Payouts, type WalletNames } from "./movements.tsx";

type MoneyProps = {
  frame: DeskFrame;
  explorer: string | null;
  /** True if the reader may move money. */
  mayMove: boolean;
  sums: ReturnType<typeof MoneyReport.all>;
  /** Null if there are no wallets of Till's. */
  held: Held | null;
  /** The reason why no node reports the wallets' balances. */
  silent: string | null;
  /** The reason why nothing moves, or why a form was refused. */
  fault: string | null;
  /** Amounts found by `till recover`. */
  recovered: readonly Usdc.Usdc[];
  /** `isByItself`: Till moves payments automatically. `least`: the smallest amount it moves, in USDC. */
  moves: { isByItself: boolean; least: Usdc.Usdc };
  /** Money that reorganisations returned to deposit addresses. */
  left: Usdc.Usdc;
  isUnwritten: boolean;
  names: WalletNames;
  payouts: { rows: readonly MoneyReport.Payout[]; next: string | null };
  movements: { rows: readonly MoneyReport.Movement[]; next: string | null; csv: string | null };
  stuck: Holdings["stuck"];
  /** What is on other chains, oldest first. */
  elsewhere: Parameters<typeof ElsewherePart>[0]["rows"];
  gas: GasProps | null;
};

/** The balance of Till's wallets, as far as a node has reported it. */
type Held = {
  /** Null until a node has reported any. */
  amount: Usdc.Usdc | null;
  /** When it was read, in Unix milliseconds; null while it is current. */
  asOf: number | null;
  wallets: number;
  /** Number of wallets missing from `amount`. */
  unknown: number;
};

/** Where the money is, and how it moved. */
export function moneyPage(props: MoneyProps): string {
  const { frame, explorer, names, mayMove, fault, silent, left, isUnwritten } = props;
  const { locale } = frame;
  const recovered = Usdc.sum(props.recovered);
  const isEmpty = props.payouts.rows.length === 0 && recovered === 0n && !props.held?.amount;
  return headedPage({
    frame,
    place: "money",
    title: locale.say("navMoney"),
    actions: <ButtonLink href="/desk/refunds" kind="quiet" text={locale.say("refunds")} />,
    body: (
      <>
        <div class="notices" id="money-notices" data-live>
          {fault !== null && <Notice icon="alert" tone="late" text={fault} />}
          {left > 0n && (
            <Notice
              icon="alert"
              tone="late"
              text={locale.say("settlementsLeft", { amount: locale.figure(Usdc.formatExact(left)) })}
            />
          )}
          {silent !== null && <Notice icon="clock" text={silent} />}
          {recovered > 0n && (
            <p class="notice">
              <DeskIcon name="alert" />
              <span>
                <Rich
                  locale={locale}
                  text="recoveredWaiting"
                  values={{
                    amount: locale.figure(Usdc.formatExact(recovered)),
                    command: <code>till recover --settle</code>,
                  }}
                />
              </span>
            </p>
          )}
          {isUnwritten && mayMove && (
            <div class="notice">
              <DeskIcon name="words" />
              <p>
                <strong>{locale.say("wordsMissingShort")}</strong>
                {`${locale.marks.gap}${locale.say("wordsMissingText")}${locale.marks.gap}`}
                <a href="/desk/money/words">{locale.say("wordsBack")}</a>
              </p>
            </div>
          )}
        </div>
        <Flow {...props} />
        <StuckMoney {...props} />
        <ElsewherePart frame={frame} rows={props.elsewhere} />
        {isEmpty ? (
          <Empty icon="money" title={locale.say("moneyEmpty")} text={locale.say("moneyEmptyText")} />
        ) : (
          <>
            {props.payouts.rows.length > 0 && <Payouts frame={frame} names={names} {...props.payouts} />}
            <Movements
              frame={frame}
              explorer={explorer}
              names={names}
              isSilent={silent !== null}
              {...props.movements}
            />
          </>
        )}
        {props.gas !== null && <GasPart frame={frame} gas={props.gas} />}
      </>
    ),
  });
}

function heldWords({ locale, when }: DeskFrame, { amount, asOf }: Held, canWithdraw: boolean): string {
  if (amount === null) return locale.say("balanceUnknownText");
  if (asOf !== null) return locale.say("balanceAsOf", { when: when.momentInText(asOf) });
  return locale.say(canWithdraw ? "heldText" : "heldNothing");
}

function Notice({ icon, tone, text }: { icon: "alert" | "clock"; tone?: "late"; text: string }) {
  return (
    <div class={tone === "late" ? "notice notice-late" : "notice notice-plain"} role="alert">
      <DeskIcon name={icon} />
      <p dir="auto">{text}</p>
    </div>
  );
}

/** From the addresses that customers pay to the merchant's own wallet. */
function Flow({ frame, sums, recovered, held, mayMove, moves, gas }: MoneyProps) {
  const { locale } = frame;
  const deposits = sums.waitingDeposits + recovered.length;
  const canWithdraw = held?.amount !== null && (held?.amount ?? 0n) > 0n;
  const moving = gas?.held && isWithoutGas(gas.held) ? "movesWithGas" : "movesItself";
  return (
    <ol class={held === null ? "flow flow-short" : "flow"} id="money-flow" data-live>
      <li>
        <h2 class="label">{locale.say("atDeposits")}</h2>
        <p class="figure-mid">
          <Figure locale={locale} amount={Usdc.sum([sums.waiting, ...recovered])} />
        </p>
        <p class="soft">
          {deposits === 0 ? locale.say("nothingWaits") : locale.say("atDepositsText", { count: deposits })}
        </p>
        {sums.waitingDeposits > 0 && (
          <p class="soft">
            {locale.say(moves.isByItself ? moving : "movesByHand")}
            {moves.isByItself &&
              `${locale.marks.gap}${locale.say("leastMoved", { amount: locale.figure(Usdc.format(moves.least)) })}`}
          </p>
        )}
        {mayMove && sums.waitingDeposits > 0 && (
          <ActionButton
            frame={frame}
            action="/desk/money/settle"
            className="flow-form"
            kind="quiet small"
            text={locale.say("settleNow")}
          />
        )}
      </li>
      {held === null ? (
        <li>
          <h2 class="label">{locale.say("settledSum")}</h2>
          <p class="figure-mid">
            <Figure locale={locale} amount={sums.settled} />
          </p>
          <p class="soft">{locale.say("settledSumText")}</p>
        </li>
      ) : (
        <>
          <li>
            <h2 class="label">{locale.say(held.wallets > 1 ? "inWallets" : "inWallet")}</h2>
            <p class="figure-mid">
              {held.amount === null ? (
                <span class="soft">{locale.say("balanceUnknown")}</span>
              ) : (
                <Figure locale={locale} amount={held.amount} />
              )}
            </p>
            <p class="soft">{heldWords(frame, held, canWithdraw)}</p>
            {held.amount !== null && held.unknown > 0 && (
              <p class="late">{locale.say("balancesLack", { count: held.unknown })}</p>
            )}
            {mayMove && canWithdraw && (
              <ButtonLink href="/desk/money/withdraw" kind="small" text={locale.say("withdraw")} />
            )}
          </li>
          <li>
            <h2 class="label">{locale.say("withdrawnSum")}</h2>
            <p class="figure-mid">
              <Figure locale={locale} amount={sums.withdrawn} />
            </p>
            <p class="soft">{locale.say("withdrawnText", { count: sums.withdrawals })}</p>
          </li>
        </>
      )}
    </ol>
  );
}

/** Deposits whose money could not be moved. */
function StuckMoney({ frame, stuck, mayMove }: Pick<MoneyProps, "frame" | "stuck" | "mayMove">) {
  const { locale, when } = frame;
  if (stuck.length === 0) return "";
  return (
    <Part
      id="stuck"
      title={locale.say("stuckMoney")}
      beside={
        mayMove && (
          <ActionButton
            frame={frame}
            action="/desk/money/settle"
            field={["retry", "1"]}
            kind="quiet small"
            text={locale.say("tryAgainNow")}
          />
        )
      }
      isLive
    >
      <p class="soft part-line">{locale.say("stuckMoneyText")}</p>
      <Table
        caption={locale.say("stuckMoney")}
        heads={headsOf(locale, ["moneyColumnFrom", "moneyColumnWhy", "moneyColumnNext"], ["amountInUsdc"])}
      >
        {stuck.map(({ address, amount, retryAt, reason }) => (
          <tr role="row">
            <Cell kind="main">
              <ShortAddress address={address} />
            </Cell>
            <td role="cell" class="under quiet" dir="auto">
              {reason ?? locale.say("stuckWorks")}
            </td>
            <Cell kind="quiet under-end">{retryAt !== null && when.moment(retryAt)}</Cell>
            <SumCell locale={locale} amount={amount} />
          </tr>
        ))}
      </Table>
    </Part>
  );
}
