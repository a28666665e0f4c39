/**
 * Breaks the money paths in small ways, made from the syntax of the code, and says which test is the first to find each:
 * `bun test/mutants.ts [seed] [count]`. One that none finds changes nothing that matters, or shows a hole in the tests.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import ts from "typescript";
import { createRandom } from "./support/random.ts";
import measured from "./times.json";

/** What to break, and what may find it. */
const paths: Record<string, string> = {
  "src/{watch/payment/*,store/{announce,tables/{watch/*,invoicing/{deposit,receivable},outbox/event}}}.ts":
    "test/{watch/**/*,invoicing/*,outbox/payment-*,store/{announce,kept,tab}*,doctor/replay,http/money/*}.test.ts",
  "src/watch/{look,recorded,differences,deposits,doubt/*}.ts":
    "test/{watch/**/*,chain/transfer/*,doctor/replay}.test.ts",
  "src/{settle/**/*,store/tables/{settle/*,invoicing/refund},invoicing/refunds/*,domain/payment/*}.ts":
    "test/{settle/*,invoicing/refunds,cli/money/*,desk/money/[aosu]*,http/{money,relay/**}/*,domain/payment/*}.test.ts",
  "src/{invoicing/{*,credit/*,links/*},domain/receivable/*,store/tables/invoicing/{credit-note,link,invoice}}.ts":
    "test/{invoicing/*,watch/payment/*,store/{[artk]*},http/{closing,greenfield,invoices,links}/*,outbox/v*}.test.ts",
  "src/{domain/{usdc,bill/*,bill/rate/*},rates/*}.ts":
    "test/{domain/{*,bill/*,link/*},rates/*,invoicing/*,http/{invoices,links}/*,books/*}.test.ts",
  "src/{outbox/webhook-sender,domain/event/*,store/tables/outbox/{webhook-event,webhook-history,endpoint}}.ts":
    "test/{outbox/[epws]*,domain/event/*,store/announce,http/{events,greenfield}/*}.test.ts",
  "src/{books/*,domain/receipt/*,store/{tables/invoicing/{receipt,*-value},reports/{receipt,export/*}}}.ts":
    "test/{books/*,domain/receipt/*,watch/payment/*,http/receipts/*,cli/{credited,money/verify-*}}.test.ts",
};

/** Longer ones are for a person to try, on what nothing else finds. */
const fileMsMax = 20_000;
const run = ["test", "--bail", "--timeout=60000"];
const hangsAfterMs = 900_000;
const short = (code: string) => code.replaceAll(/\s+/g, " ").slice(0, 90);

const root = join(import.meta.dir, "..");
const times: Record<string, number> = measured.files;
const usualMs = (file: string) => times[file] ?? 0;
const allFiles = [...new Bun.Glob("{src,test}/**/*.ts").scanSync(root)].sort();
const filesOf = (pattern: string) => allFiles.filter((file) => new Bun.Glob(pattern).match(file));

type Edit = { from: number; to: number; text: string };
type Mutant = Edit & { file: string; code: string; tests: string[] };

const bothWays = (pairs: Record<string, string>) =>
  new Map(Object.entries(pairs).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
const operators = bothWays({ "<": "<=", ">": ">=", "===": "!==", "+": "-", "&&": "||" });
const words = bothWays({ "0n": "1n", true: "false", min: "max", floor: "ceil" });
const inSql = bothWays({
  " < ": " <= ",
  " > ": " >= ",
  "<>": "IS",
  " + ": " - ",
  "= 0": "= 1",
  "min(": "max(",
});

/** What is logged is not what is paid. */
const isLogged = (node: ts.Node) => /^(?:\w+\.)*log(?:\.\w+)?\(/.test(node.getText());
const isCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) || (ts.isAwaitExpression(node) && isCall(node.expression));

/** Where a condition in SQL ends: before the next one, or with the parenthesis around it. */
function endOfCondition(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length - 1; at++) {
    if (sql[at] === "(") depth += 1;
    if (sql[at] === ")") depth -= 1;
    const isNext = depth === 0 && /^\s(?:AND|OR|[A-Z]{3,})\b/.test(sql.slice(at));
    const isWord = /^\s(?:IS|NOT|NULL|IN|BETWEEN|EXISTS|LIKE|SELECT)\b/.test(sql.slice(at));
    if (depth < 0 || (isNext && !isWord)) return at;
  }
  return sql.length - 1;
}

/** Drops the conditions after the first, and swaps. What is put into a template is not its SQL. */
function sqlEdits(node: ts.Node): Edit[] {
  const start = node.getStart();
  let sql = node.getText();
  if (!/\b(?:SELECT|UPDATE|INSERT|DELETE|WHERE|AND|FILTER)\b/.test(sql)) return [];
  for (const { expression } of ts.isTemplateExpression(node) ? node.templateSpans : []) {
    const [from, to] = [expression.getStart() - start, expression.end - start];
    sql = sql.slice(0, from) + "x".repeat(to - from) + sql.slice(to);
  }
  const edits: Edit[] = [];
  for (const { index } of sql.matchAll(/\sAND (?![$?\d])/g))
    edits.push({ from: start + index, to: start + endOfCondition(sql, index + 5), text: "" });
  for (const [one, text] of inSql)
    for (let at = sql.indexOf(one); at >= 0; at = sql.indexOf(one, at + 1))
      edits.push({ from: start + at, to: start + at + one.length, text });
  return edits;
}

