import { readFileSync } from "node:fs";
import { readBalances } from "../../../chain/contract/balance.ts";
import { type Call, settleCall } from "../../../chain/contract/settle-call.ts";
import * as Calendar from "../../../domain/calendar.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type * as Address from "../../../domain/wallet/address.ts";
import { settlementDepositsMax } from "../../../domain/wallet/deposit-address.ts";
import { messageOf } from "../../../lib/error.ts";
import { chunks } from "../../../lib/loop.ts";
import { withFactory } from "../../../settle/factory.ts";
import type { GasAccount } from "../../../settle/gas-account.ts";
import {
  continueAfter,
  type FoundDeposit,
  gapDefault,
  merchantGapDefault,
  noteFound,
  type PayoutWallet,
  type Progress,
  probeDefault,
  type SearchResult,
  search,
  withBalances,
} from "../../../settle/recover.ts";
import { run } from "../../../settle/run.ts";
import { knownEpoch } from "../../../store/files/restore-facts.ts";
import { command, type ExitCode, json, notA, parseAddress, UsageError } from "../../command.ts";
import { dataFlags, environmentOf } from "../../local/data-dir.ts";
import { openGasAccount, withWallet } from "../../local/installation.ts";
import { amountText } from "../../records/format.ts";
import { say, sayAside, sayJson } from "../../terminal/output.ts";
import { confirm, refuseUnasked } from "../../terminal/prompt.ts";
import { callsJson, callsText } from "../money/settle.ts";

const numberMax = 1_000_000_000;

/** How long to wait for the transactions; running the command again continues with them. */
const waitMsMax = 600_000;

export const recover = command({
  calls: ["[FLAGS]", "… --settle [--yes]", "… --print"],
  flags: {
    wallets: {
      value: "FILE",
      text: "your own payout wallets (byo), one address per line; # starts a comment",
    },
    gap: {
      value: "N",
      text: `stop after this many deposits in a row that never received money (default ${gapDefault})`,
    },
    accounts: {
      value: "N",
      text: `stop after this many managed wallets in a row that nobody paid (default ${merchantGapDefault})`,
    },
    probe: {
      value: "N",
      text: `search a restore's deposits if one of this many first ones received money (default ${probeDefault})`,
    },
    since: {
      value: "DATE",
      text: "when you set this Till up, such as 2027-03-31; without it, the search takes longer",
    },
    until: {
      value: "DATE",
      text: "how far the clock of this Till may have been ahead; without it, only a day, or as far as the database knows",
    },
    "next-invoice": {
      value: "N",
      text: "the number of the next invoice (default 1): the chain does not know which ones customers have",
    },
    settle: {
      text: "pay each address found out to its payout wallet; the gas account pays the fee",
    },
    yes: { text: "do not ask, for scripts" },
    print: { text: "print the transactions instead: anybody can send them from any wallet" },
    json,
    ...dataFlags,
  },
  about: `Finds every deposit address that ever received money, even after a restore, and what it holds now. It needs the wallet (see till wallet restore) and the list of payout wallets; it cannot find addresses of a byo wallet that is not on the list. Afterwards, till serve issues new addresses beyond those.`,
  examples: ["till recover --wallets payout-wallets.txt --settle"],

  async run(values) {
    const byo = values.wallets === undefined ? [] : readWallets(values.wallets);
    const gap = parseNumber(values.gap ?? `${gapDefault}`, "--gap", 1);
    const merchantGap = parseNumber(values.accounts ?? `${merchantGapDefault}`, "--accounts", 0);
    const probe = parseNumber(values.probe ?? `${probeDefault}`, "--probe", 1);
    const sinceMs = values.since === undefined ? 0 : parseDay(values.since, "--since") - dayMs;
    const untilMs = values.until === undefined ? 0 : parseDay(values.until, "--until") + 2 * dayMs;
    const nextInvoice = parseNumber(values["next-invoice"] ?? "1", "--next-invoice", 1);
    if (values.settle && values.print)
      throw new UsageError("--settle sends what --print prints: choose one.");
    if (values.settle) refuseUnasked(values.yes, "settle");

    return await withWallet<ExitCode>(environmentOf(values, { guess: false }), async (opened) => {
      const { config, db, wallet } = opened;
      const gas = await openGasAccount(opened);
      const usdc = config.network.usdc;
      const now = Date.now();
      const times = { sinceMs, untilMs, knownEpoch: knownEpoch(db, config.dataDir), now };
      const wanted = { wallet, rpc: gas.rpc, usdc, byo, gap, merchantGap, probe, ...times };
      const searched = await search({ ...wanted, onProgress: showProgress });
      if (process.stderr.isTTY) process.stderr.write("\n");
      continueAfter(db, config.dataDir, wanted, searched, nextInvoice);
      const managed = searched.payoutWallets.filter(({ account }) => account !== null);

      const full = searched.deposits.filter(({ balance }) => balance > 0n);
      if (values.print && values.json) {
        sayJson(callsJson(await withFactory(gas, callsOf(usdc, full)), gas.chainId));
        return 0;
      }
      noteFound(db, searched);
      const look = async (now: SearchResult) =>
        overviewOf(now, managed, await balancesOf(gas, usdc, managed));
      const overview = await look(searched);
      if (!values.json) say(describe(overview, totalOf(full)));
      if (values.print && full.length > 0)
        say(`\n${callsText(await withFactory(gas, callsOf(usdc, full)), config.network)}`);
      const settled = values.settle && full.length > 0 ? await settleAll(gas, usdc, full, values.yes) : null;
      const after = settled && { ...searched, deposits: await withBalances(wanted, searched.deposits) };
      if (after) noteFound(db, after);
      const then = after === null ? overview : await look(after);
      if (values.json) sayJson({ ...then, ...(settled ? { settled } : {}) });
      else if (settled?.left === "0.00")
        say(["Everything was paid out.", ...describeManaged(then)].join("\n"));
      if (settled && settled.obstacle !== null && !values.json) sayAside(settled.obstacle);
      return settled && (settled.obstacle !== null || settled.left !== "0.00") ? 1 : 0;
    });
  },
});

