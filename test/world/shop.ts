import { createHash, createHmac } from "node:crypto";
import type { Hex } from "viem";
import type { Random } from "../support/random.ts";
import { invoiceRequest } from "../support/till/till.ts";
import { cents } from "../support/watch/claim.ts";
import type { Ask, Asking } from "./asking.ts";
import type { Chain, Fate, Placed, Transaction } from "./chain.ts";
import type { Chance } from "./chance.ts";
import type { Asked, Host } from "./net.ts";
import type { Time } from "./time.ts";

/** What Till said that it had stored, and what somebody paid for it. */
export type Order = {
  kind: "invoice" | "link";
  /** What a webhook names it by. */
  id: string;
  statusPath: string;
  /** In lower case. */
  address: string;
  expected: bigint;
  secret: string;
  /** The customer's; null for a link, which anybody pays. */
  email: string | null;
  createdAt: number;
};

export type Webhook = { at: number; id: string; order: string; status: string; text: string };

type ShopDeps = {
  time: Time;
  chance: Chance;
  chain: Chain;
  asking: Asking;
  /** Who paid too much of an invoice is paid back. */
  onTooMuch: (order: Order, name: string) => void;
};

/** Payments count when they are ten seconds old, to the second. */
const countsAfterMs = 9_000;

const webhookHost = "shop.example";
export type Shop = ReturnType<typeof createShop>;

