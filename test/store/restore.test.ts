import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { english, generateMnemonic } from "viem/accounts";
import { createKeystore } from "../../src/chain/account/keystore.ts";
import * as Bill from "../../src/domain/link/bill.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import * as Epoch from "../../src/domain/wallet/epoch.ts";
import { makeEntryLink } from "../../src/people/entry.ts";
import { enterByAccount } from "../../src/people/openid.ts";
import { removePerson } from "../../src/people/people.ts";
import { beginSession, sessionOf } from "../../src/people/sessions.ts";
import { note } from "../../src/store/announce.ts";
import { closeDatabase, type Db, openDatabase } from "../../src/store/database.ts";
import { makeBackup } from "../../src/store/files/backup.ts";
import { prepareDataDir } from "../../src/store/files/data-dir.ts";
import { finishRestore, type RestoreReport, restoreBackup } from "../../src/store/files/restore.ts";
import { leaveOutUnknown } from "../../src/store/files/restore-facts.ts";
import { schemaOf, schemaSteps } from "../../src/store/migrations.ts";
import * as AccountStore from "../../src/store/tables/desk/account.ts";
import * as AllowedAddressStore from "../../src/store/tables/desk/allowed-address.ts";
import * as EntryLinkStore from "../../src/store/tables/desk/entry-link.ts";
import * as PersonStore from "../../src/store/tables/desk/person.ts";
import { setGasAddress } from "../../src/store/tables/installation/wallet.ts";
import * as CreditNoteStore from "../../src/store/tables/invoicing/credit-note.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as PartyStore from "../../src/store/tables/invoicing/party.ts";
import * as ReceiptStore from "../../src/store/tables/invoicing/receipt.ts";
import * as ReceivableStore from "../../src/store/tables/invoicing/receivable.ts";
import * as RefundStore from "../../src/store/tables/invoicing/refund.ts";
import * as ReusableStore from "../../src/store/tables/invoicing/reusable-link.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import * as MailQueueStore from "../../src/store/tables/outbox/mail-queue.ts";
import * as OwnerMailStore from "../../src/store/tables/outbox/owner-mail.ts";
import * as ReminderStore from "../../src/store/tables/outbox/reminder.ts";
import * as WalletChangeStore from "../../src/store/tables/settle/wallet-change.ts";
import * as RereadStore from "../../src/store/tables/watch/reread.ts";
import * as WatchedStore from "../../src/store/tables/watch/watched.ts";
import { cheap, makeDataDir, makeWallet, openNewDatabase } from "../support/till/data-dir.ts";
import { program, startProcess } from "../support/till/process.ts";
import {
  namedOf,
  payoutWallet,
  recordSettings,
  storeInvoice,
  storeLink,
  storeReusable,
} from "../support/till/records.ts";
import { callTill } from "../support/till/run-till.ts";
import { usdc } from "../support/usdc.ts";
import { putCheckpoint } from "../support/watch/looked.ts";

const dir = makeDataDir();
afterAll(dir.remove);

const hotMs = 30 * 86_400_000;
const walletText =
  "-----BEGIN AGE ENCRYPTED FILE-----\nbm90IGEgcmVhbCBvbmU=\n-----END AGE ENCRYPTED FILE-----\n";
let made = 0;

function backUp(dataDir: string, now = Date.now()): string {
  const file = join(dir.path, `backup-${++made}.db`);
  makeBackup({ dataDir, file, force: false, version: "1.2.3", now });
  return file;
}

/** A data directory with a wallet, some invoices and what else is stored, and a backup of it. */
function makeInstallation(
  invoices: number,
  store: (db: Db) => unknown = () => {},
  now?: number,
): { dataDir: string; file: string } {
  made += 1;
  const dataDir = join(dir.path, `data-${made}`);
  const db = openNewDatabase(dataDir);
  setGasAddress(db, payoutWallet);
  PartyStore.accountIndex(db, "a@acme.example");
  for (let i = 0; i < invoices; i++) storeInvoice(db);
  store(db);
  writeFileSync(join(dataDir, "wallet.age"), walletText, { mode: 0o600 });
  const file = backUp(dataDir, now);
  closeDatabase(db);
  return { dataDir, file };
}

function withDb<T>(dataDir: string, work: (db: Db) => T): T {
  const db = openDatabase(dataDir);
  try {
    return work(db);
  } finally {
    closeDatabase(db);
  }
}

