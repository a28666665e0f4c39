import type { Db } from "../../src/store/database.ts";
import type { Chain, Sent } from "./chain.ts";
import type { Owner } from "./owner.ts";
import type { Refunds } from "./refunds.ts";
import type { Time } from "./time.ts";

/** Payments count when they are ten seconds old, to the second. */
const countsAfterMs = 9_000;

type Row = {
  id: string;
  state: string;
  amount: bigint;
  way: string;
  address: string | null;
  ready_at: bigint | null;
  deposit: string;
  receivable: bigint;
  tx_hash: string | null;
};

const refundsOf = (db: Db) =>
  db
    .query<Row, []>(
      `SELECT refund.id, refund.state, refund.amount, way, lower(to_address) AS address, ready_at, tx_hash,
         lower(receivable.address) AS deposit, deposit_index AS receivable
       FROM refund JOIN receivable USING (deposit_index) ORDER BY number`,
    )
    .all();

/** Whether anything that Till does by itself is not over: what waits for a clock or for people may wait. */
export const anyUnderWay = (db: Db | null, at: number): boolean =>
  db !== null &&
  db
    .query(
      `SELECT 1 FROM webhook_event WHERE state = 'pending'
       UNION ALL SELECT 1 FROM withdrawal WHERE state = 'pending'
       UNION ALL SELECT 1 FROM mail WHERE state IN ('queued', 'sending')
       UNION ALL SELECT 1 FROM refund WHERE state IN ('approved', 'sent') AND ready_at <= ?
       UNION ALL SELECT 1 FROM refund WHERE state = 'requested' AND to_address IS NOT NULL LIMIT 1`,
    )
    .get(at) !== null;

type Judged = { chain: Chain; wallet: string; owner: Owner; refunds: Refunds };

const sumOf = (all: readonly { amount: bigint }[]) => all.reduce((sum, { amount }) => sum + amount, 0n);

/**
 * Watches what Till hands to the nodes: one call for each nonce of the account, and from one wallet one authorisation at a
 * time, of money that is there.
 */
export function watchSent(time: Time, chain: Chain, noticedWithinMs: number, faults: string[]): void {
  const known = new Map<string, Extract<Sent, { authorization: unknown }>["authorization"]>();
  const byNonce = new Map<number, { data: string; at: number }>();
  chain.onSent((sent) => {
    const { nonce, data } = sent;
    const earlier = byNonce.get(nonce);
    // Blocks that are gone make nonces free again.
    const isOther = earlier && earlier.data !== data && earlier.at > chain.reorganisedAt();
    if (isOther) faults.push(`two calls were signed with nonce ${nonce}: the second is ${sent.hash}`);
    byNonce.set(nonce, { data, at: time.now() });
    if (!("authorization" in sent) || known.has(sent.authorization.nonce)) return;
    const { authorization } = sent;
    const view = chain.view(time.now());
    // A reorganisation may just have opened what was over, or taken the money back.
    const isCalm = time.now() - chain.reorganisedAt() > noticedWithinMs;
    const nowSec = Math.floor(view.timeOf(view.head) / 1_000);
    const open = [...known.values()].find(
      ({ from, nonce, validBeforeSec }) =>
        from === authorization.from && validBeforeSec > nowSec && view.usersOf(nonce, view.head).length === 0,
    );
    if (isCalm && open) faults.push(`${sent.hash} leaves the wallet while ${open.nonce} may still leave it`);
    if (isCalm && view.balanceOf(authorization.from, view.head) < authorization.amount)
      faults.push(`${sent.hash} takes ${authorization.amount} out of the wallet, which has less`);
    known.set(authorization.nonce, authorization);
  });
}

