import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { plainProfile } from "../../src/domain/party/profile.ts";
import { type Catcher, startCatcher } from "../../src/mail/catcher.ts";
import { closeDatabase, type Db, numberOf, transact } from "../../src/store/database.ts";
import { noteChange } from "../../src/store/reports/owners.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import * as MailStore from "../../src/store/tables/outbox/mail.ts";
import { ownPort } from "../support/http/port.ts";
import { openOutbox } from "../support/mail/mailer.ts";
import { startSmtpServer } from "../support/mail/smtp-server.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { storeInvoice } from "../support/till/records.ts";
import { invoiceRequest, startTestTill, until } from "../support/till/till.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const smtpOf = (port: number) => ({ smtpUrl: `smtp://127.0.0.1:${port}` });

let dir: ReturnType<typeof makeDataDir>;
let db: Db;
let port: number;
let catcher: Catcher | null;
beforeEach(() => {
  dir = makeDataDir();
  db = openNewDatabase(dir.path);
  port = ownPort();
  catcher = null;
});
afterEach(async () => {
  await catcher?.stop();
  closeDatabase(db);
  dir.remove();
});

type Outbox = ReturnType<typeof openOutbox>;

/** Lets the outbox work for so long, every minute unless told: whole days would be very many attempts. */
async function pass(outbox: Outbox, ms: number, everyMs = minuteMs): Promise<void> {
  for (let passed = 0; passed < ms; passed += everyMs) await outbox.sendLater(everyMs);
}
const attempts = (id: string) => numberOf(db, "SELECT attempts FROM mail WHERE id = ?", id) ?? Number.NaN;
const waitMs = () => numberOf(db, "SELECT min(next_attempt_at) FROM mail WHERE state = 'queued'");

describe("mails that wait for a mail server which is down as a whole", () => {
  test("go out minutes after it is back, not when their own turn comes in hours", async () => {
    const outbox = openOutbox(db, smtpOf(port));
    const mails = [await outbox.create(), await outbox.create(), await outbox.create()];
    // With every pause at its longest, the fifth attempt is over by then.
    await pass(outbox, 6 * hourMs, 20 * minuteMs);
    expect(mails.map(({ id }) => outbox.state(id))).toEqual(["queued", "queued", "queued"]);
    // Their own turn is hours away.
    expect((waitMs() ?? 0) - outbox.now()).toBeGreaterThan(hourMs);
    catcher = await startCatcher({ port });
    await pass(outbox, 5 * minuteMs);
    expect(mails.map(({ id }) => outbox.state(id))).toEqual(["sent", "sent", "sent"]);
    expect(catcher.list()).toHaveLength(3);
    expect(outbox.logged.join()).toContain("[mail.server_back]");
  });

  test("go out at once when another mail gets through, or when Till starts again", async () => {
    const outbox = openOutbox(db, smtpOf(port));
    const waiting = await outbox.create();
    await pass(outbox, 3 * hourMs, 15 * minuteMs);
    catcher = await startCatcher({ port });
    await outbox.create();
    expect(outbox.mailer.nextDue()).toBeLessThanOrEqual(outbox.now());
    await outbox.sendLater(0);
    expect(outbox.state(waiting.id)).toBe("sent");

    await catcher.stop();
    const other = await outbox.create();
    await pass(outbox, 3 * hourMs, 15 * minuteMs);
    catcher = await startCatcher({ port });
    await openOutbox(db, smtpOf(port), { now: outbox.now }).sendLater(0);
    expect(outbox.state(other.id)).toBe("sent");
  });

  test("go out some in a minute, and not in a flood, to a server that is just back", async () => {
    const outbox = openOutbox(db, smtpOf(port));
    for (let count = 0; count < 45; count++) {
      const { deposit } = storeInvoice(db, {});
      transact(db, () => MailStore.insertFirst(db, deposit.index, outbox.now()));
    }
    // As they stand after some hours.
    db.run("UPDATE mail SET next_attempt_at = next_attempt_at + ?, attempts = 5", [5 * hourMs]);
    await pass(outbox, 10 * minuteMs);
    catcher = await startCatcher({ port });
    let taken = 0;
    const eachMinute: number[] = [];
    for (let minute = 0; minute < 10; minute++) {
      await pass(outbox, minuteMs);
      // As often as it asks for, like the loop that calls it.
      for (
        let call = 0;
        call < 5 && (outbox.mailer.nextDue() ?? Number.POSITIVE_INFINITY) <= outbox.now();
        call++
      )
        await outbox.sendLater(0);
      eachMinute.push(catcher.list().length - taken);
      taken = catcher.list().length;
    }
    expect(eachMinute.filter((count) => count > 0)).toEqual([20, 20, 5]);
  });

  test("are tried for two days all the same: to look whether it is back takes none of their attempts", async () => {
    const outbox = openOutbox(db, smtpOf(port));
    const { id } = await outbox.create();
    const looks = () => outbox.logged.filter((line) => line.includes("[mail.retry]")).length;
    await pass(outbox, hourMs);
    const before = looks();
    await pass(outbox, 2 * hourMs);
    // Every five minutes: more would be hammering.
    expect(looks() - before).toBeWithin(20, 29);
    await pass(outbox, 21 * hourMs, 20 * minuteMs);
    expect(outbox.state(id)).toBe("queued");
    // As its own schedule has them: the next is after some 22 hours, the last after some 46.
    expect([7, 8]).toContain(attempts(id));
    await pass(outbox, 32 * hourMs, 20 * minuteMs);
    expect(outbox.state(id)).toBe("failed");
    expect(looks()).toBeGreaterThan(100);
  });
});

