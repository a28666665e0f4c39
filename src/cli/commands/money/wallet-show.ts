import { readBalance } from "../../../chain/account/account.ts";
import { readBalances } from "../../../chain/contract/balance.ts";
import { compareBalances } from "../../../doctor/check-balances.ts";
import { relayFigures } from "../../../doctor/relay-state.ts";
import * as Ether from "../../../domain/ether.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { messageOf } from "../../../lib/error.ts";
import { shortageOf } from "../../../settle/gas-account.ts";
import * as DepositStore from "../../../store/tables/invoicing/deposit.ts";
import * as PartyStore from "../../../store/tables/invoicing/party.ts";
import * as SettlementStore from "../../../store/tables/settle/settlement.ts";
import * as UnsettledStore from "../../../store/tables/settle/unsettled.ts";
import * as BalanceStore from "../../../store/tables/watch/balance.ts";
import { command, type ExitCode, json } from "../../command.ts";
import { dataFlags, environmentOf } from "../../local/data-dir.ts";
import { type OpenInstallation, openGasAccount, withWallet } from "../../local/installation.ts";
import { amountText } from "../../records/format.ts";
import { answer, say } from "../../terminal/output.ts";
import { type Facts, sayList, sayRecord } from "../../terminal/table.ts";

/** Shows whose money is where. Facts that only a node knows are unknown while none responds. */
export const show = command({
  calls: ["[FLAGS]"],
  flags: { json, ...dataFlags },
  async run(values) {
    return await withWallet<ExitCode>(environmentOf(values), async (opened) => {
      const looked = await look(opened);
      return answer(values.json, looked, () => tell(looked));
    });
  },
});

/** ETH in wei and USDC as decimal text; null if no node responded. */
type Overview = Awaited<ReturnType<typeof look>>;

const leftMax = 100;

/** A reorganisation affects the latest settlements: this many are compared with the chain, in one call. */
const comparedMax = 500;

async function look(opened: OpenInstallation) {
  const { config, db, wallet } = opened;
  const managed = PartyStore.listAccounts(db).map(({ email, accountIndex }) => ({
    merchant_email: email,
    account: accountIndex,
    address: wallet.merchantAddress(accountIndex),
  }));
  let read: Awaited<ReturnType<typeof readChain>> | null = null;
  let problem: string | null = null;
  try {
    const holders = managed.map(({ address }) => address);
    read = await readChain(opened, holders);
  } catch (thrown) {
    problem = messageOf(thrown);
  }
  const left = BalanceStore.listUnexplained(db, "left", leftMax).deposits;
  return {
    network: config.network.label,
    unsettled: DepositStore.listUnsettled(db).map(({ payoutWallet, amount, deposits }) => ({
      payout_wallet: payoutWallet,
      usdc: Usdc.formatExact(amount),
      deposits,
    })),
    /** Deposits whose final settlement left the chain and was not repeated: the largest known, and those just found. */
    left_the_chain: [...left, ...(read?.undone ?? [])].map(({ address, amount }) => ({
      deposit_address: address,
      usdc: Usdc.formatExact(amount),
    })),
    /** Deposits that `till recover` found without a matching record. */
    recovered: UnsettledStore.listRecovered(db).map(({ address, payoutWallet, amount }) => ({
      deposit_address: address,
      payout_wallet: payoutWallet,
      usdc: Usdc.formatExact(amount),
    })),
    /** Figures of 24 hours, and their limits. */
    signed_payments: relayFigures(db, config, Date.now()),
    gas_account: {
      address: wallet.gasAddress,
      balance_wei: read && `${read.balance}`,
      missing_wei: read && `${read.missing}`,
    },
    managed_wallets: managed.map((each, at) => ({
      ...each,
      usdc: read && Usdc.formatExact(read.held[at] ?? Usdc.zero),
    })),
    node_problem: problem,
  };
}

/** Reads what only a node knows. Throws if none responds. */
async function readChain(opened: OpenInstallation, holders: readonly Address[]) {
  const { config, db, wallet } = opened;
  const gas = await openGasAccount(opened);
  const [balance, shortage] = await Promise.all([readBalance(gas.rpc, wallet.gasAddress), shortageOf(gas)]);
  const { usdc } = config.network;
  const held = await readBalances(gas.rpc, usdc, holders, "latest");
  const latest = SettlementStore.listLatest(db, comparedMax);
  const differing = await compareBalances({ db, rpc: gas.rpc, usdc }, latest);
  return {
    balance,
    missing: shortage === null ? 0n : shortage.needed - shortage.balance,
    held,
    undone: differing
      .filter(({ isUndone }) => isUndone)
      .map(({ address, amount }) => ({ address, amount: Usdc.fromMicro(amount) })),
  };
}

const inEther = (wei: string | null) => (wei === null ? "unknown" : Ether.format(BigInt(wei)));

const missingText = (wei: string | null) =>
  wei === null || wei === "0"
    ? null
    : `send at least ${inEther(wei)} ETH there: needed to settle what is waiting`;

type Signed = Overview["signed_payments"];

const signedText = ({ paid_24h, failed_24h, on_the_way }: Signed) =>
  `${paid_24h} paid and ${failed_24h} failed in 24 hours, ${on_the_way} on the way`;

const feesText = ({ fees_24h_eth, budget_eth }: Signed) =>
  `fees of ${fees_24h_eth} ETH, of ${budget_eth} that they may take`;

const facts: Facts<Overview> = [
  ["Network", "network"],
  ["Gas account", ({ gas_account }) => gas_account.address],
  ["", ({ gas_account }) => `${inEther(gas_account.balance_wei)} ETH`],
  ["", ({ gas_account }) => missingText(gas_account.missing_wei)],
  ["Signed", ({ signed_payments }) => signedText(signed_payments)],
  ["", ({ signed_payments }) => feesText(signed_payments)],
];

function tell(shown: Overview): void {
  sayRecord(facts, shown);
  say("\nManaged wallets");
  sayList(
    shown.managed_wallets,
    [
      [{ right: "USDC" }, ({ usdc }) => amountText(usdc ?? "unknown")],
      [{ right: "ACCOUNT" }, "account"],
      [{ below: "ADDRESS" }, "address"],
      ["MERCHANT", "merchant_email"],
    ],
    "none",
  );
  say("\nAt deposit addresses, waiting to be settled");
  sayList(
    shown.unsettled,
    [
      [{ right: "USDC" }, "usdc", amountText],
      [{ right: "ADDRESSES" }, "deposits"],
      ["PAYOUT WALLET", "payout_wallet"],
    ],
    "none",
  );
  if (shown.left_the_chain.length > 0) {
    say("\nSettlements that left the chain after they were final, to be made again");
    sayList(shown.left_the_chain, [
      [{ right: "USDC" }, "usdc", amountText],
      ["ADDRESS", "deposit_address"],
    ]);
  }
  if (shown.recovered.length > 0) {
    say("\nAt deposit addresses that till recover found; till recover --settle pays them out");
    sayList(shown.recovered, [
      [{ right: "USDC" }, "usdc", amountText],
      [{ below: "ADDRESS" }, "deposit_address"],
      ["PAYOUT WALLET", "payout_wallet"],
    ]);
  }
  if (shown.node_problem !== null) say(`\nBalances are unknown. ${shown.node_problem}`);
}
