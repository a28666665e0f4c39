import { readBalance } from "../../../chain/account/account.ts";
import { createBalanceReader } from "../../../chain/contract/balance.ts";
import { compareBalances } from "../../../doctor/check-balances.ts";
import { relayFigures, relaySums } from "../../../doctor/relay-state.ts";
import * as Ether from "../../../domain/ether.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { messageOf } from "../../../lib/error.ts";
import { missing } from "../../../settle/gas-account.ts";
import * as DepositStore from "../../../store/tables/invoicing/deposit.ts";
import * as PartyStore from "../../../store/tables/invoicing/party.ts";
import * as SettlementStore from "../../../store/tables/settle/settlement.ts";
import * as UnsettledStore from "../../../store/tables/settle/unsettled.ts";
import * as BalanceStore from "../../../store/tables/watch/balance.ts";
import { command, type ExitCode, json } from "../../command.ts";
import { dataFlags, environmentOf } from "../../local/dev-data.ts";
import { type OpenInstallation, openGasAccount, withWallet } from "../../local/installation.ts";
import {
  amountText,
  say,
  sayFacts,
  sayJson,
  sayTable,
  type TextCell,
  type TextColumn,
} from "../../terminal/output.ts";

/** Shows whose money is where. Whatever only a node knows is unknown while none answers. */
export const show = command({
  calls: ["[FLAGS]"],
  flags: { json, ...dataFlags },
  async run(values) {
    return await withWallet<ExitCode>(environmentOf(values), async (opened) => {
      const overview = await look(opened);
      if (values.json) sayJson(overview);
      else tell(overview);
      return 0;
    });
  },
});

/** ETH in wei and USDC as decimal text; null where no node answered. */
type Overview = {
  network: string;
  gas_account: { address: Address; balance_wei: string | null; missing_wei: string | null };
  managed_wallets: { merchant_email: string; account: number; address: Address; usdc: string | null }[];
  unsettled: { payout_wallet: Address; usdc: string; deposits: number }[];
  /** Deposits whose final settlement left the chain and has not been made again: the largest known, and those just found. */
  left_the_chain: { deposit_address: Address; usdc: string }[];
  /** What `till recover` found, and nothing here accounts for. */
  recovered: { deposit_address: Address; payout_wallet: Address; usdc: string }[];
  /** Signed payments in 24 hours, and their limits. */
  signed_payments: ReturnType<typeof relayFigures>;
  node_problem: string | null;
};

const leftMax = 100;

/** A reorganisation takes the latest settlements: so many are compared with the chain, in one call where it has Multicall3. */
const comparedMax = 500;