function showProgress({ looked, found, epochs, ofEpochs }: Progress): void {
  if (!process.stderr.isTTY) return;
  const share = epochs === 0 ? "" : `; looking for restores, ${Math.floor((100 * epochs) / ofEpochs)} % done`;
  process.stderr.write(`\rLooked at ${looked} addresses, found ${found}${share} `);
}

function balancesOf(
  { rpc }: GasAccount,
  usdc: Address.Address,
  holders: readonly { address: Address.Address }[],
): Promise<Usdc.Usdc[]> {
  const addresses = holders.map(({ address }) => address);
  return readBalances(rpc, usdc, addresses, "latest");
}

const totalOf = (deposits: readonly FoundDeposit[]) => Usdc.sum(deposits.map(({ balance }) => balance));

/** The transactions that pay these out, once there is a factory. */
function callsOf(usdc: Address.Address, full: readonly FoundDeposit[]): Call[] {
  return chunks(full, settlementDepositsMax).map((batch) => settleCall(usdc, batch));
}

/** Pays these out after asking, unless `yes`. Returns the USDC left, and the obstacle; null for none. */
async function settleAll(
  gas: GasAccount,
  usdc: Address.Address,
  full: readonly FoundDeposit[],
  yes: boolean,
) {
  if (!yes && !(await confirm(`Pay out what is at ${addresses(full.length)}?`)))
    return { left: Usdc.formatExact(totalOf(full)), obstacle: "Nothing was paid out." };
  const about = { purpose: "settle", reason: `pay out ${full.length} recovered deposits` } as const;
  const jobs = callsOf(usdc, full).map((call) => ({ ...call, ...about }));
  const { obstacle } = await run(gas, jobs, AbortSignal.timeout(waitMsMax));
  return { left: Usdc.formatExact(Usdc.sum(await balancesOf(gas, usdc, full))), obstacle };
}

function parseNumber(text: string, what: string, min: number): number {
  if (/^\d{1,14}$/.test(text) && Number(text) >= min && Number(text) <= numberMax) return Number(text);
  throw notA(what, text, `a whole number, ${min} or more`);
}

/** A day more on either side is for people in other time zones. */
const dayMs = 86_400_000;

/** The beginning of a day, in Unix ms. */
function parseDay(text: string, what: string): number {
  if (Calendar.isDay(text)) return Date.parse(`${text}T00:00:00Z`);
  throw notA(what, text, "a date such as 2027-03-31");
}

function readWallets(file: string): Address.Address[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    throw new UsageError(`${file} cannot be read: ${messageOf(thrown)}.`);
  }
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim());
  return lines.flatMap((line, at) => (line === "" ? [] : [parseAddress(line, `line ${at + 1} of ${file}`)]));
}

/** The command's JSON; `held` are the managed wallets' balances, in order. */
function overviewOf(
  { searchedTo, epochs, payoutWallets, deposits }: SearchResult,
  managed: readonly PayoutWallet[],
  held: readonly Usdc.Usdc[],
) {
  return {
    searched: { to_index: searchedTo, epochs, payout_wallets: payoutWallets.length },
    deposits: deposits.map(({ index, address, payoutWallet, balance }) => ({
      index,
      address,
      payout_wallet: payoutWallet,
      usdc: Usdc.formatExact(balance),
    })),
    managed_wallets: managed.flatMap(({ account, address }, at) =>
      held[at] ? [{ account, address, usdc: Usdc.formatExact(held[at]) }] : [],
    ),
  };
}

function addresses(count: number): string {
  return `${count} deposit ${count === 1 ? "address" : "addresses"}`;
}

function describe(
  { searched, deposits, managed_wallets }: ReturnType<typeof overviewOf>,
  total: Usdc.Usdc,
): string {
  return [
    `Looked for deposits 0 to ${searched.to_index} of ${searched.payout_wallets} payout wallets, and into each quarter of an`,
    `hour in which a restore can have been (${searched.epochs}).`,
    deposits.length === 0
      ? "Found no deposit address that ever received money."
      : `Found ${addresses(deposits.length)} with ${amountText(Usdc.formatExact(total))} USDC in ${deposits.length === 1 ? "it" : "them"}:`,
    ...deposits.map(
      ({ index, address, payout_wallet, usdc }) =>
        `  ${index}  ${address}  ${amountText(usdc)} USDC  pays ${payout_wallet}`,
    ),
    ...describeManaged({ managed_wallets }),
  ].join("\n");
}

function describeManaged({ managed_wallets }: Pick<ReturnType<typeof overviewOf>, "managed_wallets">) {
  const lines = managed_wallets.map(
    ({ account, address, usdc }) => `  account ${account}  ${address}  ${amountText(usdc)} USDC`,
  );
  return lines.length > 0 ? ["In managed wallets:", ...lines] : [];
}
