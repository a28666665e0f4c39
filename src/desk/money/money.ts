import type { BookColumns } from "../../books/columns.ts";
import { relaySums } from "../../doctor/relay-state.ts";
import { qrImage } from "../../document/qr.ts";
import { may } from "../../domain/party/person.ts";
import * as Usdc from "../../domain/usdc.ts";
import { csvRowsAtOnce } from "../../http/answer/csv.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import { instant } from "../../lib/time.ts";
import type { Holdings } from "../../settle/treasury.ts";
import * as ElsewhereReport from "../../store/reports/desk/elsewhere.ts";
import * as MoneyReport from "../../store/reports/desk/money.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import * as UnsettledStore from "../../store/tables/settle/unsettled.ts";
import * as WithdrawalStore from "../../store/tables/settle/withdrawal.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import { csvAnswer } from "../csv.ts";
import type { Gate } from "../gate.ts";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { placeIn, placeText } from "../parts/place.ts";
import { addressRoutes } from "./addresses.tsx";
import { elsewhereRoutes } from "./elsewhere.ts";
import { type GasProps, gasPage } from "./gas.tsx";
import { moneyPage } from "./money-page.tsx";
import { walletNames } from "./movements.tsx";
import { withdrawRoutes } from "./withdraw.ts";
import { wordsRoutes } from "./words.ts";

const rowsOfPage = 20;

/** One line per transaction. */
const csvColumns: BookColumns<MoneyReport.Movement> = {
  moved_at: ({ at }) => instant(at),
  kind: (movement) => (WithdrawalStore.refundOf(movement) === null ? movement.kind : "refunded"),
  state: ({ state }) => state,
  currency: () => "USDC",
  amount: ({ amount }) => Usdc.formatExact(amount),
  payments: ({ kind, deposits }) => (kind === "withdrawn" ? null : deposits),
  payments_failed: ({ kind, failed }) => (kind === "withdrawn" ? null : failed),
  // With several wallets, each has its own line in `till export settlements`.
  to_address: ({ wallets, to }) => (wallets === 1 ? to : null),
  tx_hash: ({ txHash }) => txHash,
};

/** Maximum time that a page waits for a node; it shows what is known and updates itself. */
const nodeWaitMs = 500;

/** Where the money is, how it moves, and withdrawals from Till's wallet. */
export function moneyRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;
  const { network } = config;

  async function holdings(): Promise<Holdings | null> {
    const treasury = deps.treasury();
    if (treasury === null) return null;
    return (await within(treasury.read(), nodeWaitMs)) ?? treasury.glance();
  }

  /** Returns when the data shown was read; null while it is current. */
  const asOf = ({ readAt }: Holdings) => (deps.treasury()?.isCurrent() ? null : readAt);

  function gasProps(held: Holdings | null): GasProps | null {
    const address = WalletStore.gasAddress(db);
    if (address === null) return null;
    const signed = { ...relaySums(db, network.chainId, deps.now()), ...config.relay };
    return { address, held, asOf: held && asOf(held), signed };
  }

  async function page({ frame, query, who }: Visit, fault: string | null = null): Promise<string> {
    const { locale } = frame;
    const [held, managed] = await Promise.all([holdings(), deps.ownWallets()]);
    const after = Number(query.get("wallets") ?? 0);
    const payouts = MoneyReport.listPayouts(db, {
      after: Number.isSafeInteger(after) ? after : 0,
      limit: rowsOfPage,
    });
    const before = placeIn(query.get("before"), ["settled", "elsewhere", "withdrawn"]);
    const movements = MoneyReport.listMovements(db, { before, limit: rowsOfPage });
    const problem = deps.treasury()?.problem() ?? null;
    return moneyPage({
      frame,
      explorer: network.explorer,
      mayMove: may(who.role, "move"),
      sums: MoneyReport.all(db),
      held:
        managed.size === 0
          ? null
          : {
              amount: held && Usdc.sum(held.balances.values()),
              asOf: held && asOf(held),
              wallets: managed.size,
              unknown: managed.size - (held?.balances.size ?? 0),
            },
      silent: problem === null ? null : locale.say("nodeSilent", { reason: deps.redact(problem) }),
      fault,
      recovered: UnsettledStore.listRecovered(db).map(({ amount }) => amount),
      moves: { isByItself: config.settle === "auto", least: config.settleMin },
      left: BalanceStore.listUnexplained(db, "left", 1).total,
      isUnwritten: isUnwritten(deps),
      names: walletNames(deps, locale, managed),
      payouts: {
        rows: payouts.rows,
        next: payouts.next && `/desk/money?wallets=${payouts.next.id}`,
      },
      movements: {
        rows: movements.rows,
        next: movements.next && `/desk/money?before=${placeText(movements.next)}`,
        csv: may(who.role, "export") ? "/desk/money/movements.csv" : null,
      },
      stuck: held?.stuck ?? [],
      elsewhere: ElsewhereReport.listThere(db, network.name, rowsOfPage),
      gas: gasProps(held),
    });
  }

  gate.page("/desk/money", "read", page);
  gate.page("/desk/money/movements.csv", "export", (visit) =>
    csvAnswer("movements", db, visit, csvColumns, async (before) =>
      MoneyReport.listMovements(db, { before, limit: csvRowsAtOnce }),
    ),
  );
  gate.action("/desk/money/settle", "move", "money.settle", async (visit, form): Promise<FormOutcome> => {
    const { locale } = visit.frame;
    const waits = async (reason: string): Promise<FormOutcome> => {
      const fault = locale.say("settleFailed", { reason: deps.redact(reason) });
      return { kind: "failed", html: await page(visit, fault) };
    };
    try {
      const outcome = await deps.settleNow(form.get("retry") === "1");
      if (outcome?.kind === "begun") return { kind: "done", to: "/desk/money", did: "didSettle" };
      if (outcome?.kind === "waits") return await waits(outcome.reason);
      return await page(visit, locale.say("nothingToSettle"));
    } catch (thrown) {
      return await waits(messageOf(thrown));
    }
  });
  gate.page("/desk/money/gas", "read", async ({ frame }) => {
    const gas = gasProps(await holdings());
    if (gas === null) return null;
    return gasPage({ frame, gas, network: network.label, qr: qrImage(gas.address) });
  });
  wordsRoutes(deps, gate, async () => {
    const [held, managed] = await Promise.all([holdings(), deps.ownWallets()]);
    if (held?.balances.size !== managed.size) return null;
    return Usdc.sum([...held.balances.values(), MoneyReport.all(db).waiting]);
  });
  withdrawRoutes(deps, gate);
  elsewhereRoutes(deps, gate);
  addressRoutes(deps, gate);
}

/** True if perhaps nobody has a copy of the wallet's words. Development money is worth nothing. */
function isUnwritten({ db, dev }: Pick<HttpDeps, "db" | "dev">): boolean {
  return dev === null && WalletStore.gasAddress(db) !== null && WalletStore.wordsAt(db) === null;
}
