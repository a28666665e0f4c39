import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { enter, world } from "../../src/lib/world.ts";
import type { Db } from "../../src/store/database.ts";
import type { Random } from "../support/random.ts";
import { createAsking } from "./asking.ts";
import { createChain } from "./chain.ts";
import { createChance } from "./chance.ts";
import { addRows, createDisk, type Disk } from "./disk.ts";
import { type Installation, installation } from "./installation.ts";
import { judgeCounted, judgeEnd, judgeMissing } from "./judge.ts";
import { judgeMails, watchMails } from "./judge-mail.ts";
import { anyUnderWay, judgeOut, judgeOutEnd, judgeSaid, watchSent } from "./judge-out.ts";
import { leaveLibraries } from "./libraries.ts";
import { HungUp, startLife, type TillLife } from "./life.ts";
import { createMailHost } from "./mail-host.ts";
import { createNet } from "./net.ts";
import { createNodeHost } from "./node-host.ts";
import { createOwner } from "./owner.ts";
import { createRefunds } from "./refunds.ts";
import { createShop } from "./shop.ts";
import { createTime } from "./time.ts";
import { createTroubles, noticedWithinMs } from "./troubles.ts";

/** 28 November 2026. */
const startMs = 1_795_824_000_000;
/** With nothing wrong, a payment counts so long after its block: 10 s, and the look that is made every minute. */
const countsWithinMs = 75_000;

/** With nothing wrong, Till has noticed after so long that the chain has lost what went out. */
const undoneWithinMs = 120_000;

/** Kinds of trouble among which those of a day are shared out: one more kind is more trouble, and leaves the others alone. */
const usualTroubles = 18;

/** Without these a run shows nothing. */
const surely: readonly string[] = ["cut", "killAtRequest", "killAtSettlement", "reorganisesAtPayment"];

export type Plan = {
  seed: number;
  days: number;
  paymentsPerDay: number;
  troublesPerDay: number;
  /** It gives up when it takes longer on the real clock. */
  realMsMax: number;
};

export type Outcome = {
  /** Of all rows, requests, log entries and calls to the nodes. */
  digest: string;
  faults: string[];
  counts: Record<string, number>;
  steps: number;
};

const system = { ...world };
/** Runs a Till through a time of its own, with what a seed brings. */
export async function simulate(plan: Plan): Promise<Outcome> {
  const fresh = await installation(startMs);
  const closers: (() => void)[] = [];
  try {
    return await live(plan, fresh, closers);
  } finally {
    for (const close of closers) close();
    enter(system);
    leaveLibraries();
  }
}

