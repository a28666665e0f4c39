import { createHash } from "node:crypto";
import type { Random } from "../support/random.ts";
import type { Chain } from "./chain.ts";
import type { Disk } from "./disk.ts";
import { type MailHost, mailFaults } from "./mail-host.ts";
import type { NodeFault, NodeHost } from "./node-host.ts";
import type { Shop } from "./shop.ts";
import type { Time } from "./time.ts";

/** How far reorganisations reach back: payments count after 10 s, which a deep one takes back. */
const reorgBlocks = { usual: 45, deep: 300 };

/** Without a payment that waits, the blocks that are known are compared with the chain every two minutes. */
export const noticedWithinMs = 140_000;

/** How long the other node has to be there after a lie: Till believes one alone when the others say nothing for a minute. */
const afterLieMs = 130_000;

type TroubleDeps = {
  time: Time;
  chain: Chain;
  nodes: readonly NodeHost[];
  shop: Shop;
  count: (what: string) => void;
  /** From now on for so long payments may not count in time. */
  trouble: (forMs: number) => void;
  isTroubled: () => boolean;
  kill: (cut: "kill" | "power") => void;
  disk: () => Disk;
  /** What strikes soon after the next payment, or at the next order or settlement. */
  atPayment: (() => void)[];
  atRequest: (() => void)[];
  atSettlement: (() => void)[];
  /** What strikes soon after money leaves the wallet. */
  atOutflow: (() => void)[];
  /** What strikes as soon as the mail server has a mail. */
  atMail: (() => void)[];
  /** What strikes soon after an owner approves. */
  atApproval: (() => void)[];
  mailHost: MailHost;
};

/** All that can go wrong, each by its own name and with its own chance. */
export function createTroubles(deps: TroubleDeps): Record<string, (random: Random) => void> {
  const { time, chain, nodes, shop, count, trouble, kill } = deps;
  /** Until when a node lies. */
  let lyingUntil = time.startMs;

  const lastsMs = (random: Random) =>
    random.chance(0.7) ? random.between(2_000, 60_000) : random.between(60_000, 600_000);

  const ailing = (faultBy: (random: Random) => NodeFault) => (random: Random) => {
    const node = random.pick(nodes);
    if (!node.isSound() || time.now() < lyingUntil) return;
    const ms = lastsMs(random);
    const fault = faultBy(random);
    count(`node ${fault.kind}`);
    node.suffer(fault);
    trouble(ms + (fault.kind === "lags" ? fault.ms : 0) + 60_000);
    time.after(ms, () => node.suffer(null));
  };

  function reorganise(random: Random, depth: number): void {
    const moved = chain.reorganise(depth, shop.fateOf(random), random.chance(0.3));
    count("reorganisations");
    if (moved.length > 0) count("reorganisations that moved a payment");
    trouble(noticedWithinMs);
  }

  /** So many turns from then on, in the midst of what Till does. */
  function killSoon(random: Random, afterMs: number): void {
    const turns = random.between(1, 60);
    const cut = random.pick(["kill", "power"] as const);
    const begin = () => {
      const last = time.steps() + turns;
      const wait = () => (time.steps() >= last ? kill(cut) : time.soon(wait));
      wait();
    };
    time.after(afterMs, begin);
  }

  const reorganises = (random: Random) => reorganise(random, random.between(1, reorgBlocks.usual));
  return {
    reorganises,
    lags: ailing((random) => ({ kind: "lags", ms: random.between(500, 60_000) })),
    silent: ailing(() => ({ kind: "silent" })),
    errors: ailing((random) => ({ kind: "errors", status: random.pick([500, 503, 404]) })),
    busy: ailing(() => ({ kind: "busy" })),
    forgets: ailing((random) => ({ kind: "forgets logs", part: random.pick([0.3, 1]) })),
    narrow: ailing((random) => ({ kind: "narrow", blocks: random.pick([1, 10, 100]) })),
    deaf: ailing(() => ({ kind: "deaf" })),
    hangsUp(random) {
      count("cut connections");
      random.pick(nodes).hangUp();
    },
    reorganisesDeeply: (random) =>
      void deps.atPayment.push(() => reorganise(random, random.between(60, reorgBlocks.deep))),
    reorganisesAtPayment: (random) => void deps.atPayment.push(() => reorganises(random)),
    kill: () => kill("kill"),
    cut: () => kill("power"),
    killAtRequest: (random) => void deps.atRequest.push(() => killSoon(random, 0)),
    killAtSettlement: (random) => void deps.atSettlement.push(() => killSoon(random, 0)),
    killAtOutflow: (random) => void deps.atOutflow.push(() => killSoon(random, 0)),
    killAfterOutflow: (random) => void deps.atOutflow.push(() => killSoon(random, random.between(0, 15_000))),
    reorganisesAtOutflow(random) {
      const depth = random.chance(0.5)
        ? random.between(1, reorgBlocks.usual)
        : random.between(60, reorgBlocks.deep);
      const afterMs = random.between(200, 60_000);
      deps.atOutflow.push(() => void time.after(afterMs, () => reorganise(random, depth)));
    },
    killAtApproval: (random) => void deps.atApproval.push(() => killSoon(random, random.between(0, 500))),
    crowded(random) {
      count("crowded blocks");
      const ms = random.between(5_000, 90_000);
      chain.crowd(true);
      trouble(ms);
      time.after(ms, () => chain.crowd(false));
    },
    // The server has the mail, and Till does not know it yet.
    killAtMail: (random) =>
      void deps.atMail.push(() => void time.after(1, () => kill(random.pick(["kill", "power"] as const)))),
    mail(random) {
      count("mail troubles");
      deps.mailHost.suffer(random.pick(mailFaults));
      time.after(lastsMs(random), () => deps.mailHost.suffer(null));
    },
    killAtPayment: (random) => void deps.atPayment.push(() => killSoon(random, random.between(0, 5_000))),
    diskFails(random) {
      count("failing disks");
      const failing = deps.disk();
      failing.fail(true);
      trouble(60_000);
      time.after(random.between(100, 5_000), () => failing.fail(false));
    },
    webhooks(random) {
      count("webhook troubles");
      shop.suffer(random.pick(["refuses", "fails", "silent", "slow"] as const));
      time.after(lastsMs(random), () => shop.suffer(null));
    },
    lies(random) {
      const liar = random.pick(nodes);
      const order = shop.orders.at(-random.between(1, 5));
      // On a single node's word everything is believed.
      if (order === undefined || nodes.length === 1 || deps.isTroubled()) return;
      count("lies");
      const hash = createHash("sha256").update(`lie ${time.now()}`).digest("hex");
      const payments = [{ from: `0x${hash.slice(0, 40)}`, to: order.address, amount: order.expected }];
      chain.invent({ hash: `0x${hash}`, payments }, liar.name, chain.view(time.now()).head + 1);
      const ms = random.between(5_000, 300_000);
      lyingUntil = time.now() + ms + afterLieMs;
      trouble(ms + afterLieMs);
      time.after(ms, () => chain.admit(liar.name));
    },
  };
}