describe("what warns an owner of a change", () => {
  const shop = "shop@till.example";
  /** Each is one mail. */
  function change(at: number): void {
    PreferenceStore.setProfile(db, { ...plainProfile, email: shop }, 0);
    transact(db, () => noteChange(db, { kind: "owner", subject: "Mara" }, "Mara", at));
  }

  test("comes minutes after an outage of hours, while there is time to stop it, whatever clock planned it", async () => {
    const outbox = openOutbox(db, smtpOf(port));
    change(outbox.now());
    await pass(outbox, 11 * hourMs, 20 * minuteMs);
    catcher = await startCatcher({ port });
    // The longest pause is a fifth longer than 15 minutes at most.
    await pass(outbox, 18 * minuteMs);
    expect(catcher.list()).toMatchObject([{ to: [shop] }]);
    expect(outbox.logged.join()).toContain("[mail.retry]");
    expect(outbox.logged.join()).not.toContain("[mail.failed]");

    await catcher.stop();
    change(outbox.now());
    const aheadMs = 60 * 24 * hourMs;
    await outbox.sendLater(aheadMs);
    catcher = await startCatcher({ port });
    await outbox.sendLater(minuteMs - aheadMs);
    expect(catcher.list()).toHaveLength(1);
  });

  test("waits for a server that does not answer once, not once for each mail", async () => {
    let asked = 0;
    const send = async () => {
      asked += 1;
      return { kind: "rejected", permanent: false, isOutage: true, reason: "no answer" } as const;
    };
    const outbox = openOutbox(db, { send, close() {} });
    for (let count = 0; count < 3; count++) change(outbox.now());
    await outbox.sendLater(0);
    expect(asked).toBe(1);
    expect(numberOf(db, "SELECT count(*) FROM owner_mail WHERE reason = 'no answer'")).toBe(3);
  });

  test("is not sent every few seconds while nothing can be stored", async () => {
    let sent = 0;
    const send = async () => {
      sent += 1;
      db.run("PRAGMA query_only = 1");
      return { kind: "sent", response: "250" } as const;
    };
    const outbox = openOutbox(db, { send, close() {} });
    change(outbox.now());
    await expect(outbox.sendLater(0)).rejects.toThrow("readonly");
    await outbox.sendLater(5_000);
    // Its next time has come, and still nothing can be stored.
    await expect(outbox.sendLater(2 * minuteMs)).rejects.toThrow("readonly");
    expect(sent).toBe(1);
    db.run("PRAGMA query_only = 0");
  });
});

test("one recipient whose server is dead is asked for as seldom as ever, however many other mails go out", async () => {
  let asked = 0;
  const server = await startSmtpServer({
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      if (!address.endsWith("@dead.example")) return done();
      asked += 1;
      done(Object.assign(new Error("4.4.1 no answer from dead.example"), { responseCode: 451 }));
    },
  });
  try {
    const outbox = openOutbox(db, { smtpUrl: server.url });
    const dead = storeInvoice(db, { vendorEmail: "ap@dead.example" });
    transact(db, () => MailStore.insertFirst(db, dead.deposit.index, outbox.now()));
    for (let hour = 0; hour < 12; hour++) {
      await pass(outbox, hourMs, 5 * minuteMs);
      await outbox.create();
    }
    // At once, and after 1, 6 and 21 minutes, 1, 4 and 10 hours.
    expect(asked).toBeGreaterThanOrEqual(6);
    expect(asked).toBeLessThanOrEqual(7);
    expect(server.received).toHaveLength(12);
  } finally {
    await server.stop();
  }
});

test("an invoice made during an outage is mailed by itself as soon as the next one is", async () => {
  const till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, { TILL_SMTP_URL: smtpOf(port).smtpUrl });
  try {
    const create = () => till.api("POST", "/api/invoices", invoiceRequest);
    expect((await create()).body.sent_at).toBeNull();
    // As it stands after some hours.
    till.db.run("UPDATE mail SET next_attempt_at = next_attempt_at + ?, attempts = 5", [5 * hourMs]);
    catcher = await startCatcher({ port });
    expect((await create()).body.sent_at).not.toBeNull();
    await until(catcher.list, (mails) => mails.length === 2);
  } finally {
    await till.stop();
  }
});
