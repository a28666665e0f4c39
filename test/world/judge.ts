import type { Db } from "../../src/store/database.ts";
import { cents } from "../support/watch/claim.ts";
import type { Chain, Placed, View } from "./chain.ts";
import type { Order, Shop } from "./shop.ts";

type Row = {
  block_hash: string;
  log_index: bigint;
  block_number: bigint;
  tx_hash: string;
  amount: bigint;
  confirmed: bigint;
  deposit: string;
};

/** Every transfer that Till has written down, by its address. */
function rowsOf(db: Db): Map<string, Row[]> {
  const all = db
    .query<Row, []>(
      `SELECT block_hash, log_index, block_number, tx_hash, amount, confirmed, lower(address) AS deposit
       FROM transfer JOIN receivable USING (deposit_index) ORDER BY block_number, log_index`,
    )
    .all();
  return Map.groupBy(all, ({ deposit }) => deposit);
}

const lineOf = ({
  block_hash,
  log_index,
  block_number,
  tx_hash,
  amount,
}: Omit<Row, "confirmed" | "deposit">) => [block_hash, log_index, block_number, tx_hash, amount].join(" ");

/** What the chain has of an address, as Till would write it down. */
function linesOf(chain: Chain, at: number, address: string, upTo = Number.POSITIVE_INFINITY): string[] {
  const view = chain.view(at);
  return view
    .of(address, 0, Math.min(upTo, view.head))
    .sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
    .flatMap((placed) => linesIn(view, placed, address));
}

function linesIn(view: View, placed: Placed, address: string): string[] {
  return placed.payments.flatMap(({ to, amount }, n) =>
    to === address && amount > 0n
      ? [
          lineOf({
            block_hash: view.hashOf(placed.block),
            log_index: BigInt(placed.logIndex + n),
            block_number: BigInt(placed.block),
            tx_hash: placed.hash,
            amount,
          }),
        ]
      : [],
  );
}

/** What counts of an address is on the chain, or was since then: Till may not have heard of its end. */
export function judgeCounted(db: Db, chain: Chain, since: number): string[] {
  const faults: string[] = [];
  for (const [address, rows] of rowsOf(db)) {
    const counted = rows.filter(({ confirmed }) => confirmed === 1n).map(lineOf);
    if (new Set(counted).size !== counted.length)
      faults.push(`${address} counts a payment twice: ${counted}`);
    const ever = new Set(
      chain.since(address, since).flatMap(({ placed, seen }) => linesIn(seen, placed, address)),
    );
    for (const line of counted)
      if (!ever.has(line)) faults.push(`${address} counts what is not on the chain: ${line}`);
  }
  return faults;
}

/** Payments that should count by now and do not: those in blocks up to one that was made at a time. */
export function judgeMissing(
  db: Db,
  chain: Chain,
  at: number,
  madeBefore: number,
  orders: readonly Order[],
): string[] {
  const rows = rowsOf(db);
  const view = chain.view(at);
  const upTo = view.head - Math.ceil((at - madeBefore) / 200);
  return orders.flatMap(({ address }) => {
    const counted = new Set(
      (rows.get(address) ?? []).filter(({ confirmed }) => confirmed === 1n).map(lineOf),
    );
    return linesOf(chain, at, address, upTo)
      .filter((line) => !counted.has(line))
      .map((line) => `${address} was paid, and that does not count: ${line}`);
  });
}

/** What has to hold at the end, once nothing is wrong any more and all is quiet. */
export function judgeEnd(db: Db, chain: Chain, at: number, shop: Shop): string[] {
  const faults: string[] = [];
  const rows = rowsOf(db);
  const known = new Map(shop.orders.map((order) => [order.address, order]));
  if (known.size !== shop.orders.length) faults.push("two orders have one address");
  for (const order of shop.orders) {
    const { address, kind, id } = order;
    const told = (rows.get(address) ?? []).map(lineOf);
    const real = linesOf(chain, at, address);
    if (told.join() !== real.join())
      faults.push(`${kind} ${id} has the rows [${told}], and the chain has [${real}]`);
    const { head, of } = chain.view(at);
    const moves = of(address, 0, head).flatMap(({ payments }) => payments);
    const sumOf = (some: typeof moves) => some.reduce((sum, { amount }) => sum + amount, 0n);
    const total = sumOf(moves.filter(({ to }) => to === address));
    const left = sumOf(moves.filter(({ from }) => from === address));
    const sums = db
      .query<{ received_amount: bigint; pending_amount: bigint }, [string]>(
        "SELECT received_amount, pending_amount FROM receivable WHERE lower(address) = ?",
      )
      .get(address);
    if (!sums) faults.push(`${kind} ${id} was promised, and there is none`);
    else if (sums.received_amount !== total || sums.pending_amount !== 0n)
      faults.push(
        `${kind} ${id} has the sums ${sums.received_amount} and ${sums.pending_amount}, not ${total}`,
      );
    const settled = db
      .query<{ sum: bigint }, [string]>(
        `SELECT coalesce(sum(amount), 0) AS sum FROM settlement JOIN receivable USING (deposit_index)
         WHERE lower(address) = ? AND state IN ('settled', 'elsewhere')`,
      )
      .get(address)?.sum;
    if (settled !== left) faults.push(`${kind} ${id} was settled with ${left}, and the books say ${settled}`);
    if (total - left >= 1_000_000n)
      faults.push(`${kind} ${id} was paid ${total}, and ${total - left} of it was never settled`);
    faults.push(...judgeWebhooks(order, total, shop));
  }
  // Each transaction is an intent in the database before anybody is handed its signature.
  const sent = db.query<{ hash: string }, []>("SELECT hash FROM gas_attempt").all();
  const intended = new Set(sent.map(({ hash }) => hash));
  for (const { hash, nonce } of chain.settled())
    if (!intended.has(hash)) faults.push(`transaction ${nonce} (${hash}) is in no book of Till's`);
  // An order whose answer was lost is asked for again, by its key.
  const made = db.query<{ n: bigint }, []>("SELECT count(*) AS n FROM receivable").get()?.n;
  if (made !== BigInt(shop.orders.length))
    faults.push(`${shop.orders.length} were ordered, and ${made} were made`);
  for (const address of rows.keys())
    if (!known.has(address) && linesOf(chain, at, address).length === 0)
      faults.push(`${address} was credited, and nobody ordered or paid that`);
  return faults;
}

/** The status that a sum makes; null for none. */
function statusOf({ kind, expected }: Order, total: bigint): string | null {
  if (total >= expected + 10_000n) return "excess";
  if (total >= expected) return kind === "link" ? "confirmed" : "paid";
  return total >= 10_000n ? "partial" : null;
}

function judgeWebhooks(order: Order, total: bigint, { webhooks }: Shop): string[] {
  const faults: string[] = [];
  const own = webhooks.filter((webhook) => webhook.order === order.id);
  const status = statusOf(order, total);
  if (status !== null && !own.some((webhook) => webhook.status === status))
    faults.push(`${order.kind} ${order.id} is ${status} with ${cents(total)}, and no webhook says so`);
  const ids = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const { id, status: told, text } of own) {
    if ((ids.get(told) ?? id) !== id)
      faults.push(`${order.kind} ${order.id} was reported ${told} by two events`);
    ids.set(told, id);
    if ((texts.get(id) ?? text) !== text) faults.push(`webhook ${id} came with two contents`);
    texts.set(id, text);
  }
  return faults;
}
