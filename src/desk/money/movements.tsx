import type { Address } from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale } from "../../language/locale.ts";
import { world } from "../../lib/world.ts";
import type { ManagedWallet } from "../../settle/treasury.ts";
import type { Movement, Payout } from "../../store/reports/desk/money.ts";
import * as AllowedAddressStore from "../../store/tables/desk/allowed-address.ts";
import { isExposure, refundOf } from "../../store/tables/settle/withdrawal.ts";
import { Amount } from "../parts/amount.tsx";
import { ShortAddress, Transaction } from "../parts/copy.tsx";
import { Cell, headsOf, NextPage, Sub, SumCell, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { Part } from "../parts/page/head.tsx";
import { CsvLink } from "../parts/page/list-page.tsx";
import { State } from "../parts/state.tsx";
import { refundHref } from "./refunds/parts.ts";

/** The names of the wallets that receive money. */
export type WalletNames = { nameOf(address: Address): string; isManaged(address: Address): boolean };

export function walletNames(
  { db }: Pick<HttpDeps, "db">,
  locale: Locale,
  managed: ReadonlyMap<Address, ManagedWallet>,
): WalletNames {
  const allowed = new Map(
    AllowedAddressStore.list(db, world.now()).map(({ address, name }) => [address, name]),
  );
  return {
    isManaged: (address) => managed.has(address),
    nameOf(address) {
      const own = managed.get(address);
      if (own !== undefined)
        return managed.size === 1
          ? locale.say("tillsWallet")
          : locale.say("tillWalletOf", { email: own.email });
      return allowed.get(address) ?? locale.say("ownWalletTitle");
    },
  };
}

const titles = {
  settled: "movedSettled",
  elsewhere: "movedElsewhere",
  withdrawn: "movedWithdrawn",
} as const;

/** `stopped`: by somebody else who has the wallet's words. */
const looks = {
  pending: { name: "seen", word: "underWay" },
  failed: { name: "void", word: "notMoved" },
  stopped: { name: "late", word: "stoppedByOther" },
} as const;

function titleOf(movement: Movement) {
  if (movement.kind === "withdrawn" && movement.state === "failed") return "stateFailed";
  return refundOf(movement) === null ? titles[movement.kind] : "refundedTitle";
}

/** Null once the money has arrived. */
function lookOf({ failure, state }: Movement) {
  if (isExposure(failure)) return looks.stopped;
  return state === "done" ? null : looks[state];
}

function detailOf(movement: Movement, names: WalletNames, locale: Locale) {
  const { kind, deposits, failed, to, wallets } = movement;
  if (refundOf(movement) !== null) return locale.say("refundedTo");
  if (kind === "withdrawn") return locale.say("withdrawnTo", { wallet: names.nameOf(to) });
  if (failed > 0) return locale.say("settledFailed", { count: deposits, failed });
  if (wallets > 1) return locale.say("settledToSeveral", { count: deposits });
  return locale.say("settledTo", { count: deposits, wallet: names.nameOf(to) });
}

type MovementsProps = {
  frame: DeskFrame;
  explorer: string | null;
  names: WalletNames;
  /** No node responds, so nobody can say when anything arrives. */
  isSilent: boolean;
  rows: readonly Movement[];
  next: string | null;
  csv: string | null;
};

/** Settlements and withdrawals, newest first. `next` leads to older ones. */
export function Movements({ frame: { locale, when }, names, rows, ...more }: MovementsProps) {
  const { explorer, isSilent, next, csv } = more;
  const row = (movement: Movement) => {
    const { kind, txHash } = movement;
    const refund = refundOf(movement);
    const what = locale.say(titleOf(movement));
    const look = lookOf(movement);
    return (
      <tr role="row">
        <Cell kind="main">
          {kind === "withdrawn" ? (
            <a
              class="name"
              href={refund === null ? `/desk/money/withdrawals/${movement.id}` : refundHref({ id: refund })}
            >
              {what}
            </a>
          ) : (
            <strong>{what}</strong>
          )}
          <Sub>{detailOf(movement, names, locale)}</Sub>
        </Cell>
        <Cell kind="under small">
          {look !== null && <State name={look.name} word={locale.say(look.word)} />}
          {look === looks.pending && !isSilent && <span class="sub">{locale.say("arrivesSoon")}</span>}
          {look !== looks.pending && txHash !== null && (
            <details>
              <summary>{locale.say("showTransaction")}</summary>
              <Transaction txHash={txHash} explorer={explorer} name={locale.say("transactionIn")} />
            </details>
          )}
        </Cell>
        <Cell kind="quiet under-end">{when.moment(movement.at)}</Cell>
        <SumCell locale={locale} amount={movement.amount} />
      </tr>
    );
  };
  return (
    <Part
      id="movements"
      title={locale.say("movements")}
      beside={rows.length > 0 && <CsvLink locale={locale} href={csv} />}
      isLive
    >
      {rows.length === 0 ? (
        <p class="soft">{locale.say("noMovements")}</p>
      ) : (
        <Table
          caption={locale.say("movementsCaption")}
          heads={headsOf(locale, ["moneyColumnWhat", "state", "when"], ["amountInUsdc"])}
        >
          {rows.map(row)}
        </Table>
      )}
      <NextPage locale={locale} href={next} />
    </Part>
  );
}

type PayoutsProps = { frame: DeskFrame; names: WalletNames; rows: readonly Payout[]; next: string | null };

/** The wallets that receive customers' money, and what became of it. `next` leads to the following ones. */
export function Payouts({ frame: { locale }, names, rows, next }: PayoutsProps) {
  return (
    <Part id="payouts" title={locale.say("whereYouArePaid")} isLive>
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
            <Cell kind="main">
              <strong dir="auto">{names.nameOf(row.wallet)}</strong>
              <span class="sub">
                <ShortAddress address={row.wallet} />
              </span>
            </Cell>
            <Cell kind="end quiet not-phone">
              <Amount locale={locale} amount={row.received} />
            </Cell>
            <Cell kind="end quiet under-end">
              <span class="on-phone">{`${locale.say("moneyColumnWaiting")} `}</span>
              <Amount locale={locale} amount={row.waiting} />
            </Cell>
            <Cell kind="end quiet not-phone">
              {names.isManaged(row.wallet) ? (
                <Amount locale={locale} amount={row.withdrawn} />
              ) : (
                <span aria-hidden="true">–</span>
              )}
            </Cell>
            <SumCell locale={locale} amount={row.settled} />
          </tr>
        ))}
      </Table>
      <NextPage locale={locale} href={next} />
    </Part>
  );
}
