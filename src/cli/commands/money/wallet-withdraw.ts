import * as Email from "../../../domain/party/email.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type * as Address from "../../../domain/wallet/address.ts";
import { sentence } from "../../../lib/text/english.ts";
import { instant } from "../../../lib/time.ts";
import { describeFee, describeShortage, type GasAccount } from "../../../settle/gas-account.ts";
import {
  beginWithdrawal,
  carryOut,
  planWithdrawal,
  type WithdrawalOutcome,
  type WithdrawalPlan,
} from "../../../settle/withdraw.ts";
import * as PartyStore from "../../../store/tables/invoicing/party.ts";
import type { Withdrawal } from "../../../store/tables/settle/withdrawal.ts";
import * as WithdrawalStore from "../../../store/tables/settle/withdrawal.ts";
import { command, json, notA, parseAddress, UsageError } from "../../command.ts";
import { dataFlags, environmentOf } from "../../local/data-dir.ts";
import { type OpenInstallation, openGasAccount, withWallet } from "../../local/installation.ts";
import { amountText } from "../../records/format.ts";
import { say, sayAside, sayJson } from "../../terminal/output.ts";
import { agreed, refuseUnasked } from "../../terminal/prompt.ts";

/** Time to wait for a withdrawal; the server, or the same command, continues afterwards. */
const waitMsMax = 300_000;

/** Moves USDC out of a managed wallet, or continues its pending withdrawal. */
export const withdraw = command({
  calls: ["(--merchant EMAIL | --account N) --to ADDRESS --amount X|all [FLAGS]"],
  flags: {
    merchant: { value: "EMAIL", text: "whose managed wallet" },
    account: { value: "N", text: "the same wallet, by its number in till wallet show" },
    to: { value: "ADDRESS", text: "where the USDC goes" },
    amount: { value: "X|all", text: "how much, such as 750.00, or all" },
    yes: { text: "do not ask, for scripts" },
    json,
    ...dataFlags,
  },
  about: `Shows what will happen and asks first. The gas account pays the fee. While a withdrawal is pending, the same command continues it and starts no other.`,
  examples: [
    "till wallet withdraw --merchant billing@acme.example --amount all \\",
    "  --to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  ],

  async run(values) {
    if (values.to === undefined || values.amount === undefined)
      throw new UsageError("say where to and how much: --to ADDRESS --amount X, or --amount all.");
    const to = parseAddress(values.to, "--to");
    const amount = values.amount === "all" ? "all" : Usdc.parse(values.amount);
    if (amount === null) throw notA("--amount", values.amount, "USDC such as 750.00, or all");
    refuseUnasked(values.yes, "withdraw");

    return await withWallet(environmentOf(values), async (opened) => {
      const accountIndex = accountOf(opened, values.merchant, values.account);
      const gas = await openGasAccount(opened);
      const from = opened.wallet.merchantAddress(accountIndex);
      const pending = WithdrawalStore.pendingOf(opened.db, gas.chainId, from);
      const withdrawal = pending ?? (await begin(gas, opened, { accountIndex, to, amount }, values.yes));
      if (withdrawal === null) return 1;
      if (pending) sayAside(`Continuing the pending withdrawal: ${described(pending)}.`);
      const outcome = await carryOut(gas, withdrawal, AbortSignal.timeout(waitMsMax));
      tell(withdrawal, outcome, values.json);
      const isRequested = !pending || (pending.to === to && (amount === "all" || pending.amount === amount));
      if (!isRequested) sayAside("What you asked for is another withdrawal, and it was not begun.");
      return outcome.kind === "done" && isRequested ? 0 : 1;
    });
  },
});

function accountOf(
  { db }: OpenInstallation,
  merchant: string | undefined,
  account: string | undefined,
): number {
  if ((merchant === undefined) === (account === undefined))
    throw new UsageError(
      "say whose wallet it is: --merchant EMAIL, or --account N as till wallet show lists it.",
    );
  if (account !== undefined) {
    if (!/^[1-9]\d{0,8}$/.test(account)) throw new UsageError("--account must be a number, 1 or more.");
    return Number(account);
  }
  const email = Email.normalize(merchant ?? "");
  const row = PartyStore.listAccounts(db).find((each) => each.email === email);
  if (!row)
    throw new UsageError(`${JSON.stringify(email)} has no managed wallet here. See till wallet show.`);
  return row.accountIndex;
}

type WithdrawalOrder = { accountIndex: number; to: Address.Address; amount: Usdc.Usdc | "all" };

async function begin(
  gas: GasAccount,
  { config }: OpenInstallation,
  order: WithdrawalOrder,
  yes: boolean,
): Promise<Withdrawal | null> {
  const plan = await planWithdrawal(gas, { ...order, token: config.network.usdc });
  if (plan.fee.shortage) throw new Error(describeShortage(plan.fee.shortage));
  sayAside(describe(plan, config.network.label, gas.wallet.gasAddress));
  return (await agreed(yes, "Withdraw?", "Nothing was withdrawn.")) ? beginWithdrawal(gas, plan) : null;
}

function describe(
  { withdrawal, balance, fee }: WithdrawalPlan,
  network: string,
  gasAddress: Address.Address,
): string {
  return [
    `Withdraw ${amountText(Usdc.formatExact(withdrawal.amount))} USDC on ${network}`,
    `  from  ${withdrawal.from}, which has ${amountText(Usdc.formatExact(balance))} USDC`,
    `  to    ${withdrawal.to}`,
    `  fee   ${describeFee(fee)}, paid by the gas account ${gasAddress}`,
  ].join("\n");
}

function described({ amount, from, to }: Withdrawal): string {
  return `${amountText(Usdc.formatExact(amount))} USDC from ${from} to ${to}`;
}

function tell(withdrawal: Withdrawal, outcome: WithdrawalOutcome, json: boolean): void {
  const { from, to, amount } = withdrawal;
  const txHash = outcome.kind === "pending" ? null : outcome.txHash;
  const detail = outcome.kind === "done" ? null : detailOf(withdrawal, outcome);
  if (json) {
    sayJson({ state: outcome.kind, from, to, amount: Usdc.formatExact(amount), tx_hash: txHash, detail });
  } else if (detail === null) {
    say(`Withdrawn: ${described(withdrawal)} (${txHash}).`);
  } else {
    sayAside(detail);
  }
}

function detailOf(
  { validBeforeSec }: Withdrawal,
  outcome: Exclude<WithdrawalOutcome, { kind: "done" }>,
): string {
  if (outcome.kind === "failed") {
    const where = outcome.txHash === null ? "" : ` in transaction ${outcome.txHash}`;
    const next = outcome.isExposure
      ? sentence(WithdrawalStore.exposureAdvice)
      : "Repeat the command to begin a new withdrawal.";
    return `This was not withdrawn and will not be: ${outcome.reason}${where}. ${next}`;
  }
  const until = instant(validBeforeSec * 1_000);
  return (
    `The withdrawal is pending: ${outcome.reason} The same command continues it. It happens before ` +
    `${until} or not at all.`
  );
}