function editsAt(node: ts.Node): Edit[] {
  const edit = (at: ts.Node, text: string) => ({ from: at.getStart(), to: at.end, text });
  const swap = (at: ts.Node, by: Map<string, string>) => {
    const text = by.get(at.getText());
    return text === undefined ? [] : [edit(at, text)];
  };
  const negate = (condition: ts.Expression) => edit(condition, `!(${condition.getText()})`);
  if (ts.isIfStatement(node))
    return node.elseStatement ? [negate(node.expression)] : [negate(node.expression), edit(node, ";")];
  if (ts.isConditionalExpression(node)) return [negate(node.condition)];
  if (ts.isExpressionStatement(node)) return isCall(node.expression) ? [edit(node, ";")] : [];
  if (ts.isBinaryExpression(node)) return swap(node.operatorToken, operators);
  if (ts.isPropertyAccessExpression(node) && node.expression.getText() === "Math")
    return swap(node.name, words);
  if (ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) return sqlEdits(node);
  return /^(?:true|false|[01]n)$/.test(node.getText()) && !ts.isLiteralTypeNode(node.parent)
    ? swap(node, words)
    : [];
}

function mutantsOf(file: string, tests: string[]): Mutant[] {
  const code = readFileSync(join(root, file), "utf8");
  const found: Mutant[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isExpressionStatement(node) && isLogged(node)) return;
    for (const edit of editsAt(node)) found.push({ ...edit, file, code, tests });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile(file, code, ts.ScriptTarget.ESNext, true), visit);
  return found;
}

/** A copy of the code, to break, with all that its tests read. */
function makeCopy(): string {
  const dir = mkdtempSync(join(tmpdir(), "till-mutants-"));
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  const left = /^(?:\.git|node_modules|test\/bench\/peers\/node_modules|dist|data|test\/output)$/;
  cpSync(root, dir, { recursive: true, filter: (path) => !left.test(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  return dir;
}

/** How many each test that ran was the first to find. */
const found = new Map<string, number>();

/** What runs now, each with a process group of its own. */
const groups = new Set<number>();
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    for (const pid of groups) process.kill(-pid, "SIGKILL");
    process.exit(1);
  });

/** Cheap ones first; the compiler last, as most mutants compile. */
const runsOf = (tests: readonly string[]) => [
  [...run, ...tests.map((file) => `./${file}`)],
  [...run, "./test/world/simulation.test.ts", "-t", "loses nothing"],
  ["run", "types", "--incremental", "false"],
];

/** Runs tests one after the other; returns the first that fails. */
async function findFailing(dir: string, args: readonly string[]): Promise<string | null> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: dir,
    env: { ...process.env, TEST_WORLD_SEED: "1,2,3" },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  groups.add(child.pid);
  // With all that it started. A mutant that hangs is found.
  const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), hangsAfterMs);
  const told = await new Response(child.stderr).text();
  const exitCode = await child.exited;
  groups.delete(child.pid);
  clearTimeout(timer);
  const begun = [...told.matchAll(/^(test\/\S+):$/gm)].map(([, file = ""]) => file);
  for (const file of begun) found.set(file, found.get(file) ?? 0);
  return exitCode === 0 ? null : (begun.at(-1) ?? args.join(" "));
}

const [seed = 1, count = 100] = process.argv.slice(2).map(Number);
const random = createRandom(seed);
const pools = Object.entries(paths).map(([sources, tests]) => {
  const fast = filesOf(tests).filter((file) => usualMs(file) <= fileMsMax);
  fast.sort((one, other) => usualMs(one) - usualMs(other));
  return filesOf(sources).flatMap((file) => mutantsOf(file, fast));
});
/** From each path in turn, and none twice. */
const mutants = Array.from({ length: count }, (_, at) => {
  const pool = pools[at % pools.length] ?? [];
  return pool.splice(random.between(0, pool.length - 1), 1);
}).flat();

let missed = 0;
async function work(): Promise<void> {
  const dir = makeCopy();
  for (let mutant = mutants.shift(); mutant; mutant = mutants.shift()) {
    const { file, code, from, to, text, tests } = mutant;
    writeFileSync(join(dir, file), code.slice(0, from) + text + code.slice(to));
    let finder: string | null = null;
    for (const args of runsOf(tests)) finder ??= await findFailing(dir, args);
    // On a busy machine a test may fail once.
    const again = [...run, `./${finder}`];
    const isTest = finder?.startsWith("test/");
    if (isTest && (await findFailing(dir, again)) === null) finder = null;
    writeFileSync(join(dir, file), code);
    if (isTest && (await findFailing(dir, again)) !== null) throw new Error(`${again} fails anyway`);
    if (finder === null) missed += 1;
    else found.set(finder, (found.get(finder) ?? 0) + 1);
    const place = `${file}:${code.slice(0, from).split("\n").length}`;
    console.log(`${place} ${short(code.slice(from, to))} → ${short(text)}\n    ${finder ?? "NOT FOUND"}`);
  }
}
await Promise.all([work(), work()]);

for (const [test, first] of [...found].sort(([, a], [, b]) => b - a)) console.log(`${first} ${test}`);
console.log(`${missed} of ${count} not found`);
process.exitCode = missed === 0 ? 0 : 1;
