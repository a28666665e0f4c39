import type { Wallet } from "../chain/account/wallet.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Link from "../domain/link/link.ts";
import * as Email from "../domain/party/email.ts";
import * as Usdc from "../domain/usdc.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import { counted } from "../lib/text/english.ts";
import type { Db } from "../store/database.ts";
import { eachDeposit, type StoredDeposit } from "../store/reports/replay.ts";
import * as OriginalStore from "../store/tables/invoicing/original.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";
import { type OnFinding, type OnProgress, reporter } from "./finding.ts";

const differencesNamedMax = 20;
const progressEvery = 1_000;

/**
 * Recalculates every total and status from the recorded transfers, and with the wallet every deposit address, and
 * compares them with the tables, in one snapshot of the database, whatever a running server does meanwhile.
 */
export function replayStored(
  db: Db,
  wallet: Wallet | null,
  onFinding: OnFinding,
  progress: OnProgress,
): void {
  const report = reporter("replay", onFinding);
  let deposits = 0;
  let differences = 0;
  db.run("BEGIN");
  try {
    const accounts = new Map(PartyStore.listAccounts(db).map((each) => [each.email, each.accountIndex]));
    for (const deposit of eachDeposit(db)) {
      deposits += 1;
      if (deposits % progressEvery === 0) progress(`${deposits} deposits`);
      const found = [...differencesOf(deposit), ...(wallet ? ofAddress(deposit, wallet, accounts) : [])];
      for (const { message, advice } of found) {
        differences += 1;
        if (differences > differencesNamedMax) continue;
        const name = ownerName(deposit.name, deposit.index);
        report.wrong(`${name}: ${message}.`, advice);
      }
    }
  } finally {
    db.run("COMMIT");
  }
  if (differences > differencesNamedMax)
    report.wrong(`There are ${differences} differences in all.`, "Begin with the ones named above.");
  if (differences === 0) {
    const what = wallet ? "totals, statuses and addresses" : "totals and statuses";
    report.ok(`The ${what} of all deposits (${deposits}) follow from what is stored.`);
  }
}

/** Reads every original and compares it with its hash. Reports their total size. */
export function checkOriginals(db: Db, onFinding: OnFinding, progress: OnProgress): void {
  const report = reporter("documents", onFinding);
  let damaged = 0;
  let read = 0;
  for (const { sha256, fileName, bytes } of OriginalStore.each(db)) {
    read += 1;
    if (read % progressEvery === 0) progress(`${read} documents`);
    if (new Bun.CryptoHasher("sha256").update(bytes).digest("hex") === sha256) continue;
    damaged += 1;
    if (damaged <= differencesNamedMax)
      report.wrong(`${fileName} is not what was issued: its SHA-256 is not ${sha256}.`, takeBackup);
  }
  if (damaged > 0) return;
  const { count, bytes } = OriginalStore.sizeOf(db);
  report.ok(
    `${counted(count, "document")} kept as issued, ${(bytes / 1e6).toFixed(1)} MB, each with its SHA-256.`,
  );
}

const takeBackup = "The database was changed by something other than Till: take the document from a backup.";

/** The invoice or link of a deposit, by the name people use. */
export function ownerName(name: ReceivableStore.DepositName | null, depositIndex: number): string {
  if (name === null) return `deposit ${depositIndex}`;
  return "link" in name ? `link ${name.link}` : name.invoice;
}

/** The names for the first of many deposits. */
export function namesOf(
  db: Db,
  { deposits, hasMore }: { deposits: readonly number[]; hasMore: boolean },
): string {
  const names = deposits.map((index) => ownerName(ReceivableStore.nameOf(db, index), index));
  return `${names.join(", ")}${hasMore ? ", …" : ""}`;
}

type Difference = { message: string; advice: string };

const recompute =
  "The database was changed by something other than Till. Compare with a backup; a new payment or till rescan works it out anew.";

function differencesOf(deposit: StoredDeposit): Difference[] {
  const { expected, received, pending, confirmedSum, pendingSum, invoice, link } = deposit;
  const { issued, currency, tolerance, voidedAt, markedPaidAt } = deposit;
  const facts = { expected, tolerance, received: confirmedSum, voidedAt, markedPaidAt };
  const found: Difference[] = [];
  const differs = (what: string, stored: string, right: string) =>
    stored === right ||
    found.push({
      message: `the ${what} is stored as ${stored}, but according to the records it is ${right}`,
      advice: recompute,
    });
  // Regardless of its currency.
  const exact = (amount: Usdc.Money) => Usdc.formatExact(amount as Usdc.Usdc);
  differs("received amount", Usdc.formatExact(received), Usdc.formatExact(confirmedSum));
  differs("pending amount", Usdc.formatExact(pending), Usdc.formatExact(pendingSum));
  if (currency)
    differs("expected amount", exact(issued), exact(Currency.toUsdc(currency.total, currency.rate)));
  if (invoice) {
    const { billed, sum, toReturn, returnSum, credited, creditSum, sentAt } = invoice;
    differs("total", exact(billed), exact(sum));
    differs("amount to return", Usdc.formatExact(toReturn), Usdc.formatExact(returnSum));
    differs("credited amount", exact(credited), exact(creditSum));
    differs("status", invoice.status, Invoice.status({ ...facts, sentAt }));
  } else if (link) {
    differs("status", link.status, Link.status({ ...facts, hasLost: link.hasLost }));
  } else {
    found.push({ message: "it belongs to no invoice and no link", advice: recompute });
  }
  return found;
}

/** An address that is not derived from the wallet may be somebody else's. */
function ofAddress(
  deposit: StoredDeposit,
  wallet: Wallet,
  accounts: ReadonlyMap<string, number>,
): Difference[] {
  const advice =
    "Do not let anybody pay there. The database was changed by something other than Till: compare with a backup.";
  const { index, salt, address, payoutWallet, factory, walletType, merchantEmail } = deposit;
  const { implementation } = DepositAddress;
  const isOurs =
    factory === DepositAddress.factory && salt === DepositAddress.saltFor(wallet.addressSecret, index);
  if (!isOurs || DepositAddress.derive({ factory, implementation, payoutWallet, salt }) !== address)
    return [{ message: `the deposit address ${address} does not come from this wallet`, advice }];
  if (walletType !== "managed" || merchantEmail === null) return [];
  const account = accounts.get(Email.normalize(merchantEmail));
  if (account !== undefined && wallet.merchantAddress(account) === payoutWallet) return [];
  return [{ message: `the payout wallet ${payoutWallet} is not the merchant's account`, advice }];
}
