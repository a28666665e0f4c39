import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openWallet } from "../../../chain/account/wallet.ts";
import { type Environment, parseConfig, readSettings } from "../../../config/config.ts";
import * as InvoiceNumber from "../../../domain/bill/invoice-number.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { instant, instantOrNull } from "../../../lib/time.ts";
import { openReadOnly } from "../../../store/database.ts";
import { walletFile } from "../../../store/files/data-dir.ts";
import { sentencesOf } from "../../../store/files/left-behind.ts";
import { lockDataDir } from "../../../store/files/lock.ts";
import { type RestoreReport, restoreBackup } from "../../../store/files/restore.ts";
import { readStored } from "../../../till/settings.ts";
import { watchedMs } from "../../../watch/deposits.ts";
import { command, json, onlyWord, UsageError } from "../../command.ts";
import { dataDirOf, dataFlags, environmentOf } from "../../local/data-dir.ts";
import { answer } from "../../terminal/output.ts";

export const restore = command({
  calls: ["FILE [FLAGS]"],
  words: [["FILE", "a file from till backup, or another copy of till.db"]],
  flags: {
    "next-invoice": {
      value: "N",
      text: "the number of the next invoice (43 for INV-0043); needed if no database is left that knows the numbers issued after the backup",
    },
    "next-credit-note": {
      value: "N",
      text: "the number of the next credit note; without it, and if nobody knows the numbers issued after the backup, Till skips 1,000",
    },
    "next-receipt": { value: "N", text: "the same for the receipts of payment links with tax" },
    force: {
      text: "also replace a database that is newer than the backup, or that Till cannot compare with it",
    },
    "trust-clock": {
      text: "this machine's clock is right, though the data knows a later time: a clock was ahead before",
    },
    json,
    ...dataFlags,
  },
  about: `Stop the server first. Till keeps the existing database under another name. The next till serve reads the chain from where the backup ends, and credits payments made since.`,
  examples: ["till restore /mnt/backup/till-2026-11-21.db --next-invoice 43"],

  async run(values, words) {
    const file = onlyWord(words, "say what to restore: till restore FILE.");
    const environment = environmentOf(values, { guess: false });
    const dataDir = dataDirOf(environment);
    const numbers = readSettings(environment, (value) => value("INVOICE_NUMBER"));
    const creditNumbers = readSettings(environment, (value) => value("CREDIT_NOTE_NUMBER"));
    const receiptNumbers = readSettings(environment, (value) => value("RECEIPT_NUMBER"));
    const nextInvoice = parseNumber(values["next-invoice"], numbers, "invoice");
    const nextCreditNote = parseNumber(values["next-credit-note"], creditNumbers, "credit note");
    const nextReceipt = parseNumber(values["next-receipt"], receiptNumbers, "receipt");
    const lock = lockDataDir(dataDir);
    try {
      const done = restoreBackup({
        dataDir,
        file: resolve(file),
        force: values.force,
        trustClock: values["trust-clock"],
        wallet: await walletThere(environment, dataDir),
        nextInvoice,
        nextCreditNote,
        nextReceipt,
        now: Date.now(),
        hotMs: watchedMs,
      });
      return answer(values.json, record(done), story(done, dataDir, patternsIn(environment, dataDir)));
    } finally {
      lock.release();
    }
  },
});

/** Account 0 of the wallet that is there, or why it does not open; null if there is none. */
async function walletThere(environment: Environment, dataDir: string): Promise<Address | Error | null> {
  const file = walletFile(dataDir);
  if (!existsSync(file)) return null;
  try {
    const { walletPassphrase: passphrase } = parseConfig(environment, { needs: ["WALLET_PASSPHRASE"] });
    return (await openWallet({ file, passphrase })).gasAddress;
  } catch (thrown) {
    if (thrown instanceof Error) return thrown;
    throw thrown;
  }
}

/** A larger number is a slip, and irreversible: no lower number is ever given out afterwards. */
const sequenceMax = 999_999_999;

function parseNumber(
  text: string | undefined,
  numbers: InvoiceNumber.Pattern,
  what: "invoice" | "credit note" | "receipt",
): number | null {
  if (text === undefined) return null;
  const sequence = /^\d{1,9}$/.test(text) ? Number(text) : InvoiceNumber.sequenceOf(numbers, text);
  if (!sequence || sequence > sequenceMax)
    throw new UsageError(
      `${JSON.stringify(text)} is not the number of ${what === "invoice" ? "an" : "a"} ${what} such as 43.`,
    );
  return sequence;
}

