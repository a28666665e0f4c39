import { createHash } from "node:crypto";
import * as Address from "../../src/domain/wallet/address.ts";
import type { Random } from "../support/random.ts";
import type { Asking } from "./asking.ts";
import type { Chance } from "./chance.ts";
import type { Mail, MailHost } from "./mail-host.ts";
import type { Order } from "./shop.ts";
import type { Time } from "./time.ts";

type RefundsDeps = { time: Time; chance: Chance; asking: Asking; mailHost: MailHost };

export type Refunds = ReturnType<typeof createRefunds>;

/** The shop pays back who paid too much, and customers say where to. */
export function createRefunds({ time, chance, asking, mailHost }: RefundsDeps) {
  /** Of each refund that Till said it began, the order. */
  const begun = new Map<string, Order>();
  const faults: string[] = [];
  let busy = 0;
  let count = 0;

  const whoDoes = async (work: () => Promise<void>) => {
    busy += 1;
    await work();
    busy -= 1;
  };

  /** Begins one, unless nothing is owed. */
  async function begin(order: Order, random: Random, amount: string | null): Promise<void> {
    count += 1;
    const headers = { "idempotency-key": `refund-${count}` };
    const body = { invoice: order.id, ask: true, ...(amount === null ? {} : { amount }) };
    const { status, text } = await asking.insist(random, "POST", "/api/refunds", body, headers);
    if (status === 201 || status === 200) begun.set(JSON.parse(text).id, order);
    else if (status !== 400 && status !== 409 && status !== 422)
      faults.push(`a refund of ${order.id} was answered ${status}: ${text}`);
  }

  /** Pays back what came too much of an invoice: in one refund or several, or asks for more than that. */
  async function payBack(order: Order, name: string): Promise<void> {
    const random = chance(`refund ${name}`);
    await whoDoes(async () => {
      await time.sleep(random.between(15_000, 600_000));
      const way = random.pick(["all", "all", "twice", "parts", "too much"] as const);
      if (way === "parts") await begin(order, random, "1.00");
      if (way === "too much") await begin(order, random, "1000.00");
      if (way === "twice") await Promise.all([begin(order, random, null), begin(order, random, null)]);
      else await begin(order, random, null);
    });
  }

  /** The customer opens the link of a mail and names an address. Somebody else may have the mail, too. */
  async function name(refund: string, path: string): Promise<void> {
    const random = chance(`claim ${refund}`);
    await time.sleep(random.between(1_000, 300_000));
    const say = async (n: number) => {
      const hash = createHash("sha256").update(`refund ${refund} ${n}`).digest("hex");
      const address = Address.checksum(`0x${hash.slice(0, 40)}`);
      if (random.chance(0.3)) await asking.insist(random, "POST", path, new URLSearchParams({ address }));
      const sure = new URLSearchParams({ address, sure: "1" });
      const { status } = await asking.insist(random, "POST", path, sure);
      if (status !== 303 && status !== 409 && status !== 404)
        faults.push(`the page of refund ${refund} answered ${status}`);
    };
    await Promise.all(random.chance(0.2) ? [say(0), say(1)] : [say(0)]);
  }

  mailHost.onMail(({ id, text }: Mail) => {
    const [, refund] = /^refund-(rfd_\w+)\.claim\./.exec(id) ?? [];
    const [, path] = /http:\/\/127\.0\.0\.1:3000(\/refund\/[\w-]{43})/.exec(text) ?? [];
    if (refund !== undefined && path !== undefined) void whoDoes(() => name(refund, path));
  });

  return { begun, faults, payBack, isEmpty: () => busy === 0, keys: () => count };
}
