import { tables } from "../../src/books/tables.ts";
import type { Db } from "../../src/store/database.ts";
import { pagesOf } from "../document/poppler.ts";
import { startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { type TestTill, until, untilMailed } from "../support/till/till.ts";
import { type About, unpack } from "./kept.ts";
import { baseUrl } from "./year.ts";

/** What Till answers at a path: a JSON body, the rows of a table, what a page or a PDF names, or the hash of a document. */
export type Answer = { status: number } & (
  | { json: unknown }
  | { rows: Record<string, string>[] }
  | { figures: string[] }
  | { sha256: string }
);

/** A webhook as a receiver gets it. */
type Delivered = Record<string, { body: string; signature: string }>;

export type Expected = { answers: Record<string, Answer>; webhooks: Delivered };

export type KeptTill = {
  till: TestTill;
  about: About;
  expected: () => Expected;
  answerAt(path: string): Promise<Answer>;
  stop(): Promise<void>;
};

const system = Date.now;
let spentMs = 0;

/** The newest Till on a copy of a kept data directory, at the moment at which that one ended, without a node. */
export async function startKept(name: string): Promise<KeptTill> {
  const { dataDir, about, expected, remove } = unpack(name);
  Date.now = () => about.now;
  const till = await startDesk(
    { TILL_BASE_URL: baseUrl, TILL_DATA_DIR: dataDir, TILL_WALLET_PASSPHRASE: about.passphrase },
    {
      isNew: true,
      // Nobody asks so much within a minute.
      limitClock: () => {
        spentMs += 60_000;
        return spentMs;
      },
    },
  );
  await untilMailed(till);
  const owner = visitor(till, about.owner);
  return {
    till,
    about,
    expected,
    answerAt: (path) => answerAt(till, { owner, key: about.key }, path),
    async stop() {
      await till.stop();
      Date.now = system;
      remove();
    },
  };
}

type Asker = { owner: Visitor; key: string };

async function answerAt(till: TestTill, { owner, key }: Asker, path: string): Promise<Answer> {
  const response = path.startsWith("/desk")
    ? await owner.get(path, { accept: "text/html" })
    : await fetch(`${till.localUrl}${path}`, {
        headers: path.startsWith("/api") ? { authorization: `Bearer ${key}` } : { accept: "text/html" },
      });
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) return { status, json: factsOf(await response.json()) };
  if (type.includes("csv")) return { status, rows: rowsOf(await response.text()) };
  if (type.includes("html")) return { status, figures: figuresOf(await response.text()) };
  const bytes = await response.bytes();
  // What was issued stays as it is; what is written anew may look otherwise.
  if (type.includes("pdf") && !path.startsWith("/api/originals/"))
    return { status, figures: figuresOf((await pagesOf(bytes)).join(" ")) };
  return { status, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
}

/** Without the sentences that people read, which a later Till may put otherwise. */
const factsOf = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (sentences.includes(name) ? undefined : value)));
const sentences = ["title", "detail", "message", "summary"];

/** Amounts, numbers of documents, addresses and hashes that a page or a PDF names, whatever it looks like. */
function figuresOf(html: string): string[] {
  const text = html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, " ").replaceAll(/<[^>]*>/g, " ");
  const found = text.match(/\d[\d.,]*[.,]\d\d\b|\b(INV|CN|R)-\d+\b|0x[0-9a-fA-F]{40,64}/g) ?? [];
  return [...new Set(found)].sort();
}

/** The rows of a CSV file, by the names of their columns. */
export function rowsOf(csv: string): Record<string, string>[] {
  const cells = [...csv.replace(/^\uFEFF/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^",;\r\n]*))([,;]|\r?\n|$)/g)];
  const lines: string[][] = [[]];
  for (const [whole, quoted, plain = "", end = ""] of cells) {
    if (whole === "") continue;
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (!/[,;]/.test(end)) lines.push([]);
  }
  const [head = [], ...rows] = lines.filter(({ length }) => length > 0);
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at] || `${at}`, cell])));
}