function restore(
  dataDir: string,
  file: string,
  options: {
    force?: boolean;
    nextInvoice?: number;
    nextCreditNote?: number;
    nextReceipt?: number;
    now?: number;
    trustClock?: boolean;
  } = {},
): RestoreReport {
  const { force = false, nextInvoice = null, nextCreditNote = null, nextReceipt = null } = options;
  const { now = Date.now(), trustClock = false } = options;
  const numbers = { nextInvoice, nextCreditNote, nextReceipt };
  return restoreBackup({ dataDir, file, force, trustClock, ...numbers, now, hotMs });
}

const addOwner = (db: Db, name: string) =>
  PersonStore.insert(db, { name, role: "owner", handle: name, passwordHash: "hash", createdAt: Date.now() });

/** A credit note of a cent, of the first invoice, as the service stores one. */
function storeCreditNote(db: Db, sequence: number): void {
  const amount = usdc("0.01");
  const totals = { subtotal: amount, discount: usdc("0.00"), tax: usdc("0.00"), total: amount, rows: [] };
  const said = {
    issueDate: "2026-11-22",
    reason: "A discount",
    lines: [],
    createdAt: Date.now() + 1_000,
    taxInCurrency: null,
  };
  const toReturn = usdc("0.00");
  const named = { id: `note-${sequence}`, sequence, number: `CN-${sequence}`, invoice: 1 };
  CreditNoteStore.insert(db, { ...named, ...said, totals, usdc: amount, toReturn });
  InvoiceStore.addCredited(db, 1, amount);
  DepositStore.credit(db, 0, { usdc: amount, toReturn });
}

/** An empty data directory, as on a new machine. */
function newMachine(): string {
  made += 1;
  const dataDir = join(dir.path, `data-${made}`);
  prepareDataDir(dataDir);
  return dataDir;
}

/** A backup; its wallet under a passphrase that is newer than it; and another wallet under that. */
async function withWallets() {
  const [older, newer] = ["an older passphrase", "a newer passphrase"];
  const { dataDir } = makeInstallation(2);
  const file = join(dataDir, "wallet.age");
  rmSync(file);
  const made = await makeWallet({ file, passphrase: older });
  withDb(dataDir, (db) => db.query("UPDATE wallet SET gas_address = ?").run(made.gasAddress));
  const backup = backUp(dataDir);
  const under = async (secret: string) => {
    rmSync(file);
    await createKeystore({ file, passphrase: newer, secret, cost: cheap });
    return wallet(dataDir);
  };
  const other = await under(generateMnemonic(english));
  return { dataDir, file: backup, newer, other, right: await under(made.mnemonic()) };
}

const mode = (path: string) => statSync(path).mode & 0o777;
const wallet = (dataDir: string) => readFileSync(join(dataDir, "wallet.age"), "utf8");
const lastInvoice = (dataDir: string) => withDb(dataDir, (db) => InvoiceStore.nextSequence(db) - 1);

