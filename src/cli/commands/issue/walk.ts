import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../../lib/error.ts";
import { type Client, FieldsRefused, NoAnswer, Refused } from "../../api/client.ts";
import { Cancelled } from "../../command.ts";
import { openPrompts, type Prompts } from "../../terminal/prompt.ts";
import { type Draft, type Fact, faultBy, type Kind, type Question, type Row } from "./fields.ts";
import { foldLines, unfoldLines } from "./line-item.ts";

/** The walk to an invoice or a link: questions from the fields' rows, a summary, and sending. */

/** One question of the walk. */
type Step = { field: string; label: string; isAside: boolean; ask(): Promise<void> };

/**
 * Asks for everything on the terminal, shows it, and creates it on confirmation. Asks again for whatever Till rejects,
 * and loses no input on errors. Reports an absent Till before the first question. Throws a Cancelled if the person
 * leaves.
 */
export async function walk<D extends Draft, Created extends object>(
  client: Client,
  idempotencyKey: string,
  kind: Kind<D, Created>,
): Promise<Created> {
  await client.get(`${kind.path}?limit=1`);
  const file = memoryFile(process.env);
  const before = recall(file);
  const prompts = openPrompts();
  try {
    const draft = { ...kind.walk.start, ...keptOf(kind, before) };
    const send = () => client.post<Created>(kind.path, kind.bodyOf(draft), idempotencyKey);
    const created = await confirmed(kind, draft, prompts, send);
    try {
      const isFirst = file !== null && !existsSync(file);
      if (file !== null) remember(file, toKeep(kind, draft, before));
      if (isFirst) prompts.info(`Your details are kept for next time in ${file}`);
    } catch (thrown) {
      prompts.warn(`Your details could not be kept for next time: ${messageOf(thrown)}`);
    }
    kind.tell(created);
    return created;
  } finally {
    prompts.close();
  }
}

async function confirmed<D extends Draft, T>(
  kind: Kind<D, T>,
  draft: D,
  prompts: Prompts,
  send: () => Promise<T>,
): Promise<T> {
  const rows = askedRows(kind);
  const steps = stepsOf(kind, rows, { prompts, draft });
  for (const step of steps) if (!step.isAside) await step.ask();
  for (;;) {
    prompts.note(summaryOf(rows, draft), kind.walk.title);
    const choice = await prompts.select(kind.walk.question(draft), [
      { value: "send", label: kind.walk.send(draft) },
      { value: "change", label: "Change something" },
      { value: "leave", label: kind.walk.leave },
    ]);
    if (choice === "leave") throw new Cancelled();
    if (choice === "change") {
      const choices = steps.map((step) => ({ value: step.field, label: step.label }));
      const field = await prompts.select("What?", choices);
      await steps.find((step) => step.field === field)?.ask();
    }
    if (choice !== "send") continue;
    prompts.info("Sending …");
    try {
      return await prompts.wait(send());
    } catch (thrown) {
      if (thrown instanceof Cancelled) {
        prompts.warn(
          "It had already been sent: check with till list whether it was made before you try again.",
        );
      }
      await recover(prompts, steps, thrown);
    }
  }
}

