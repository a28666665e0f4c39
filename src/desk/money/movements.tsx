import type * as Usdc from "../../domain/usdc.ts";
import { Amount } from "../parts/amount.tsx";
import { ShortAddress, Transaction } from "../parts/copy.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { CsvLink, NextPage, Table } from "../parts/list.tsx";
import { State } from "../parts/state.tsx";

/** Money that was moved, or is on its way. */
export type MovementRow = {
  /** Unix time in milliseconds. */
  at: number;
  what: string;
  detail: string;
  /** The page of a withdrawal that was begun here. */
  href: string | null;
  /** `stopped`: by somebody else who has the words of the wallet. */
  state: "pending" | "done" | "failed" | "stopped";
  amount: Usdc.Usdc;
  txHash: string | null;
};

const looks = {
  pending: { name: "seen", word: "underWay" },
  failed: { name: "void", word: "notMoved" },
  stopped: { name: "late", word: "stoppedByOther" },
} as const;

/** Settlements and withdrawals, newest first. `next` leads to older ones. */
export function Movements({
  frame: { locale, when },
  explorer,
  rows,
  next,
  csv,
}: {
  frame: DeskFrame;
  explorer: string | null;
  rows: readonly MovementRow[];
  next: string | null;
  csv: string | null;
}) {
  const heads = ["moneyColumnWhat", "transaction", "when"] as const;
  return (
    <section class="part" id="movements" data-live>
      <div class="part-head">
        <h2>{locale.say("movements")}</h2>
        {rows.length > 0 && <CsvLink locale={locale} href={csv} />}
      </div>
      {rows.length === 0 ? (
        <p class="soft">{locale.say("noMovements")}</p>
      ) : (
        <Table
          caption={locale.say("movementsCaption")}
          heads={[...heads.map((head) => locale.say(head)), { end: locale.say("amountInUsdc") }]}
        >
          {rows.map(({ at, what, detail, href, state, amount, txHash }) => (
            <tr role="row">
              <td role="cell" class="main">
                {href === null ? (
                  <strong>{what}</strong>
                ) : (
                  <a class="name" href={href}>
                    {what}
                  </a>
                )}
                <span class="sub" dir="auto">
                  {detail}
                </span>
              </td>
              <td role="cell" class="under small">
                {state !== "done" && <State name={looks[state].name} word={locale.say(looks[state].word)} />}
                {state !== "pending" && txHash !== null && (
                  <Transaction txHash={txHash} explorer={explorer} name={locale.say("transactionIn")} />
                )}
              </td>
              <td role="cell" class="quiet under-end">
                {when.moment(at)}
              </td>
              <td role="cell" class="end sum">
                <Amount locale={locale} amount={amount} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <NextPage locale={locale} href={next} />
    </section>
  );
}

/** What came in for a payout wallet, and what became of it. */
export type PayoutRow = {
  wallet: string;
  name: string;
  received: Usdc.Usdc;
  waiting: Usdc.Usdc;
  settled: Usdc.Usdc;
  /** Null for a wallet that Till does not manage. */
  withdrawn: Usdc.Usdc | null;
};

/** The wallets that customers' money goes to. `next` leads to those that follow. */
export function Payouts({
  frame: { locale },
  rows,
  next,
}: {
  frame: DeskFrame;
  rows: readonly PayoutRow[];
  next: string | null;
}) {
  return (
    <section class="part" id="payouts" data-live>
      <div class="part-head">
        <h2>{locale.say("whereYouArePaid")}</h2>
      </div>
      <Table
        caption={locale.say("whereYouArePaid")}
        heads={[
          locale.say("moneyColumnWallet"),
          { end: locale.say("moneyColumnReceived") },
          { end: locale.say("moneyColumnWaiting") },
          { end: locale.say("withdrawnSum") },
          { end: locale.say("amountIn", { column: locale.say("moneyColumnSettled") }) },
        ]}
      >
        {rows.map((row) => (
          <tr role="row">
            <td role="cell" class="main">
              <strong dir="auto">{row.name}</strong>
              <span class="sub">
                <ShortAddress address={row.wallet} />
              </span>
            </td>
            <td role="cell" class="end quiet not-phone">
              <Amount locale={locale} amount={row.received} />
            </td>
            <td role="cell" class="end quiet under-end">
              <span class="on-phone">{`${locale.say("moneyColumnWaiting")} `}</span>
              <Amount locale={locale} amount={row.waiting} />
            </td>
            <td role="cell" class="end quiet not-phone">
              {row.withdrawn === null ? (
                <span aria-hidden="true">–</span>
              ) : (
                <Amount locale={locale} amount={row.withdrawn} />
              )}
            </td>
            <td role="cell" class="end sum">
              <Amount locale={locale} amount={row.settled} />
            </td>
          </tr>
        ))}
      </Table>
      <NextPage locale={locale} href={next} />
    </section>
  );
}
