import * as Ether from "../../domain/ether.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { randomName } from "../../lib/crypto.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import type { Holdings, Treasury } from "../../settle/treasury.ts";
import * as Asking from "../../settle/wallet-change.ts";
import type { WithdrawalPlan } from "../../settle/withdraw.ts";
import * as AllowedAddressStore from "../../store/tables/desk/allowed-address.ts";
import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import * as WithdrawalStore from "../../store/tables/settle/withdrawal.ts";
import { answer } from "../answer.ts";
import type { Gate } from "../gate.ts";
import { doneAt } from "../one.ts";
import type { FormFault } from "../parts/form/form.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { numberIn } from "../parts/place.ts";
import { walletNames } from "./movements.tsx";
import {
  confirmPage,
  type SourceWallet,
  type TypedWithdrawal,
  type WithdrawalOrder,
  withdrawPage,
} from "./withdraw-page.tsx";
import { withdrawalPage } from "./withdrawal-page.tsx";

/** The form is useless without balances, so it waits longer for a node than other pages do. */
const nodeWaitMs = 4_000;

const formKeyLength = 22;
const formKeyForm = /^\w{22}$/;

/** Withdrawals from Till's wallet: the form, its confirmation, and the progress. */
export function withdrawRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;
  const { network } = config;

  const holdingsOf = async (treasury: Treasury | null): Promise<Holdings | null> =>
    treasury && ((await within(treasury.read(), nodeWaitMs)) ?? treasury.glance());

  /** Lists all wallets of Till's, even while no node reports their balances. */
  async function sourceWallets(): Promise<SourceWallet[]> {
    const [held, managed] = await Promise.all([holdingsOf(deps.treasury()), deps.ownWallets()]);
    return [...managed.values()].map((each) => ({
      ...each,
      balance: held?.balances.get(each.address) ?? null,
    }));
  }

  const pendingFrom = (from: Address) => {
    const pending = WithdrawalStore.pendingOf(db, network.chainId, from);
    return pending && `/desk/money/withdrawals/${pending.id}`;
  };

  async function formPage(
    visit: Visit,
    typed: TypedWithdrawal,
    faults: readonly FormFault[],
  ): Promise<string> {
    const { frame } = visit;
    const all = await sourceWallets();
    const wallets = all.flatMap(({ balance, ...wallet }) => (balance ? [{ ...wallet, balance }] : []));
    const chosen = wallets.find(({ account }) => String(account) === typed.from) ?? wallets[0];
    return withdrawPage({
      frame,
      wallets,
      names: walletNames(deps, frame.locale, await deps.ownWallets()),
      unknownWallets: all.filter(({ balance }) => balance === null).length,
      addresses: AllowedAddressStore.list(db, visit.now).map((allowed) => ({
        ...allowed,
        usedAt: WithdrawalStore.lastUse(db, allowed.address),
      })),
      typed: { ...typed, from: String(chosen?.account ?? "") },
      faults,
      underWay: chosen ? pendingFrom(chosen.address) : null,
      ...Asking.readyAtNow(
        db,
        { hasMailServer: config.smtpUrl !== null },
        { now: visit.now, headAt: visit.now },
      ),
      command: `till wallet allow ADDRESS --name "My wallet"${deps.dev === null ? "" : " --dev"}`,
    });
  }

  /** Returns the requested withdrawal, or every fault in it. */
  async function orderOf(
    { frame, now }: Visit,
    typed: TypedWithdrawal,
  ): Promise<WithdrawalOrder | FormFault[]> {
    const { locale } = frame;
    const faults: FormFault[] = [];
    const wallet = (await sourceWallets()).find(({ account }) => String(account) === typed.from);
    const to = AllowedAddressStore.byAddress(db, typed.to, now);
    if (!wallet) faults.push({ field: "from", message: locale.say("withdrawFaultFrom") });
    else if (wallet.balance === null) {
      const reason = locale.say("balanceUnknownText");
      return [{ field: "amount", message: locale.say("withdrawFaultPlan", { reason }) }];
    }
    const amount = typed.isAll
      ? (wallet?.balance ?? null)
      : Usdc.parseTypedExact(typed.amount, locale.decimalMark);
    if (amount === null || (amount === 0n && !typed.isAll))
      faults.push({ field: "amount", message: locale.say("withdrawFaultAmount") });
    else if (wallet?.balance === 0n)
      faults.push({ field: "amount", message: locale.say("withdrawFaultNothing") });
    else if (wallet?.balance && amount > wallet.balance)
      faults.push({
        field: "amount",
        message: locale.say("withdrawFaultTooMuch", {
          amount: locale.figure(Usdc.formatExact(wallet.balance)),
        }),
      });
    if (!to) faults.push({ field: "to", message: locale.say("withdrawFaultTo") });
    if (faults.length > 0 || !wallet || !to || amount === null) return faults;
    return { wallet, to, amount };
  }

  /** Returns the plan, or why it is impossible. */
  async function planOf({ frame }: Visit, order: WithdrawalOrder): Promise<WithdrawalPlan | FormFault[]> {
    const { locale } = frame;
    const treasury = deps.treasury();
    if (treasury === null) return [{ field: "amount", message: locale.say("checkRunsText") }];
    try {
      const { wallet, to, amount } = order;
      const plan = await treasury.plan({ accountIndex: wallet.account, to: to.address, amount });
      const { shortage } = plan.fee;
      if (shortage === null) return plan;
      const eth = Ether.format(shortage.needed - shortage.balance);
      return [{ field: "amount", message: locale.say("withdrawFaultGas", { eth }) }];
    } catch (thrown) {
      const reason = deps.redact(messageOf(thrown));
      return [{ field: "amount", message: locale.say("withdrawFaultPlan", { reason }) }];
    }
  }

  function confirmation(
    visit: Visit,
    order: WithdrawalOrder,
    plan: WithdrawalPlan,
    faults: readonly FormFault[] = [],
  ) {
    return confirmPage({
      frame: visit.frame,
      network: network.label,
      order,
      plan,
      formKey: randomName(formKeyLength),
      proof: gate.proving.ask(visit, purposeOf(order)),
      faults,
    });
  }

  async function withdraw(visit: Visit, form: URLSearchParams): Promise<FormOutcome> {
    const { locale } = visit.frame;
    const field = (name: string) => form.get(name) ?? "";
    const formKey = field("key");
    const shown = (id: number, subject: string) =>
      doneAt(`/desk/money/withdrawals/${id}`, "didWithdraw", subject);
    // The same form again, whatever became of the first.
    const begun = WithdrawalStore.byForm(db, formKey);
    if (begun) return shown(begun.id, subjectOf(begun.amount, begun.to));
    const micro = /^\d{1,16}$/.test(field("micro")) ? Usdc.fromMicro(BigInt(field("micro"))) : Usdc.zero;
    const typed = { from: field("from"), to: field("to"), amount: Usdc.formatExact(micro), isAll: false };
    const refused = async (faults: readonly FormFault[]): Promise<FormOutcome> =>
      await formPage(visit, typed, faults);
    if (!formKeyForm.test(formKey))
      return refused([{ field: "amount", message: locale.say("withdrawFaultForm") }]);
    const order = await orderOf(visit, typed);
    if (Array.isArray(order)) return refused(order);
    const plan = await planOf(visit, order);
    if (Array.isArray(plan)) return refused(plan);
    const fault = await gate.proving.check(visit, purposeOf(order), form);
    if (fault) return confirmation(visit, order, plan, [fault]);
    const treasury = deps.treasury();
    try {
      if (treasury === null) throw new Error(locale.say("checkRunsText"));
      // Nothing is awaited between this and storing it.
      if (!gate.isStill(visit)) throw new Error("Who asked for it was signed out, or got another role.");
      const { id } = treasury.begin(plan, formKey);
      return shown(id, subjectOf(order.amount, order.to.name));
    } catch (thrown) {
      const message = locale.say("withdrawFaultBegin", { reason: deps.redact(messageOf(thrown)) });
      return { kind: "failed", html: await formPage(visit, typed, [{ field: "amount", message }]) };
    }
  }

  gate.page("/desk/money/withdraw", "move", (visit) => formPage(visit, typedIn(visit.query), []));
  gate.page("/desk/money/withdraw/confirm", "move", async (visit) => {
    const typed = typedIn(visit.query);
    const again = async (faults: readonly FormFault[]) => answer(await formPage(visit, typed, faults), 422);
    const order = await orderOf(visit, typed);
    if (Array.isArray(order)) return again(order);
    if (pendingFrom(order.wallet.address) !== null) return again([]);
    const plan = await planOf(visit, order);
    return Array.isArray(plan) ? again(plan) : confirmation(visit, order, plan);
  });
  gate.action("/desk/money/withdraw", "move", "money.withdraw", withdraw);
  gate.page("/desk/money/withdrawals/:id", "read", async ({ frame, params }) => {
    const number = numberIn(params["id"]);
    const withdrawal = number === null ? null : WithdrawalStore.byId(db, number);
    if (!withdrawal) return null;
    const treasury = deps.treasury();
    const names = walletNames(deps, frame.locale, await deps.ownWallets());
    const { id, transactionId } = withdrawal;
    const obstacle = treasury?.obstacleOf(id) ?? null;
    const [sent] = transactionId === null ? [] : GasTransactionStore.listAttempts(db, transactionId);
    return withdrawalPage({
      frame,
      explorer: network.explorer,
      withdrawal,
      sentHash: sent?.hash ?? null,
      names,
      obstacle: obstacle === null ? null : deps.redact(obstacle),
    });
  });
}

/** A proof covers this amount from this wallet to this address, and nothing else. */
const purposeOf = ({ wallet, to, amount }: WithdrawalOrder) =>
  `withdraw ${amount} ${wallet.account} ${to.address}`;

/** The audit's description. */
const subjectOf = (amount: Usdc.Usdc, to: string) => `${Usdc.formatExact(amount)} USDC → ${to}`;

function typedIn(query: URLSearchParams): TypedWithdrawal {
  const field = (name: string) => (query.get(name) ?? "").trim();
  return {
    from: field("from"),
    to: field("to"),
    amount: field("amount"),
    isAll: query.get("all") === "1",
  };
}