/** What went out so far: nothing twice, nothing that nobody approved, never more than came. */
export function judgeOut(db: Db, { chain, wallet, owner, refunds }: Judged): string[] {
  const faults: string[] = [];
  const out = chain.movesOf(wallet).filter(({ from }) => from === wallet);
  const rows = refundsOf(db);
  const addresses = new Map<string, bigint>();
  for (const { address, amount } of owner.approvals) addresses.set(address, amount);
  for (const { to, amount } of owner.withdrawals) if (!addresses.has(to)) addresses.set(to, -amount);
  for (const [to, moves] of Map.groupBy(out, (move) => move.to)) {
    const approved = addresses.get(to);
    if (approved === undefined) faults.push(`${sumOf(moves)} went to ${to}, and nobody said so`);
    else if (approved > 0n && sumOf(moves) > approved)
      faults.push(`${sumOf(moves)} went to ${to}, and a refund of ${approved} was approved`);
  }
  for (const { id, state, address, amount } of rows) {
    const isApproved = owner.approvals.some(
      (one) => one.refund === id && one.address === address && one.amount === amount,
    );
    if (["approved", "sent", "confirmed"].includes(state) && !isApproved)
      faults.push(`refund ${id} is ${state}, and nobody approved ${amount} to ${address}`);
  }
  for (const [deposit, own] of Map.groupBy(rows, (row) => row.deposit)) {
    const gone = sumOf(own.flatMap(({ address }) => out.filter(({ to }) => to === address)));
    const expected = own.map(({ id }) => refunds.begun.get(id)?.expected).find((sum) => sum !== undefined);
    const came = chain.matured(deposit, countsAfterMs);
    if (gone > came - (expected ?? 0n))
      faults.push(`${gone} of ${deposit} went back, and ${came} came for ${expected}`);
  }
  return faults;
}

/** What is said to have left the wallet, and the chain does not have. Till looks again when blocks leave it. */
export function judgeSaid(db: Db, { chain }: Judged, at: number): string[] {
  const view = chain.view(at);
  const said = db
    .query<{ tx_hash: string; what: string }, []>(
      `SELECT tx_hash, 'withdrawal ' || id AS what FROM withdrawal WHERE state = 'done'
       UNION ALL SELECT tx_hash, 'refund ' || id FROM refund WHERE state = 'confirmed' AND way = 'till'`,
    )
    .all();
  return said.flatMap(({ tx_hash, what }) => {
    const placed = view.find(tx_hash);
    return placed && !placed.isReverted ? [] : [`${what} is done by ${tx_hash}, which is not on the chain`];
  });
}

/** What has to hold at the end, once nothing is wrong any more and all is quiet. */
export function judgeOutEnd(db: Db, judged: Judged, at: number): string[] {
  const { chain, wallet, refunds, owner } = judged;
  const faults = [...judgeOut(db, judged), ...judgeSaid(db, judged, at)];
  const out = chain.movesOf(wallet).filter(({ from }) => from === wallet);
  const lineOf = ({ to, amount }: { to: string; amount: bigint }) => `${to} ${amount}`;
  const books = db
    .query<{ to: string; amount: bigint; state: string; form_key: string }, []>(
      'SELECT lower(to_address) AS "to", amount, state, form_key FROM withdrawal',
    )
    .all();
  const done = books.filter(({ state }) => state === "done");
  if (done.map(lineOf).sort().join() !== out.map(lineOf).sort().join())
    faults.push(`the books have [${done.map(lineOf)}] going out, and the chain has [${out.map(lineOf)}]`);
  const pending = books.filter(({ state }) => state === "pending");
  if (pending.length > 0) faults.push(`withdrawals still wait: ${pending.map(lineOf)}`);
  const keys = new Set(owner.withdrawals.map(({ key }) => key));
  for (const book of books)
    if (!book.form_key.includes(" ") && !keys.has(book.form_key))
      faults.push(`nobody asked for the withdrawal ${lineOf(book)}`);
  const rows = refundsOf(db);
  for (const { id, state, address, amount, ready_at, deposit } of rows) {
    const went = out.filter(({ to }) => to === address).map((move) => move.amount);
    const expected = state === "confirmed" ? [amount] : [];
    if (went.join() !== expected.join())
      faults.push(`refund ${id} is ${state}, and [${went}] of ${amount} went out`);
    const came = sumOf(chain.movesOf(deposit).filter(({ to }) => to === deposit));
    const order = refunds.begun.get(id);
    const asked = sumOf(rows.filter((row) => row.deposit === deposit && row.state !== "cancelled"));
    const isOwed = order !== undefined && came - order.expected >= asked;
    if (state === "sent" || (state === "approved" && isOwed && ready_at !== null && ready_at <= BigInt(at)))
      faults.push(`refund ${id} is ${state} and was forgotten`);
  }
  // A refund whose answer was lost is asked for again, by its key.
  for (const id of refunds.begun.keys())
    if (!rows.some((row) => row.id === id)) faults.push(`refund ${id} was promised, and there is none`);
  if (rows.length !== refunds.begun.size)
    faults.push(`${refunds.begun.size} refunds were begun, and ${rows.length} were made`);
  return faults;
}