const textsOf = (db: Db, sql: string) =>
  db
    .query<Record<string, string>, []>(sql)
    .all()
    .map((row) => Object.values(row)[0] ?? "");

/** Everything that is asked of the Till of a kept directory. */
export function pathsOf({ till: { db }, about }: KeptTill): string[] {
  const of = (sql: string, path: (name: string) => string) => textsOf(db, sql).map(path);
  const year = new Date(about.now).getUTCFullYear();
  const days = `from=${year}-01-01&to=${year}-12-31`;
  const parts = ["", "/payments", "/events", "/timeline", "/receipt.json"];
  const nouns = [
    "invoices",
    "links",
    "credit-notes",
    "refunds",
    "recurring",
    "customers",
    "webhook-endpoints",
    "events",
  ];
  return [
    ...nouns.map((noun) => `/api/${noun}?limit=100`),
    ...["/api/keys", "/api/balance", "/api/settlements?limit=100", "/api/owed"],
    ...["/desk", "/desk/money", "/desk/invoices", "/desk/customers", "/desk/links"],
    ...parts.flatMap((part) => of("SELECT id FROM invoice", (id) => `/api/invoices/${id}${part}`)),
    ...parts.flatMap((part) => of("SELECT slug FROM link", (slug) => `/api/links/${slug}${part}`)),
    ...of("SELECT id FROM invoice", (id) => `/api/invoices/${id}/status`),
    ...of("SELECT slug FROM link", (slug) => `/api/payments/status/${slug}`),
    ...of("SELECT slug FROM invoice", (slug) => `/i/${slug}`),
    ...of("SELECT slug FROM link UNION SELECT slug FROM reusable_link", (slug) => `/pay/${slug}`),
    ...of("SELECT id FROM credit_note", (id) => `/api/credit-notes/${id}`),
    ...of("SELECT id FROM refund", (id) => `/api/refunds/${id}`),
    ...of("SELECT id FROM recurring", (id) => `/api/recurring/${id}`),
    ...of("SELECT id FROM webhook_endpoint WHERE deleted_at IS NULL", (id) => `/api/webhook-endpoints/${id}`),
    ...of("SELECT sha256 FROM original", (hash) => `/api/originals/${hash}`),
    ...of(
      "SELECT invoice.id FROM invoice JOIN original USING (deposit_index) WHERE kind = 'invoice' AND form = 'pdf' AND is_known = 1",
      (id) => `/api/invoices/${id}/pdf`,
    ),
    ...of(
      "SELECT invoice.id || '/e-invoice?format=' || form FROM invoice JOIN original USING (deposit_index) WHERE kind = 'invoice' AND form <> 'pdf'",
      (id) => `/api/invoices/${id}`,
    ),
    ...tables.map(({ name }) => `/api/exports/${name}${name === "datev" ? `?${days}` : ""}`),
  ];
}

/** Lets the webhooks that wait go out, all to one receiver, and returns them as they came. */
export async function deliver({ till }: KeptTill): Promise<Delivered> {
  const { db } = till;
  const receiver = await startReceiver();
  const { origin } = new URL(receiver.url);
  db.query("UPDATE webhook_endpoint SET url = ?, paused_at = NULL, pause_cause = NULL").run(receiver.url);
  db.query(
    "UPDATE webhook_event SET url = ?, receiver = iif(endpoint_id IS NULL, ?, receiver), next_attempt_at = ? WHERE state = 'pending'",
  ).run(receiver.url, origin, Date.now());
  await till.pause();
  await till.resume();
  await until(
    () => textsOf(till.db, "SELECT id FROM webhook_event WHERE state = 'pending'"),
    ({ length }) => length === 0,
  );
  await receiver.stop();
  return Object.fromEntries(
    receiver.received.map(({ headers, raw }) => [
      headers["webhook-id"] ?? "",
      {
        body: raw.toString(),
        signature: headers["webhook-signature"] ?? headers["x-service-signature"] ?? "",
      },
    ]),
  );
}