async function look(opened: OpenInstallation): Promise<Overview> {
  const { config, db, wallet } = opened;
  const managed = PartyStore.listAccounts(db).map(({ email, accountIndex }) => ({
    merchant_email: email,
    account: accountIndex,
    address: wallet.merchantAddress(accountIndex),
  }));
  const unsettled = DepositStore.listUnsettled(db);
  const shared = {
    network: config.network.label,
    unsettled: unsettled.map(({ payoutWallet, amount, deposits }) => ({
      payout_wallet: payoutWallet,
      usdc: Usdc.formatExact(amount),
      deposits,
    })),
    left_the_chain: BalanceStore.listUnexplained(db, "left", leftMax).deposits.map(({ address, amount }) => ({
      deposit_address: address,
      usdc: Usdc.formatExact(amount),
    })),
    recovered: UnsettledStore.listRecovered(db).map(({ address, payoutWallet, amount }) => ({
      deposit_address: address,
      payout_wallet: payoutWallet,
      usdc: Usdc.formatExact(amount),
    })),
    signed_payments: relayFigures(config.relay, relaySums(db, config.network.chainId, Date.now())),
  };
  try {
    const gas = await openGasAccount(opened);
    const [balance, shortage] = await Promise.all([readBalance(gas.rpc, wallet.gasAddress), missing(gas)]);
    const holders = managed.map(({ address }) => address);
    const balances = createBalanceReader(gas.rpc, config.network.usdc);
    const held = await balances.read(holders, "latest");
    const latest = SettlementStore.listLatest(db, comparedMax);
    const differing = await compareBalances({ db, rpc: gas.rpc, balances }, latest);
    const undone = differing
      .filter(({ isUndone }) => isUndone)
      .map(({ address, amount }) => ({
        deposit_address: address,
        usdc: Usdc.formatExact(Usdc.fromMicro(amount)),
      }));
    return {
      ...shared,
      left_the_chain: [...shared.left_the_chain, ...undone],
      gas_account: {
        address: wallet.gasAddress,
        balance_wei: `${balance}`,
        missing_wei: `${shortage === null ? 0n : shortage.needed - shortage.balance}`,
      },
      managed_wallets: managed.map((each, at) => ({
        ...each,
        usdc: Usdc.formatExact(held[at] ?? Usdc.zero),
      })),
      node_problem: null,
    };
  } catch (thrown) {
    return {
      ...shared,
      gas_account: { address: wallet.gasAddress, balance_wei: null, missing_wei: null },
      managed_wallets: managed.map((each) => ({ ...each, usdc: null })),
      node_problem: messageOf(thrown),
    };
  }
}

function tell({
  network,
  gas_account,
  managed_wallets,
  unsettled,
  left_the_chain,
  recovered,
  signed_payments: signed,
  node_problem,
}: Overview): void {
  const eth = gas_account.balance_wei === null ? "unknown" : Ether.format(BigInt(gas_account.balance_wei));
  const missing = BigInt(gas_account.missing_wei ?? 0);
  sayFacts([
    ["Network", network],
    ["Gas account", gas_account.address],
    ["", `${eth} ETH`],
    [
      "",
      missing > 0n
        ? `send at least ${Ether.format(missing)} ETH there: needed to settle what is waiting`
        : null,
    ],
    [
      "Signed",
      `${signed.paid_24h} paid and ${signed.failed_24h} failed in 24 hours, ${signed.on_the_way} on the way`,
    ],
    ["", `fees of ${signed.fees_24h_eth} ETH, of ${signed.budget_eth} that they may take`],
  ]);
  say("\nManaged wallets");
  sayRows(
    [{ right: "USDC" }, { right: "ACCOUNT" }, { below: "ADDRESS" }, "MERCHANT"],
    managed_wallets.map(({ merchant_email, account, address, usdc }) => [
      amountText(usdc ?? "unknown"),
      String(account),
      address,
      merchant_email,
    ]),
  );
  say("\nAt deposit addresses, waiting to be settled");
  sayRows(
    [{ right: "USDC" }, { right: "ADDRESSES" }, "PAYOUT WALLET"],
    unsettled.map(({ payout_wallet, usdc, deposits }) => [amountText(usdc), String(deposits), payout_wallet]),
  );
  if (left_the_chain.length > 0) {
    say("\nSettlements that left the chain after they were final, to be made again");
    sayTable(
      [{ right: "USDC" }, "ADDRESS"],
      left_the_chain.map(({ deposit_address, usdc }) => [amountText(usdc), deposit_address]),
    );
  }
  if (recovered.length > 0) {
    say("\nAt deposit addresses that till recover found; till recover --settle pays them out");
    sayTable(
      [{ right: "USDC" }, { below: "ADDRESS" }, "PAYOUT WALLET"],
      recovered.map((each) => [amountText(each.usdc), each.deposit_address, each.payout_wallet]),
    );
  }
  if (node_problem !== null) say(`\nBalances are unknown. ${node_problem}`);
}

function sayRows(columns: readonly TextColumn[], rows: readonly (readonly TextCell[])[]): void {
  if (rows.length > 0) sayTable(columns, rows);
  else say("none");
}
