import { afterAll, expect, test } from "bun:test";
import * as Calendar from "../../../src/domain/calendar.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { Db } from "../../../src/store/database.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startSmtpServer } from "../../support/mail/smtp-server.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, linkRequest, until } from "../../support/till/till.ts";

/** `TEST_KILLS=60` takes some minutes. */
const kills = Number(process.env["TEST_KILLS"] ?? 2);
const seed = Number(process.env["TEST_SEED"] ?? 1);
/** Most mails wait until nothing is killed any more, and go out one by one. */
const settleMsMax = 60_000 + kills * 4_000;
const msPerKill = 30_000;

const dayMs = 86_400_000;
const hourMs = 3_600_000;

afterAll(endProcesses);

/** Where it is the middle of the day, so that the hour of reminders has come and the day does not end. */
function zoneAtNoon(): string {
  const zones = Array.from({ length: 24 }, (_, at) => `Etc/GMT${at < 12 ? "+" : "-"}${at % 12}`);
  const fit = zones.find((zone) => {
    const hour = Calendar.timeOfDayAt(Date.now(), zone) / hourMs;
    return hour >= 10 && hour < 14;
  });
  if (!fit) throw new Error("It is noon nowhere");
  return fit;
}

const random = createRandom(seed);
const timeZone = zoneAtNoon();
/** The names of the mails that arrived whole, whether or not Till lived to hear that they were taken. */
const arrived: string[] = [];
const chain = shared(startTestChain);
const server = shared(() =>
  startSmtpServer({
    disabledCommands: ["STARTTLS"],
    onMailFrom: (_, _session, done) => void setTimeout(done, random.between(0, 20)),
    async onData(stream, _session, done) {
      // One that is cut off has not arrived.
      const content = await new Response(stream as never).text().catch(() => null);
      if (content === null) return;
      arrived.push(/^Message-ID:\s+<([^@]+)@/im.exec(content)?.[1] ?? content);
      setTimeout(done, random.between(0, 60));
    },
  }),
);
const till = shared(() =>
  startServedTill(chain, {
    TILL_SMTP_URL: server.url,
    TILL_MAIL_FROM: "till@example.com",
    TILL_MAIL_ATTACH_PDF: "false",
    TILL_REMINDERS: "-3,0,7",
    TILL_TIMEZONE: timeZone,
    TILL_CONFIRMATIONS: "1",
    TILL_SETTLE: "manual",
  }),
);

type Made = { kind: "reminded" | "paid" | "link"; id: string; address: Address.Address };

test(
  `mails nothing twice and loses nothing when it is killed ${kills} times`,
  async () => {
    const made: Made[] = [];
    /** What is owed of `made`, and what it is paid in. */
    const open: { made: Made; parts: string[] }[] = [];
    for (let kill = 1; kill <= kills; kill++) {
      const fresh = await create();
      made.push(...fresh);
      open.push(
        ...fresh
          .filter(({ kind }) => kind !== "reminded")
          .map((each) => ({ made: each, parts: ["40.00", "60.00"] })),
      );
      // Time itself: the kill comes at any moment.
      const killed = Bun.sleep(random.between(0, 1_200)).then(() => till.pause("SIGKILL"));
      for (let payment = random.between(1, 4); payment > 0; payment--) {
        const owed = random.pick(open);
        const amount = owed.parts.shift();
        if (amount !== undefined) await chain.pay(owed.made.address, amount);
        // Time itself: payments come at any moment before it.
        await Bun.sleep(random.between(0, 200));
      }
      await killed;
      till.books((db) => makeDue(db, fresh));
      await till.resume();
    }
    for (const { made: each, parts } of open)
      for (const amount of parts) await chain.pay(each.address, amount);
    await until(
      () => till.books((db) => unfinished(db, made)),
      (left) => left.length === 0,
      settleMsMax,
    );
    expect(arrived.length).toBe(new Set(arrived).size);
    const { lost, unknown } = till.books((db) => compare(db, arrived));
    expect(lost).toEqual([]);
    expect(unknown).toBeLessThanOrEqual(kills);
    console.log(`${kills} kills with seed ${seed}: ${arrived.length} mails arrived, ${unknown} unknown`);
  },
  settleMsMax * 2 + kills * msPerKill,
);

/** Two invoices that are to be reminded of, one that is to be paid, and a link whose payer wants a receipt. */
async function create(): Promise<Made[]> {
  const line_items = [{ description: "Design", quantity: 1, unit_price: "100.00" }];
  const draft = { ...invoiceRequest, line_items, send_now: false };
  const made: Made[] = [];
  for (const kind of ["reminded", "reminded", "paid"] as const) {
    const { body } = await till.api("POST", "/api/invoices", draft);
    made.push({ kind, id: body.invoice_id, address: Address.checksum(body.deposit_address) });
  }
  const { body } = await till.api("POST", "/api/links", { ...linkRequest, expected_amount: "100.00" });
  const form = await fetch(`${body.payment_link}/receipt`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "email=jo%40initech.example",
    redirect: "manual",
  });
  expect(form.status).toBe(303);
  return [...made, { kind: "link", id: body.slug, address: Address.checksum(body.deposit_address) }];
}

/** As if they had been mailed the day before yesterday, and Till had been off since. */
function makeDue(db: Db, made: readonly Made[]): void {
  const today = Calendar.dayNumber(Calendar.dayAt(Date.now(), timeZone));
  for (const { id, kind } of made)
    if (kind === "reminded")
      db.query("UPDATE invoice SET status = 'sent', sent_at = ?, due_date = ? WHERE id = ?").run(
        Date.now() - 2 * dayMs,
        Calendar.dayOf(today + 3),
        id,
      );
  db.query("UPDATE reminders_seen SET day = ?").run(Calendar.dayOf(today - 1));
}

type Row = { kind: string; occasion: string; state: string; owner: string };

const rows = (db: Db) =>
  db
    .query<Row, []>(
      `SELECT kind, occasion, state, coalesce(invoice.id, link.slug) AS owner FROM mail
         LEFT JOIN invoice USING (deposit_index) LEFT JOIN link USING (deposit_index)`,
    )
    .all();

/** What each of them is owed, and is not written or still waits. */
function unfinished(db: Db, made: readonly Made[]): string[] {
  const all = rows(db);
  const ended = new Set(
    all
      .filter(({ state }) => state === "sent" || state === "unknown")
      // A reminder's names the date, too.
      .map(({ kind, occasion, owner }) => `${kind} ${occasion.split(".")[0]} ${owner}`),
  );
  const owed = made.flatMap(({ kind, id }) =>
    kind === "reminded" ? [`reminder -3 ${id}`] : [`receipt  ${id}`, `notice  ${id}`],
  );
  const waiting = all.filter(({ state }) => state !== "sent" && state !== "unknown");
  return [
    ...owed.filter((each) => !ended.has(each)),
    ...waiting.map(({ kind, owner }) => `${kind} of ${owner}`),
  ];
}

/** What the books call sent must have arrived; of the rest that ended nobody knows. */
function compare(db: Db, arrived: readonly string[]): { lost: string[]; unknown: number } {
  const names = new Set(arrived);
  const all = rows(db);
  const nameOf = ({ kind, occasion, owner }: Row) => [kind, occasion, owner].filter(Boolean).join("-");
  return {
    lost: all.filter((row) => row.state === "sent" && !names.has(nameOf(row))).map(nameOf),
    unknown: all.filter(({ state }) => state === "unknown").length,
  };
}