function record(done: RestoreReport) {
  return {
    backup_made_at: instantOrNull(done.madeAt),
    last_invoice: done.lastInvoice,
    next_invoice: done.nextInvoice,
    next_credit_note: done.nextCreditNote,
    next_receipt: done.nextReceipt,
    replaced: done.replaced,
    left_behind: done.leftBehind,
    wallet: done.wallet,
    wallet_replaced: done.walletReplaced,
    block: done.block,
    mails_held: done.mailsHeld,
    people: done.people,
    people_removed: done.peopleRemoved,
    people_removed_known: done.isRemovalKnown,
  };
}

/** As people set them at the desk of the restored database, unless the environment says otherwise. */
function patternsIn(environment: Environment, dataDir: string): Patterns {
  const db = openReadOnly(dataDir);
  try {
    return readSettings(
      environment,
      (value) => ({
        numbers: value("INVOICE_NUMBER"),
        creditNumbers: value("CREDIT_NOTE_NUMBER"),
        receiptNumbers: value("RECEIPT_NUMBER"),
      }),
      readStored(db, null).stored,
    );
  } finally {
    db.close();
  }
}

type Patterns = Record<"numbers" | "creditNumbers" | "receiptNumbers", InvoiceNumber.Pattern>;

function goesOn(what: string, pattern: InvoiceNumber.Pattern, next: number, last: number): string {
  const number = (sequence: number) => InvoiceNumber.of(pattern, sequence);
  const begins = `The next ${what} is ${number(next)}`;
  if (next === last + 1) return `${begins}, right after the last one of the backup.`;
  const newest = last === 0 ? "The backup has none" : `The last one of the backup is ${number(last)}`;
  return `${begins}. ${newest}; the numbers in between are left out, as customers may have them.`;
}

function story(done: RestoreReport, dataDir: string, patterns: Patterns): string {
  const madeAt = done.madeAt === null ? "" : ` of ${instant(done.madeAt)}`;
  const wallet = {
    kept: "The wallet that was there is kept.",
    restored: "The wallet came with the backup; it opens with the passphrase that it had then.",
    missing: `The file holds no wallet: put your copy of wallet.age into ${dataDir} before you start Till.`,
  }[done.wallet];
  const { people, peopleRemoved, mailsHeld, refundsOwed } = done;
  const { numbers, creditNumbers, receiptNumbers } = patterns;
  const lines = [
    peopleRemoved.length > 0 &&
      `Removed since the backup, and can sign in again: ${peopleRemoved.join(", ")}. Remove them again at the ` +
        "desk, under Settings, People.",
    `The backup${madeAt} is in place in ${dataDir}.`,
    done.replaced !== null && `What was there before is kept as ${done.replaced}.`,
    done.leftBehind !== null && sentencesOf(done.leftBehind),
    wallet,
    done.walletReplaced !== null && `The wallet that was there is kept as ${done.walletReplaced}.`,
    goesOn("invoice", numbers, done.nextInvoice, done.lastInvoice),
    done.nextCreditNote !== 1 &&
      goesOn("credit note", creditNumbers, done.nextCreditNote, done.lastCreditNote),
    done.nextReceipt !== 1 && goesOn("receipt", receiptNumbers, done.nextReceipt, done.lastReceipt),
    "Deposit addresses continue in a range of their own, so that none is given out twice.",
    done.block === null
      ? "The chain is read from the first deposit on."
      : `The next till serve reads the chain from block ${done.block} on and credits what was paid since. If you ` +
        `ever doubt that a payment was seen: till rescan --from ${done.block}`,
    "API keys and webhooks are as they were: revoke again the keys, and remove again the webhook endpoints, that you did " +
      "away with since (till key list, till endpoint list), and expect the events since then a second time.",
    people.length > 0 &&
      `At the desk everybody signs in again, and can who could then, with the roles, passkeys and passwords of ` +
        `then: ${people.join(", ")}. ${done.isRemovalKnown ? "" : "Nobody knows whom you removed since: look through the list. "}` +
        "Remove again what you took away since: passkeys, and the addresses for withdrawals (till wallet allow).",
    refundsOwed > 0 &&
      "What was refunded since the backup is owed again here: before you approve a refund, look at what left your wallets " +
        "since, so that nobody is paid back twice.",
    mailsHeld > 0 &&
      `${mailsHeld === 1 ? "A mail" : `${mailsHeld} mails`} waited in the backup. Send yourself what has not gone out since.`,
  ];
  return lines.filter(Boolean).join("\n");
}