/** A shop with its customers, and with a server that takes webhooks. */
export function createShop({ time, chance, chain, asking, onTooMuch }: ShopDeps) {
  const orders: Order[] = [];
  const webhooks: Webhook[] = [];
  const faults: string[] = [];
  let lastTransaction = 0;
  /** What the shop's server does to a webhook, as long as it lasts. */
  let trouble: "refuses" | "fails" | "silent" | "slow" | null = null;

  async function insist(
    random: Random,
    ...what: Parameters<Ask>
  ): Promise<{ status: number; body: Record<string, string> }> {
    const { status, text } = await asking.insist(random, ...what);
    return { status, body: JSON.parse(text) };
  }

  async function order(name: string, random: Random): Promise<Order | null> {
    const expected = BigInt(random.between(1, 500)) * 1_000_000n;
    const amount = cents(expected);
    const kind = random.chance(0.5) ? "invoice" : "link";
    const email = `customer-${name}@globex.example`;
    const request =
      kind === "invoice"
        ? {
            ...invoiceRequest,
            vendor_email: email,
            send_now: chance("first mails").chance(0.3),
            line_items: [{ description: "Work", quantity: 1, unit_price: amount }],
          }
        : {
            business_name: "Acme",
            merchant_email: "billing@acme.example",
            expected_amount: amount,
            wallet_type: "managed",
          };
    const headers = { "idempotency-key": `order-${name}` };
    const webhook_url = `http://${webhookHost}/hook`;
    const { status, body } = await insist(
      random,
      "POST",
      `/api/${kind}s`,
      { ...request, webhook_url },
      headers,
    );
    if (status !== 201 && status !== 200) {
      faults.push(`order ${name} was answered ${status}: ${JSON.stringify(body)}`);
      return null;
    }
    const id = String(kind === "invoice" ? body["invoice_id"] : body["slug"]);
    const made: Order = {
      kind,
      id,
      statusPath: kind === "invoice" ? `/api/invoices/${id}/status` : `/api/payments/status/${id}`,
      address: String(body["deposit_address"]).toLowerCase(),
      expected,
      secret: String(body["webhook_secret"]),
      email: kind === "invoice" ? email : null,
      createdAt: time.now(),
    };
    orders.push(made);
    return made;
  }

  function transaction(name: string, order: Order, amounts: readonly bigint[]): Transaction {
    lastTransaction += 1;
    const hash: Hex = `0x${createHash("sha256").update(`payment ${name} ${lastTransaction}`).digest("hex")}`;
    const from = `0x${createHash("sha256").update(`payer ${name}`).digest("hex").slice(0, 40)}`;
    return { hash, payments: amounts.map((amount) => ({ from, to: order.address, amount })) };
  }

  /** How the customers of an order pay, in one transaction or several. */
  function plan(random: Random, expected: bigint): bigint[][] {
    const half = expected / 2n;
    return random.pick([
      [[expected]],
      [[expected]],
      [[expected]],
      [[half], [expected - half]],
      [[half, expected - half]],
      [[half]],
      [[expected + 5_000_000n]],
      [[expected], [expected]],
      [[1n], [expected]],
      [],
    ]);
  }

  let customers = 0;
  async function customer(name: string): Promise<void> {
    customers += 1;
    await serve(name);
    customers -= 1;
  }

  /** One customer: orders, pays, and looks how it stands. */
  async function serve(name: string): Promise<void> {
    const random = chance(`customer ${name}`);
    const made = await order(name, random);
    if (made === null) return;
    await time.sleep(random.chance(0.8) ? random.between(500, 120_000) : random.between(120_000, 3_600_000));
    const amountsOf = plan(random, made.expected);
    for (const amounts of amountsOf) {
      chain.send(transaction(name, made, amounts));
      await time.sleep(random.between(0, 20_000));
      for (let looks = random.between(0, 2); looks > 0; looks--) {
        await insist(random, "GET", made.statusPath);
        await time.sleep(random.between(1_000, 15_000));
      }
    }
    const paid = amountsOf.flat().reduce((sum, amount) => sum + amount, 0n);
    if (made.kind === "invoice" && paid >= made.expected + 10_000n) onTooMuch(made, name);
  }

  function take({ headers, body }: Asked): void {
    const id = headers["webhook-id"] ?? "";
    const { invoice_id, slug, status } = JSON.parse(body) as Record<string, string>;
    const order = String(invoice_id ?? slug);
    webhooks.push({ at: time.now(), id, order, status: String(status), text: body });
    const known = orders.find((one) => one.id === order);
    // Nobody can say whose it is whose answer was lost, until it is asked for again.
    if (!known) return;
    const signed = createHmac("sha256", known.secret).update(body).digest("hex");
    const { expected } = known;
    const least = { partial: 10_000n, excess: expected + 10_000n }[String(status)] ?? expected;
    if (chain.matured(known.address, countsAfterMs) < least)
      faults.push(`webhook ${id} says ${status} of ${order}, and no such money was ever old enough`);
    if (headers["X-Service-Signature"] !== `sha256=${signed}` && headers["X-Service-Signature"] !== signed)
      faults.push(`webhook ${id} is not signed with the secret of its order`);
  }

  const hook = chance("shop");
  const host: Host = {
    answer(request) {
      if (trouble === "refuses") return { afterMs: 0, error: "ECONNREFUSED" };
      if (trouble === "fails") return { afterMs: 5, status: 500, text: "" };
      if (trouble === "silent") {
        // It may have read it all the same.
        if (hook.chance(0.5)) take(request);
        return null;
      }
      take(request);
      return {
        afterMs: trouble === "slow" ? hook.between(2_000, 14_000) : hook.between(1, 60),
        status: 200,
        text: "",
      };
    },
  };

  return {
    orders,
    webhooks,
    faults,
    customer,
    isEmpty: () => customers === 0,
    host,
    webhookHost,
    suffer(next: typeof trouble): void {
      trouble = next;
    },
    /** What becomes of a payment whose block is gone. One that is gone for good is sent again by its wallet, later. */
    fateOf(random: Random) {
      return (placed: Placed): Fate => {
        const dice = random.between(1, 10);
        if (dice <= 4) return { kind: "same" };
        if (dice <= 7) return { kind: "later", blocks: random.between(1, 20) };
        // Its payer has spent the money otherwise.
        if (dice === 8) return { kind: "gone" };
        time.after(random.between(5_000, 120_000), () => chain.send(placed));
        return { kind: "gone" };
      };
    },
  };
}
