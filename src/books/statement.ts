import * as Calendar from "../domain/calendar.ts";
import * as Usdc from "../domain/usdc.ts";
import { counted } from "../lib/text/english.ts";
import { receivedBetween } from "../store/reports/desk/home.ts";
import { eachIn, eachOut, type Movement } from "./movements.ts";
import type { Selection, Table } from "./table.ts";

/** Movements of USDC as a bank statement, which bookkeeping programs match with invoices. */

/** Merges both in chronological order; `outs` must be sorted. */
async function* inOrder(ins: AsyncIterable<Movement>, outs: readonly Movement[]): AsyncGenerator<Movement> {
  let next = 0;
  for await (const movement of ins) {
    for (let out = outs[next]; out !== undefined && out.at <= movement.at; out = outs[++next]) yield out;
    yield movement;
  }
  yield* outs.slice(next);
}

/** Rounds down, even below zero. */
const wholeCents = (micro: bigint) =>
  (micro - (((micro % Usdc.microPerCent) + Usdc.microPerCent) % Usdc.microPerCent)) / Usdc.microPerCent;

/** A movement with its change of the balance in whole cents; negative for outgoing money. */
type Line = Movement & { cents: bigint };

/**
 * The movements in whole cents, as programs need them. Each line is the change of the total balance: fractions of a
 * cent carry over to later lines, so that no sum of lines is off by more than one.
 */
async function* eachLine(selection: Selection): AsyncGenerator<Line> {
  const { db, days, timeZone, onGap } = selection;
  const start = days.from === null ? 0 : Calendar.startOf(days.from, timeZone);
  let balance: bigint = receivedBetween(db, 0, start);
  const outs = [...eachOut({ ...selection, days: { ...days, from: null } })].sort((a, b) => a.at - b.at);
  for (const { at, amount } of outs) if (at < start) balance -= amount;
  const ofDays = outs.filter(({ at }) => at >= start);
  let small = 0;
  for await (const movement of inOrder(eachIn(selection), ofDays)) {
    const before = wholeCents(balance);
    balance += movement.kind === "payment" ? movement.amount : -movement.amount;
    const cents = wholeCents(balance) - before;
    if (cents === 0n) small += 1;
    else yield { ...movement, cents };
  }
  if (small > 0)
    onGap(
      `${counted(small, "movement")} of less than a cent left out: the next lines include them.`,
      "small",
      small,
    );
}

const amountText = ({ cents }: Line) => {
  const text = Usdc.format(Usdc.fromMicro((cents < 0n ? -cents : cents) * Usdc.microPerCent));
  return cents < 0n ? `-${text}` : text;
};

const dayOf = ({ at }: Line, { timeZone }: Selection) => Calendar.dayAt(at, timeZone).split("-");

const words = { payment: "Payment of", refund: "Refund of", withdrawal: "Withdrawal" };
const whatOf = ({ kind, subject }: Line) => `${words[kind]} ${subject ?? ""}`.trim();
const payeeOf = ({ name, email, address }: Line) => name ?? email ?? address ?? "";

function statement(
  name: string,
  text: string,
  columns: readonly string[],
  cells: (line: Line, selection: Selection) => readonly string[],
): Table {
  return {
    name,
    text,
    isForProgram: true,
    columns: () => [...columns],
    async *rows(selection) {
      for await (const line of eachLine(selection)) {
        const row = cells(line, selection);
        yield Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));
      }
    },
  };
}

export const statements: readonly Table[] = [
  statement(
    "quickbooks-statement",
    "USDC that came and went, as QuickBooks imports bank transactions",
    ["Date", "Description", "Amount"],
    (line, selection) => {
      const [year, month, day] = dayOf(line, selection);
      return [`${month}/${day}/${year}`, `${whatOf(line)}, ${payeeOf(line)}`, amountText(line)];
    },
  ),
  statement(
    "xero-statement",
    "USDC that came and went, as Xero imports bank statements",
    ["Date", "Amount", "Payee", "Description", "Reference"],
    (line, selection) => [
      dayOf(line, selection).reverse().join("/"),
      amountText(line),
      payeeOf(line),
      whatOf(line),
      line.txHash ?? "",
    ],
  ),
];