async function live(
  { seed, days, paymentsPerDay, troublesPerDay, realMsMax }: Plan,
  { dir: empty, wallet }: Installation,
  closers: (() => void)[],
): Promise<Outcome> {
  const time = createTime(startMs, realMsMax);
  const chance = createChance(seed);
  const net = createNet(time, chance("net"));
  const mailHost = createMailHost(time, chance("mail"));
  const outside = { isAlive: true };
  const chain = createChain(time, outside);
  const choice = chance("settings");
  const names = choice.pick([
    ["first.example"],
    ["first.example", "second.example"],
    ["first.example", "second.example"],
  ]);
  const nodes = names.map((name) =>
    createNodeHost({ name, chain, time, life: outside, random: chance(`node ${name}`) }),
  );
  for (const { name, host } of nodes) net.hosts.set(name, host);
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const logged = createHash("sha256");
  const faults: string[] = [];
  const settings = {
    TILL_RPC_URL: nodes.map(({ name }) => `http://${name}`).join(","),
    ...(choice.chance(0.7) ? { TILL_RPC_WS_URL: "ws://first.example" } : {}),
    TILL_LOG_RANGE: `${choice.pick([10, 500, 2_000])}`,
  };
  let disk: Disk = createDisk(time, chance("disk"), empty);
  // Set by the first start.
  let life = null as unknown as TillLife;
  /** Whether it has been started, and whether it is ready. */
  let isRunning = false;
  let isUp = false;
  /** Until when something is wrong that may keep payments from counting, and the last time that it was. */
  let troubledUntil = startMs;

  function start(): void {
    const started = startLife({ time, chance, net, mailHost }, disk, settings, (line) => {
      logged.update(`${line}\n`);
      const [, event] = /^\S+ error \[([\w.]+)/.exec(line) ?? [];
      if (event) count(`log ${event}`);
      if (event === "database.replaced") faults.push(line);
      if (process.env["TEST_WORLD_LOG"]) console.log(line);
    });
    life = started;
    isRunning = true;
    started.ready.then(
      () => {
        isUp = isRunning && life === started;
      },
      (thrown: unknown) => faults.push(`Till did not start: ${Bun.inspect(thrown)}`),
    );
  }

  function trouble(forMs: number): void {
    troubledUntil = Math.max(troubledUntil, time.now() + forMs);
  }

  function kill(cut: "kill" | "power"): void {
    if (!isRunning) return;
    isRunning = false;
    count(cut === "kill" ? "kills" : "power cuts");
    const { dir, lostFrames } = disk.after(cut);
    if (lostFrames > 0) count("power cuts that lost something");
    life.kill();
    disk.remove();
    disk = createDisk(time, chance("disk"), dir);
    rmSync(dir, { recursive: true, force: true });
    const downMs = chance("kills").chance(0.8) ? 200 : chance("kills").between(1_000, 600_000);
    trouble(downMs + 10_000);
    isUp = false;
    time.after(downMs, start);
  }

  /** What waits for the next payment, order or settlement to strike in the midst of it. */
  const atPayment: (() => void)[] = [];
  const atRequest: (() => void)[] = [];
  const atSettlement: (() => void)[] = [];
  const atOutflow: (() => void)[] = [];
  const atApproval: (() => void)[] = [];
  const atMail: (() => void)[] = [];
  const asking = createAsking(time, (...asked) => {
    if (!isUp) return Promise.reject(new HungUp("down"));
    if (asked[0] === "POST") atRequest.shift()?.();
    if (asked[1].endsWith("/approve")) atApproval.shift()?.();
    return life.ask(...asked);
  });
  const refunds = createRefunds({ time, chance, asking, mailHost });
  const shop = createShop({
    time,
    chance,
    chain,
    asking,
    onTooMuch: (order, name) => void refunds.payBack(order, name),
  });
  const owner = createOwner({ time, chance, asking });
  net.hosts.set(shop.webhookHost, shop.host);

  chain.onPlaced(({ liar, nonce }) => {
    if (liar !== null || nonce !== undefined) return;
    const strike = atPayment.shift();
    if (strike) time.after(chance("payment struck").between(1, 14_000), strike);
  });
  chain.onSent((sent) => {
    if ("deposits" in sent) atSettlement.shift()?.();
    else atOutflow.shift()?.();
  });
  watchSent(time, chain, noticedWithinMs, faults);
  mailHost.onMail(() => atMail.shift()?.());
  watchMails({ chain, wallet, mailHost, shop, db: () => life.db() }, faults);
  const troubles = createTroubles({
    ...{ time, chain, nodes, shop, mailHost, count, trouble, kill },
    ...{ atPayment, atRequest, atSettlement, atOutflow, atApproval, atMail },
    isTroubled: () => time.now() < troubledUntil,
    disk: () => disk,
  });

  /** So many, spread over the whole time. */
  function spread(
    what: string,
    perDay: number,
    least: number,
    run: (random: Random, n: number) => void,
  ): void {
    const random = chance(what);
    const many = Math.max(least, Math.floor(perDay * days + random.between(0, 99) / 100));
    for (let n = 0; n < many; n++) {
      // What has to happen finds somebody whom it happens to.
      const lastDay = n < least ? days / 2 : days;
      time.after(random.between(1_000, lastDay * 86_400_000), () => run(random, n));
    }
  }
  spread("payments", paymentsPerDay, 1, (_, n) => void shop.customer(`${n}`));
  for (const [name, strike] of Object.entries(troubles))
    spread(`trouble ${name}`, troublesPerDay / usualTroubles, surely.includes(name) ? 1 : 0, (random) => {
      if (random.chance(0.5)) strike(random);
      else atPayment.push(() => strike(random));
    });

  spread("withdrawals", paymentsPerDay / 12, 1, (random) => void owner.withdraw(random));
  const judged = { chain, wallet, owner, refunds };
  let judgedAt = startMs;
  function judgeNow(): void {
    const db = life.db();
    if (!isUp || db === null) return;
    const now = time.now();
    // A look that began before a reorganisation may write what it saw.
    faults.push(...judgeCounted(db, chain, now - noticedWithinMs), ...judgeOut(db, judged));
    if (now >= troubledUntil + undoneWithinMs) faults.push(...judgeSaid(db, judged, now));
    const quietSince = troubledUntil;
    if (now >= quietSince + countsWithinMs)
      faults.push(...judgeMissing(db, chain, now, now - countsWithinMs, shop.orders));
    judgedAt = now;
  }
  const every = days < 1 ? 60_000 : 300_000;
  function judgeAgain(): void {
    judgeNow();
    time.after(every, judgeAgain);
  }
  time.after(every, judgeAgain);

  closers.push(() => {
    outside.isAlive = false;
    life.kill();
    disk.remove();
  });
  start();
  owner.begin();
  const end = startMs + days * 86_400_000;
  const isOver = () => faults.length > 0;
  await time.run(end, isOver);
  // All that is wrong ends, all webhooks come, all is quiet.
  for (const node of nodes) node.suffer(null);
  shop.suffer(null);
  mailHost.suffer(null);
  chain.crowd(false);
  owner.rest();
  // Somebody lays out what the owner took away too soon.
  const layOut = [{ from: `0x${"1a".repeat(20)}`, to: wallet, amount: 1_000_000_000_000n }];
  chain.send({ hash: `0x${"1a".repeat(32)}`, payments: layOut });
  for (let hours = 0.25; hours < 5; hours += 0.25) {
    const isQuiet = isUp && shop.isEmpty() && refunds.isEmpty() && !anyUnderWay(life.db(), time.now());
    await time.run(Math.max(end, troubledUntil) + hours * 3_600_000, isOver);
    if (isQuiet) break;
  }
  if (!isOver() && !(shop.isEmpty() && refunds.isEmpty())) faults.push("somebody still waits for an answer");
  const db: Db | null = life.db();
  const digest = createHash("sha256");
  const cuts = (counts["kills"] ?? 0) + (counts["power cuts"] ?? 0);
  if (db === null || !isUp) faults.push("Till is not up at the end");
  else {
    if (faults.length === 0)
      faults.push(
        ...judgeEnd(db, chain, time.now(), shop),
        ...judgeOutEnd(db, judged, time.now()),
        ...judgeMails(db, { chain, wallet, mailHost, shop }, cuts),
      );
    addRows(digest, db);
    counts["transfers"] = Number(
      db.query<{ n: bigint }, []>("SELECT count(*) AS n FROM transfer WHERE confirmed").get()?.n,
    );
  }
  faults.push(...shop.faults, ...owner.faults, ...refunds.faults);
  if (faults.length === 0 && (cuts === 0 || !counts["reorganisations"] || !counts["transfers"]))
    faults.push(
      "nothing was credited, nothing was killed or nothing was reorganised: this run shows nothing",
    );
  Object.assign(counts, {
    orders: shop.orders.length,
    requests: asking.requests(),
    webhooks: shop.webhooks.length,
    mails: mailHost.mails.length,
    refunds: refunds.begun.size,
    "refunds approved": owner.approvals.length,
    withdrawals: owner.withdrawals.length,
    "paid out": chain.movesOf(wallet).filter(({ from }) => from === wallet).length,
    settlements: chain.settled().length,
    "calls to nodes": nodes.reduce((sum, { asked }) => sum + asked.length, 0),
    "judged until": judgedAt - startMs,
  });
  digest.update(logged.digest("hex")).update(asking.digest()).update(mailHost.digest());
  for (const { asked } of nodes) for (const { at, method } of asked) digest.update(`${at} ${method}\n`);
  for (const { at, text } of shop.webhooks) digest.update(`${at} ${text}\n`);
  return { digest: digest.digest("hex"), faults, counts, steps: time.steps() };
}