describe("restoreBackup", () => {
  test("signs everybody out, and says who can sign in again", () => {
    const now = Date.now();
    let [mara, token] = [0, ""];
    const { dataDir, file } = makeInstallation(0, (db) => {
      mara = addOwner(db, "Mara");
      makeEntryLink(db, { person: null, role: "owner", name: "Eve" }, { by: null, now, lastsMs: 60_000 });
      ({ token } = beginSession(db, { personId: mara, device: "Lost", now }));
    });
    withDb(dataDir, (db) => removePerson(db, mara, "Mara", now));
    expect(restore(dataDir, file, { force: true }).people).toEqual(["Mara"]);
    withDb(dataDir, (db) => {
      expect(sessionOf(db, token, now)).toBeNull();
      expect(EntryLinkStore.listInvitations(db, now)).toEqual([]);
    });
  });

  test("stops what waited to let money out, as it may have been stopped since, and keeps what held", () => {
    const now = Date.now();
    const asked = (id: string, readyAt: number) => {
      const change = {
        id,
        kind: "address",
        name: id,
        amount: null,
        readyAt,
        token: id,
        tokenHash: id,
      } as const;
      const address = Address.checksum(`0x${id.repeat(20)}`);
      return { ...change, address, createdAt: now - 1, createdBy: "Mara" };
    };
    const { dataDir, file } = makeInstallation(0, (db) => {
      WalletChangeStore.insert(db, asked("aa", now + 1_000));
      WalletChangeStore.insert(db, asked("bb", now - 1_000));
      OwnerMailStore.insert(db, "aa", "mara@till.example", null, now);
    });
    withDb(dataDir, (db) => WalletChangeStore.stop(db, "aa", "Mara", now));
    restore(dataDir, file, { force: true });
    withDb(dataDir, (db) => {
      expect(WalletChangeStore.byId(db, "aa")).toMatchObject({ stoppedBy: "till restore" });
      expect(AllowedAddressStore.list(db, now + 86_400_000).map(({ name }) => name)).toEqual(["bb"]);
      expect(OwnerMailStore.nextDue(db)).toBeNull();
    });
  });

  test("names who had been removed, restore after restore, until an owner has decided", () => {
    let eve = 0;
    const { dataDir, file } = makeInstallation(0, (db) => {
      addOwner(db, "Mara");
      eve = addOwner(db, "Eve");
    });
    withDb(dataDir, (db) => removePerson(db, eve, "Mara", Date.now()));
    const marks = () =>
      withDb(dataDir, (db) =>
        Object.fromEntries(PersonStore.listBroughtBack(db).map((each) => [each.name, each.broughtBack])),
      );
    const known = { peopleRemoved: ["Eve"], isRemovalKnown: true };
    // The second restore replaces a database in which she is back.
    for (let nth = 0; nth < 2; nth++) {
      expect(restore(dataDir, file, { force: true })).toMatchObject({ ...known, people: ["Mara", "Eve"] });
      expect(marks()).toEqual({ Eve: "removed" });
    }
    withDb(dataDir, PersonStore.keepBroughtBack);
    expect(restore(dataDir, file, { force: true })).toMatchObject({
      peopleRemoved: [],
      isRemovalKnown: true,
    });
    expect(marks()).toEqual({});

    writeFileSync(join(dataDir, "till.db"), "x".repeat(5_000));
    const unknown = { peopleRemoved: [], isRemovalKnown: false };
    for (let nth = 0; nth < 2; nth++) {
      expect(restore(dataDir, file, { force: true, nextInvoice: 5 })).toMatchObject(unknown);
      expect(marks()).toEqual({ Mara: "unknown", Eve: "unknown" });
    }
  });

  test("keeps out whoever came with an account and was removed since the backup, unless they were let back", () => {
    const now = Date.now();
    let { dataDir, file } = makeInstallation(0, (db) => addOwner(db, "Mara"));
    const account = { issuer: "https://auth.example", subject: "eve", names: ["Eve"], values: ["bosses"] };
    const provider = { name: "Acme ID", roles: { owner: ["bosses"], staff: [], accountant: [] } };
    const come = (db: Db) => enterByAccount(db, account, { provider, device: "", now });
    const goBack = () => restore(dataDir, file, { force: true });
    withDb(dataDir, (db) => {
      come(db);
      removePerson(db, PersonStore.byName(db, "Eve")?.id ?? 0, "Mara", now);
    });
    for (let nth = 0; nth < 2; nth++) {
      expect(goBack().people).toEqual(["Mara"]);
      expect(withDb(dataDir, come)).toEqual({ refused: "removed" });
    }

    const older = readFileSync(join(dataDir, "till.db"));
    withDb(dataDir, (db) => {
      const [eve, ...more] = AccountStore.listRemoved(db);
      expect([eve?.name, more]).toEqual(["Eve", []]);
      AccountStore.removeOf(db, eve?.id ?? 0);
    });
    file = backUp(dataDir);
    writeFileSync(join(dataDir, "till.db"), older);
    goBack();
    expect(withDb(dataDir, come)).toEqual({ token: expect.any(String) });
  });

  test("says first who was removed", async () => {
    let eve = 0;
    const { dataDir, file } = makeInstallation(0, (db) => {
      addOwner(db, "Mara");
      eve = addOwner(db, "Eve");
    });
    withDb(dataDir, (db) => removePerson(db, eve, "Mara", Date.now()));
    const env = { TILL_DATA_DIR: dataDir };
    const { exitCode, stdout } = await callTill(["restore", file, "--force"], { env });
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith("Removed since the backup, and can sign in again: Eve. Remove them again");
  });

  test("brings database and wallet to a new machine, for their owner alone", () => {
    const { file } = makeInstallation(3);
    const dataDir = newMachine();
    const report = restore(dataDir, file, { nextInvoice: 4 });
    expect(report).toMatchObject({ lastInvoice: 3, nextInvoice: 4, replaced: null, wallet: "restored" });
    expect(readdirSync(dataDir).sort()).toEqual(["till.db", "till.db.epoch", "wallet.age"]);
    expect(wallet(dataDir)).toBe(walletText);
    for (const name of readdirSync(dataDir)) expect(mode(join(dataDir, name))).toBe(0o600);
    withDb(dataDir, (db) => {
      expect(InvoiceStore.list(db, { limit: 10 }).rows.length).toBe(3);
      expect(storeInvoice(db).sequence).toBe(4);
      expect(storeInvoice(db).sequence).toBe(5);
      expect(db.query("SELECT 1 FROM sqlite_schema WHERE name = 'backup'").get()).toBeNull();
    });
  });

  test("asks for the next invoice number when nothing tells it, and takes none that was given out", () => {
    const { file } = makeInstallation(3);
    const dataDir = newMachine();
    expect(() => restore(dataDir, file)).toThrow("--next-invoice 4");
    expect(() => restore(dataDir, file, { nextInvoice: 3 })).toThrow("4 at least");
    expect(readdirSync(dataDir)).toEqual([]);
    expect(restore(dataDir, file, { nextInvoice: 8 }).nextInvoice).toBe(8);
    expect(lastInvoice(dataDir)).toBe(7);
    // Where numbers begin is part of what the next backup knows.
    const again = backUp(dataDir);
    expect(() => restore(newMachine(), again, { nextInvoice: 5 })).toThrow("8 at least");
  });

  test("goes on after the numbers of the database that it replaces, which is kept", () => {
    const { dataDir, file } = makeInstallation(3);
    const lost = withDb(dataDir, (db) => [storeInvoice(db), storeInvoice(db)]);
    expect(() => restore(dataDir, file)).toThrow("knows more than the backup");
    expect(lastInvoice(dataDir)).toBe(5);
    const report = restore(dataDir, file, { force: true });
    expect(report).toMatchObject({ lastInvoice: 3, nextInvoice: 6, wallet: "kept" });
    const kept = new Database(report.replaced ?? "", { readonly: true });
    expect(kept.query("SELECT count(*) AS n FROM invoice").get()).toEqual({ n: 5 });
    kept.close();
    expect(mode(report.replaced ?? "")).toBe(0o600);
    withDb(dataDir, (db) => {
      expect(InvoiceStore.list(db, { limit: 10 }).rows.length).toBe(3);
      expect(storeInvoice(db).sequence).toBe(6);
      expect(lost.map((invoice) => InvoiceStore.byId(db, invoice.id))).toEqual([null, null]);
    });
  });

  test("gives no number of a credit note twice, whoever knows which were given out", () => {
    const { dataDir, file } = makeInstallation(1, (db) => storeCreditNote(db, 1));
    const next = (dir: string) => withDb(dir, CreditNoteStore.nextSequence);
    withDb(dataDir, (db) => {
      storeCreditNote(db, 2);
      storeCreditNote(db, 3);
    });
    expect(() => restore(dataDir, file)).toThrow("knows more than the backup");
    expect(restore(dataDir, file, { force: true }).nextCreditNote).toBe(4);
    expect(next(dataDir)).toBe(4);
    const machine = newMachine();
    expect(() => restore(machine, file, { nextInvoice: 2, nextCreditNote: 1 })).toThrow("2 at least");
    expect(restore(machine, file, { nextInvoice: 2 }).nextCreditNote).toBe(1_002);
    expect(next(machine)).toBe(1_002);
    const told = newMachine();
    restore(told, file, { nextInvoice: 2, nextCreditNote: 4 });
    expect(next(told)).toBe(4);
  });

  test("gives no number of a receipt twice either", () => {
    const tax = { category: "standard", rate: 70_000, reason: null } as const;
    const bill = Bill.ofOne(
      { description: "Tea", quantity: 1, total: usdc("1.07"), tax },
      { pricesIncludeTax: true, code: "USDC" },
    );
    const pay = (db: Db) => {
      const link = storeLink(db, {}, { bill });
      ReceivableStore.setStatus(db, namedOf("link", link), "confirmed");
      ReceiptStore.issue(db, link.deposit.index, Date.now() + 1_000, recordSettings);
    };
    const next = (dir: string) => withDb(dir, ReceiptStore.nextSequence);
    const { dataDir, file } = makeInstallation(0, pay);
    withDb(dataDir, pay);
    expect(() => restore(dataDir, file)).toThrow("knows more than the backup");
    expect(restore(dataDir, file, { force: true }).nextReceipt).toBe(3);
    expect(next(dataDir)).toBe(3);
    const machine = newMachine();
    expect(() => restore(machine, file, { nextInvoice: 1, nextReceipt: 1 })).toThrow("receipt number 1");
    expect(restore(machine, file, { nextInvoice: 1 }).nextReceipt).toBe(1_002);
    expect(next(machine)).toBe(1_002);
    const told = newMachine();
    restore(told, file, { nextInvoice: 1, nextReceipt: 3 });
    expect(next(told)).toBe(3);
  });

  test("refuses to forget what the merchant did since, though no money came", () => {
    const closing = { type: "voided", occasion: "1", at: Date.now() + 1_000 } as const;
    const steps: ((db: Db) => unknown)[] = [
      (db) => note(db, { kind: "invoice", depositIndex: 0 }, closing),
      (db) => storeReusable(db, { slug: "since", createdAt: Date.now() + 1_000 }),
      (db) => ReusableStore.setVoided(db, "before", { voidedAt: Date.now() + 1_000, voidReason: "Moved" }),
    ];
    for (const step of steps) {
      const { dataDir, file } = makeInstallation(1, (db) =>
        storeReusable(db, { slug: "before", createdAt: 1 }),
      );
      withDb(dataDir, step);
      expect(() => restore(dataDir, file)).toThrow("knows more than the backup");
    }
  });

  test("gives out no deposit address and no account a second time, restore after restore", () => {
    const { file } = makeInstallation(2);
    const now = Date.now() + 86_400_000;
    const addresses = new Set<string>();
    const accounts = new Set<number>();
    for (const [nth, at] of [now, now + 901_000, now + 10 * 86_400_000].entries()) {
      // Every time on a machine that knows nothing of the restore before.
      const dataDir = newMachine();
      restore(dataDir, file, { nextInvoice: 3, now: at });
      withDb(dataDir, (db) => {
        expect(DepositStore.nextIndex(db)).toBe(Epoch.firstIndex(Epoch.at(at) + 1));
        for (let i = 0; i < 5; i++) addresses.add(storeInvoice(db).deposit.address);
        expect(DepositStore.nextIndex(db)).toBe(Epoch.firstIndex(Epoch.at(at) + 1) + 5);
        expect(PartyStore.accountIndex(db, "a@acme.example")).toBe(1);
        accounts.add(PartyStore.accountIndex(db, `b${nth}@acme.example`));
        expect(PartyStore.accountIndex(db, `c${nth}@acme.example`)).toBe(
          PartyStore.accountIndex(db, `b${nth}@acme.example`) + 1,
        );
      });
    }
    expect(addresses.size).toBe(15);
    expect(accounts.size).toBe(3);
  });

  test("nor in one moment on one machine, though the database is damaged in between", () => {
    const { file } = makeInstallation(2);
    const dataDir = newMachine();
    const now = Date.now();
    const addresses = new Set<string>();
    for (const [nth, damage] of [false, true, true, false].entries()) {
      restore(dataDir, file, { nextInvoice: 10 * (nth + 1), now, force: true });
      withDb(dataDir, (db) => addresses.add(storeInvoice(db).deposit.address));
      if (damage) writeFileSync(join(dataDir, "till.db"), "x".repeat(5_000));
    }
    restore(dataDir, file, { nextInvoice: 99, now, force: true });
    withDb(dataDir, (db) => addresses.add(storeInvoice(db).deposit.address));
    expect(addresses.size).toBe(5);
  });

  test("nor one that a start gave out just before, which nobody remembers", () => {
    const longAgo = Date.now() - 17 * 86_400_000;
    const { dataDir, file } = makeInstallation(1, (db) => {
      leaveOutUnknown(db, longAgo);
      db.query("UPDATE receivable SET created_at = ?").run(longAgo);
    });
    const now = Epoch.startMs(Epoch.at(Date.now()) + 1);
    const lost = withDb(dataDir, (db) => {
      leaveOutUnknown(db, now + 60_000);
      return storeInvoice(db).deposit;
    });
    expect(lost.index).toBe(Epoch.firstIndex(Epoch.at(now)));
    writeFileSync(join(dataDir, "till.db"), "x".repeat(5_000));
    for (const place of [dataDir, newMachine()]) {
      restore(place, file, { nextInvoice: 9, force: true, now: now + 600_000 });
      withDb(place, (db) => expect(DepositStore.nextIndex(db)).toBeGreaterThan(lost.index));
    }
  });

  test("believes no clock that is far behind what is known, unless told to, and then goes on after that", () => {
    const ahead = Date.now() + 10 * 86_400_000;
    // A start with a clock that was ahead, which is right again.
    const { file } = makeInstallation(1, (db) => {
      leaveOutUnknown(db, Date.now());
      leaveOutUnknown(db, ahead);
      storeInvoice(db, { now: ahead });
    });
    const dataDir = newMachine();
    expect(() => restore(dataDir, file, { nextInvoice: 3, force: true })).toThrow("before the backup");
    restore(dataDir, file, { nextInvoice: 3, trustClock: true });
    const begun = Epoch.at(ahead);
    withDb(dataDir, (db) => {
      expect(DepositStore.nextIndex(db)).toBeGreaterThanOrEqual(Epoch.firstIndex(begun + 1));
      db.query("UPDATE receivable SET changed_at = 1, created_at = 1").run();
    });
    const since = backUp(dataDir);
    expect(() => restore(dataDir, since, { nextInvoice: 4, force: true })).toThrow(
      "before the newest range of deposit addresses began",
    );
    restore(dataDir, since, { nextInvoice: 4, trustClock: true });
  });

  test("asks for the number also when an old copy is replaced, and believes no clock from before the backup", () => {
    const { dataDir } = makeInstallation(2);
    const oldCopy = newMachine();
    Bun.spawnSync(["cp", join(dataDir, "till.db"), oldCopy]);
    withDb(dataDir, (db) => storeInvoice(db, { now: Date.now() + 1_000 }));
    const file = backUp(dataDir);
    expect(() => restore(oldCopy, file)).toThrow("--next-invoice 4");
    expect(() => restore(oldCopy, file, { nextInvoice: 4, now: Date.now() - 86_400_000 })).toThrow(
      "Set the clock",
    );
    expect(restore(oldCopy, file, { nextInvoice: 4 }).wallet).toBe("restored");
  });

  test("watches again what was watched then, has the blocks since read for everything, and holds back mails that waited or were being sent then", () => {
    const longAgo = Date.now() - 300 * 86_400_000;
    const first = { depositIndex: 0, kind: "invoice", occasion: "" } as const;
    const waiting = (db: Db) => {
      for (const id of ["mail_a", "mail_b"])
        MailStore.insertQueued(db, { id, ...first, createdAt: 1, nextAttemptAt: 1 });
      MailQueueStore.markSending(db, "mail_b");
      ReminderStore.setSeenTo(db, "2026-01-01");
      putCheckpoint(db, { number: 1_000_000, hash: "0x1" });
      db.query("UPDATE receivable SET changed_at = ?, created_at = ?").run(longAgo, longAgo);
      db.query("UPDATE receivable SET changed_at = ? WHERE deposit_index = 0").run(longAgo - hotMs - 2_000);
    };
    const { file } = makeInstallation(2, waiting, longAgo + 1_000);
    const restored = newMachine();
    expect(restore(restored, file, { nextInvoice: 3 }).mailsHeld).toBe(2);
    withDb(restored, (db) => {
      MailQueueStore.markInterrupted(db, Date.now());
      expect(
        [...WatchedStore.changedSince(db, Date.now() - hotMs)].flat().map((deposit) => deposit.index),
      ).toEqual([1]);
      // A day of blocks earlier, as addresses that are no longer watched are compared once a day.
      expect(RereadStore.listOpen(db)).toMatchObject([{ from: 568_000, to: null, firstDeposit: 0 }]);
      expect(MailQueueStore.nextDue(db, { reminders: true })).toBeNull();
      // Reminders of the days since may have gone out.
      expect(ReminderStore.seenTo(db)).toBeNull();
    });
  });

  test("says how much is owed to customers by the backup, which may have been given back since", () => {
    const { dataDir, file } = makeInstallation(3);
    expect(restore(newMachine(), file, { nextInvoice: 4 }).refundsOwed).toBe(0);
    withDb(dataDir, (db) => {
      // Two were paid too much, and a refund of one was approved.
      db.run("UPDATE receivable SET received_amount = expected_amount + 5000000 WHERE deposit_index < 2");
      db.run(
        `INSERT INTO refund (id, deposit_index, merchant, amount, credited_amount, way, state, claims, is_mailed,
           to_address, address_by, approved_at, ready_at, begun_block, created_at, changed_at)
         VALUES ('rfd_a', 0, 'a@acme.example', 5000000, 0, 'till', 'approved', 0, 0, ?, 'person', 1, 1, 1, 1, 1)`,
        [payoutWallet],
      );
    });
    const owing = backUp(dataDir);
    const restored = newMachine();
    expect(restore(restored, owing, { nextInvoice: 4 }).refundsOwed).toBe(2);
    withDb(restored, (db) => expect(RefundStore.byId(db, "rfd_a")?.state).toBe("requested"));
  });

  test("brings an older schema up to date, and refuses a later one", () => {
    const { file } = makeInstallation(4);
    const steps = [...schemaSteps, "CREATE TABLE gift (id INTEGER PRIMARY KEY) STRICT"];
    const later = newMachine();
    const report = restoreBackup({
      ...{ dataDir: later, file, force: false, nextInvoice: 5, now: Date.now(), hotMs, steps },
    });
    expect(report).toMatchObject({ wallet: "restored", lastInvoice: 4 });
    const db = openDatabase(later, steps);
    expect(schemaOf(db)).toBe(steps.length);
    expect(InvoiceStore.list(db, { limit: 10 }).rows).toHaveLength(4);
    closeDatabase(db);
    expect(() => restore(newMachine(), join(later, "till.db"), { nextInvoice: 5 })).toThrow("later version");
    // Nor is it overwritten by chance.
    expect(() => restore(later, file, { nextInvoice: 5 })).toThrow("by a later version of Till");
  });

  test("changes nothing for a file that is no backup", () => {
    const { dataDir, file } = makeInstallation(4);
    const before = readFileSync(join(dataDir, "till.db"));
    const text = join(dir.path, "text.db");
    writeFileSync(text, "no database at all, but long enough to be read as one".repeat(100));
    const empty = join(dir.path, "empty.db");
    writeFileSync(empty, "");
    const cut = join(dir.path, "cut.db");
    writeFileSync(cut, readFileSync(file).subarray(0, 40_000));
    const foreign = join(dir.path, "foreign.db");
    const other = new Database(foreign, { create: true });
    other.run("CREATE TABLE invoice (id); PRAGMA user_version = 3");
    other.close();
    for (const bad of [text, empty, cut, foreign, join(dir.path, "none.db"), dir.path]) {
      expect(() => restore(dataDir, bad, { force: true })).toThrow("is not a backup that can be restored");
    }
    expect(readFileSync(join(dataDir, "till.db")).equals(before)).toBe(true);
    expect(readdirSync(dataDir).sort()).toEqual(["till.db", "wallet.age"]);
  });

  test("blames the disk, and not the backup, when the copy does not fit", async () => {
    const { dataDir, file } = makeInstallation(4);
    const before = readFileSync(join(dataDir, "till.db"));
    const limited = ["sh", "-c", 'ulimit -f 100; exec "$@"', "sh", ...program];
    const command = startProcess([...limited, "restore", file, "--force"], {
      env: { TILL_DATA_DIR: dataDir },
    });
    expect(await command.exited).toBe(1);
    expect(command.output()).toContain("Check whether the disk of the data directory is full or broken");
    expect(command.output()).not.toContain("not a backup");
    expect(readFileSync(join(dataDir, "till.db")).equals(before)).toBe(true);
  });

  test("takes the place of a damaged database with force, and keeps that with its log", () => {
    const { dataDir, file } = makeInstallation(3);
    writeFileSync(join(dataDir, "till.db"), "x".repeat(5_000));
    writeFileSync(join(dataDir, "till.db-wal"), "y".repeat(500));
    expect(() => restore(dataDir, file, { nextInvoice: 9 })).toThrow("is damaged");
    const report = restore(dataDir, file, { nextInvoice: 9, force: true });
    expect(readFileSync(report.replaced ?? "", "utf8")).toBe("x".repeat(5_000));
    expect(existsSync(join(dataDir, "till.db-wal"))).toBe(false);
    expect(lastInvoice(dataDir)).toBe(8);
  });

  test("replaces another wallet only with force, and keeps it", () => {
    const { file } = makeInstallation(1);
    const dataDir = newMachine();
    writeFileSync(join(dataDir, "wallet.age"), "another");
    expect(() => restore(dataDir, file, { nextInvoice: 2 })).toThrow("is not the file of the backup");
    expect(wallet(dataDir)).toBe("another");
    const { walletReplaced } = restore(dataDir, file, { nextInvoice: 2, force: true });
    expect(wallet(dataDir)).toBe(walletText);
    expect(walletReplaced).toStartWith(join(dataDir, "wallet.age.replaced-"));
    expect(readFileSync(walletReplaced ?? "", "utf8")).toBe("another");
  });

  test("keeps a wallet whose passphrase is newer than the backup, where no database tells that it is the same", async () => {
    const { dataDir, file, right, other, newer } = await withWallets();
    writeFileSync(join(dataDir, "till.db"), "x".repeat(5_000));
    const again = (machine: string, ...flags: string[]) =>
      callTill(["restore", file, "--next-invoice", "9", ...flags], {
        env: { TILL_DATA_DIR: machine, TILL_WALLET_PASSPHRASE: newer },
      });
    const forced = await again(dataDir, "--force");
    expect([forced.exitCode, forced.stdout]).toEqual([
      0,
      expect.stringContaining("wallet that was there is kept."),
    ]);
    expect(wallet(dataDir)).toBe(right);

    // On another machine it was made from its words.
    const machine = newMachine();
    writeFileSync(join(machine, "wallet.age"), right);
    expect((await again(machine)).exitCode).toBe(0);
    expect(wallet(machine)).toBe(right);

    const mistaken = newMachine();
    const refused = async (text: string) => {
      writeFileSync(join(mistaken, "wallet.age"), text);
      const { exitCode, stderr } = await again(mistaken);
      expect(exitCode).toBe(1);
      return stderr;
    };
    expect(await refused(walletText)).toContain("is the same wallet is unknown, as it does not open");
    expect(await refused(other)).toContain("is not the wallet of the backup");
    const { stdout } = await again(mistaken, "--force");
    const [, kept = ""] = /wallet that was there is kept as (\S+)\.\n/.exec(stdout) ?? [];
    expect(readFileSync(kept, "utf8")).toBe(other);
    expect(wallet(mistaken)).not.toBe(other);
  });

  test("does not run under a program that is using the database", () => {
    const { dataDir, file } = makeInstallation(1);
    const reader = openDatabase(dataDir);
    storeInvoice(reader);
    reader.run("BEGIN");
    reader.query("SELECT * FROM invoice").all();
    // As --force does not help, nobody is sent to it.
    expect(() => restore(dataDir, file, { force: true })).toThrow(/another program .*and run this again\.$/);
    reader.run("COMMIT");
    closeDatabase(reader);
    expect(lastInvoice(dataDir)).toBe(2);
  });

  test("leaves the old state or the new one, whenever it is killed", async () => {
    const { dataDir, file } = makeInstallation(3);
    withDb(dataDir, (db) => {
      for (let i = 0; i < 4; i++) storeInvoice(db);
    });
    // Another wallet is there, so that both files have to change; the database does not know it.
    const walletOf = { old: walletText.replace("bm90", "b2xk"), new: walletText };
    withDb(dataDir, (db) => db.run("UPDATE wallet SET gas_address = 'another'"));
    writeFileSync(join(dataDir, "wallet.age"), walletOf.old);
    const outcomes = { old: 0, new: 0 };
    const kill = async (afterUs: number): Promise<{ killed: boolean; tookUs: number }> => {
      const child = Bun.spawn(
        [
          process.execPath,
          join(import.meta.dir, "fixtures/killed-restore.ts"),
          target,
          file,
          String(afterUs),
        ],
        { stdout: "pipe" },
      );
      const text = await new Response(child.stdout).text();
      return { killed: (await child.exited) !== 0, tookUs: Number(text) };
    };
    const target = join(dir.path, "killed");
    const prepare = () => {
      rmSync(target, { recursive: true, force: true });
      Bun.spawnSync(["cp", "-r", dataDir, target]);
    };
    prepare();
    const { killed, tookUs } = await kill(60_000_000);
    expect(killed).toBe(false);
    const points = Number(process.env["TEST_RESTORE_KILLS"] || 8);
    const killAfter = async (afterUs: number) => {
      prepare();
      await kill(Math.round(afterUs));
      const state = withDb(target, (db) => {
        // What the next start does first.
        finishRestore(db, target, Date.now());
        expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
        const count = InvoiceStore.list(db, { limit: 10 }).rows.length;
        expect([3, 7]).toContain(count);
        return count === 7 ? "old" : "new";
      });
      expect(wallet(target)).toBe(walletOf[state]);
      outcomes[state] += 1;
      // And it can be done again.
      restore(target, file, { force: true, nextInvoice: 100 });
      expect([wallet(target), lastInvoice(target)]).toEqual([walletText, 99]);
    };
    for (let point = 0; point < points; point++) await killAfter((tookUs * 1.1 * point) / points);
    // On a machine that has become busier meanwhile it takes longer than the first time.
    for (let times = 2; outcomes.new === 0 && times <= 64; times *= 2) await killAfter(tookUs * times);
    expect(outcomes.old).toBeGreaterThan(0);
    expect(outcomes.new).toBeGreaterThan(0);
  });
});