/** Reports the error, and asks again for what Till rejected. Rethrows errors that no other answer would change. */
async function recover(prompts: Prompts, steps: readonly Step[], thrown: unknown): Promise<void> {
  if (thrown instanceof FieldsRefused) {
    for (const { field, message } of thrown.faults)
      prompts.warn(`Till refused ${field.replace(/^vendor_/, "customer_")}: it ${message}`);
    const named = thrown.faults.map(({ field }) => field.replace(/[.[].*/s, ""));
    const again = named.map((field) => (field === "wallet_address" ? "wallet_type" : field));
    for (const step of steps) if (again.includes(step.field)) await step.ask();
  } else if (thrown instanceof NoAnswer && !thrown.nothingSent) {
    prompts.warn(
      `${thrown.message}\nIt may have been made. Send it again from here: that never makes a second one.`,
    );
  } else if (thrown instanceof NoAnswer || thrown instanceof Refused) {
    prompts.warn(thrown.message);
  } else {
    throw thrown;
  }
}

type QuestionRow<D> = [field: string, row: Row<D> & { ask: string }];

/** Lists the rows with a question, in the order of the walk. */
function askedRows<D, T>({ rows }: Kind<D, T>): QuestionRow<D>[] {
  const all = Object.entries(rows).filter((entry): entry is QuestionRow<D> => entry[1]?.ask !== undefined);
  const asked = all.filter(([, { after }]) => after === undefined);
  for (const each of all.filter(([, { after }]) => after !== undefined))
    asked.splice(asked.findIndex(([field]) => field === each[1].after) + 1, 0, each);
  return asked;
}

function stepsOf<D extends Draft, T>(
  kind: Kind<D, T>,
  rows: readonly QuestionRow<D>[],
  { prompts, draft }: { prompts: Prompts; draft: D },
): Step[] {
  const text = async (field: keyof D & string, { ask, optional = false, hint, fallback }: Question) => {
    const enter = fallback?.();
    const answer = await prompts.text({
      message: optional ? `${ask} (optional)` : ask,
      initial: foldLines(String(draft[field] ?? "")),
      fallback: enter,
      hint: hint ?? enter,
      fault: (typed) =>
        optional && !typed.trim() ? null : faultOf(kind, { ...draft, [field]: read(typed) }, field),
    });
    if (optional && !answer.trim()) delete draft[field];
    else Object.assign(draft, { [field]: read(answer) });
  };
  return rows.map(([field, row]) => {
    const optional = !kind.schema.required?.includes(field);
    const question = { optional, ...(row.lines && { hint: "\\n starts a new line" }), ...row };
    return {
      field,
      label: row.name ?? row.ask.replace(/ \(.*/, ""),
      isAside: row.isAside === true && draft[field] === undefined,
      ask: () => (row.own ? row.own({ prompts, draft, text }) : text(field, question)),
    };
  });
}

/** Returns what the API would say about one field now; null if it is accepted. */
function faultOf<D, T>({ rows, check, bodyOf }: Kind<D, T>, draft: D, field: string): string | null {
  const own = rows[field]?.fault;
  return own ? own(draft) : faultBy(check(bodyOf(draft)), field);
}

/** `label  value` lines, without missing values. */
function summaryOf<D extends Draft>(rows: readonly QuestionRow<D>[], draft: D): string {
  const facts = rows.flatMap(([field, { fact }]): readonly Fact[] => {
    if (typeof fact === "function") return fact(draft);
    const value = draft[field];
    return fact === undefined ? [] : [[fact, value === undefined ? value : String(value)]];
  });
  const column = Math.max(...facts.map(([label]) => label.length)) + 2;
  return facts
    .flatMap(([label, value]) =>
      value ? [label.padEnd(column) + value.replaceAll("\n", `\n${" ".repeat(column)}`)] : [],
    )
    .join("\n");
}

function read(typed: string): string {
  return unfoldLines(typed.trim());
}

/** The merchant's last answers, by the names of an invoice's fields. */
type Memory = Record<string, unknown>;

const keptIn = <D, T>({ rows }: Kind<D, T>) =>
  Object.entries(rows).flatMap(([field, row]) =>
    row?.keep ? [{ field, at: row.keep === true ? field : row.keep }] : [],
  );

/** Returns the last answers that are still valid. */
function keptOf<D extends Draft, T>(kind: Kind<D, T>, memory: Memory): Draft {
  const stored = keptIn(kind).map(({ field, at }) => [field, memory[at]]);
  const kept = Object.fromEntries(stored.filter(([, value]) => value !== undefined));
  const draft = { ...kind.walk.start, ...kept };
  return Object.fromEntries(Object.entries(kept).filter(([field]) => faultOf(kind, draft, field) === null));
}

function toKeep<D extends Draft, T>(kind: Kind<D, T>, draft: D, before: Memory): Memory {
  const answers = keptIn(kind).map(({ field, at }) => [
    at,
    at === field ? draft[field] : (before[at] ?? draft[field]),
  ]);
  return { ...before, ...Object.fromEntries(answers) };
}

/** Returns the file of the answers, in XDG's place for configuration; null for a user without a home. */
function memoryFile(environment: Record<string, string | undefined>): string | null {
  const home = environment["HOME"] ? join(environment["HOME"], ".config") : null;
  const base = environment["XDG_CONFIG_HOME"] || home;
  return base === null ? null : join(base, "till", "merchant.json");
}

/** Returns an empty object if there is no readable file of ours. */
function recall(file: string | null): Memory {
  try {
    const stored: unknown = file === null ? null : JSON.parse(readFileSync(file, "utf8"));
    return typeof stored === "object" ? { ...stored } : {};
  } catch {
    return {};
  }
}

/** Saves the answers for this user alone. Throws if the file cannot be written. */
function remember(file: string, merchant: Memory): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(merchant, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
