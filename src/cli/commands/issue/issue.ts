import { randomUUID } from "node:crypto";
import { qrTerminal } from "../../../document/qr.ts";
import * as LiveState from "../../../domain/payment/live-state.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { type SaidFault, sayFault } from "../../../language/faults.ts";
import { messageOf } from "../../../lib/error.ts";
import { type Client, createClient, FieldsRefused, NoAnswer, Refused } from "../../api/client.ts";
import { issuedOf, type Payable } from "../../api/target.ts";
import { type ExitCode, type FlagValues, UsageError } from "../../command.ts";
import { amountText } from "../../records/format.ts";
import { hasColors, OutputLost, print, say, sayJson, widthOf } from "../../terminal/output.ts";
import type { Facts } from "../../terminal/table.ts";
import { type Draft, draftOf, flagOf, type Kind, type WatchedPayment } from "./fields.ts";

/** Flags that are not fields of the request. */
export const requestFlags = {
  "idempotency-key": {
    value: "KEY",
    text: "if you get no answer, repeat with the same key: Till makes nothing twice",
  },
  json: {
    value: "[FILE]",
    text: "answer as JSON (the default without a terminal); read the request from FILE (- is standard input)",
  },
  watch: { text: "wait until it is paid" },
} as const;

type RequestValues = FlagValues<typeof requestFlags>;

/** Creates it from flags or a file, or by asking; then waits for the payment if requested. */
export async function issue<D extends Draft, Created extends object>(
  kind: Kind<D, Created>,
  values: RequestValues,
  draft: Draft = draftOf(kind, values),
): Promise<ExitCode> {
  const request = await requestOf(kind, values, draft);
  const client = createClient(process.env);
  const json = values.json !== undefined || !process.stdout.isTTY;
  const key = values["idempotency-key"] ?? randomUUID();
  const created = request
    ? await create(client, kind, request, { key, tell: json ? sayJson : kind.tell })
    : await (await import("./walk.ts")).walk(client, key, kind);
  const toWatch = values.watch ? kind.watched(created) : null;
  if (toWatch) await watch(client, toWatch, { json });
  return 0;
}

/** A given request. If it is from a file, its faults name fields, not flags. */
type Request = { body: unknown; isFile: boolean };

/**
 * Returns the request from flags or a file; null if there is neither, but a person to ask. Throws a UsageError for
 * faults, and if there is neither a request nor anybody to ask.
 */
async function requestOf<D, C>(
  kind: Kind<D, C>,
  values: RequestValues,
  draft: Draft,
): Promise<Request | null> {
  const [given] = Object.keys(draft);
  const file = values.json || null;
  const name = file === "-" ? "standard input" : file;
  if (file !== null && given !== undefined)
    throw new UsageError(`the request is in ${name}: leave out ${flagOf(kind.rows, given)}.`);
  if (file !== null) return { body: await readJson(file, `${name}`), isFile: true };
  if (given !== undefined) return { body: kind.bodyOf(draft as D), isFile: false };
  if (process.stdin.isTTY && process.stdout.isTTY && values.json === undefined) return null;
  throw new UsageError(
    `there is no terminal to ask on: give --json FILE or flags; till ${kind.name} --help lists them.`,
  );
}

async function readJson(file: string, name: string): Promise<Draft> {
  const source = file === "-" ? Bun.stdin : Bun.file(file);
  try {
    const body: unknown = JSON.parse(await source.text());
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
    throw new Error("it is not a JSON object");
  } catch (thrown) {
    throw new UsageError(`the request cannot be read from ${name}: ${messageOf(thrown)}.`);
  }
}

/**
 * Creates something from flags or a file, and reports it. Faults that can be found without Till are reported first, by
 * flag if there are flags. Throws what the client throws, and what `tell` does, with a way to get the lost response.
 */
async function create<D, Created extends object>(
  client: Client,
  { path, rows, check }: Kind<D, Created>,
  { body, isFile }: Request,
  { key, tell }: { key: string; tell: (created: Created) => void },
): Promise<Created> {
  const refusal = (faults: readonly SaidFault[]) =>
    new FieldsRefused(
      isFile ? faults : faults.map((fault) => ({ ...fault, field: flagOf(rows, fault.field) })),
    );
  const checked = check(body);
  if (!checked.ok) throw refusal(checked.faults.map(sayFault));
  try {
    const created = await client.post<Created>(path, body, key);
    tell(created);
    return created;
  } catch (thrown) {
    if (thrown instanceof OutputLost) {
      throw new Error(`${thrown.message}. To have the answer again, repeat it with --idempotency-key ${key}`);
    }
    if (thrown instanceof FieldsRefused) throw refusal(thrown.faults);
    if (!(thrown instanceof NoAnswer) || thrown.nothingSent) throw thrown;
    throw new Error(
      `${thrown.message}\nIt may have been made. To be sure, repeat it with --idempotency-key ${key}`,
    );
  }
}

/** The secret of the new webhook. */
export const secretFacts: Facts<{ webhook_secret?: string }> = [
  ["Secret", "webhook_secret"],
  ["", "webhook_secret", () => "of the webhook; it is not shown again"],
];

/** Draws a QR code to scan with a phone, if the terminal has room. */
export function sayCode(text: string): void {
  const code = qrTerminal(text);
  const width = Bun.stringWidth(code.slice(0, code.indexOf("\n")));
  if (hasColors() && width <= widthOf(process.stdout)) print(`\n${code}\n`);
}

const pollIntervalMs = 1_000;
/** Longer than Till holds a request. */
const toldMsMax = 12_000;

/** No money has arrived, as `till invoice` has already said. */
const unpaid = ["draft", "sent", "pending"];

/** Reports changes of status or amount until all is paid, also when a reorg takes a payment back. */
export async function watch(
  client: Client,
  { path, page, name, ids }: WatchedPayment,
  { json, pollMs = pollIntervalMs }: { json: boolean; pollMs?: number },
): Promise<void> {
  if (!json) say("Waiting for the payment. Ctrl-C stops the waiting; nothing else stops with it.");
  let printed = "";
  let receivedBefore: Usdc.Usdc = Usdc.zero;
  const wait = createWait(page === undefined ? null : `${client.baseUrl}${page}/told`, pollMs);
  let seen: Pick<LiveState.LiveState, "received" | "pending"> = { received: Usdc.zero, pending: Usdc.zero };
  for (let liveState: LiveState.LiveState | null = null; ; liveState = await wait()) {
    const { received: counts, pending } = liveState ?? seen;
    if (!json && pending > seen.pending)
      say(`${name}: ${amountText(Usdc.formatExact(pending))} USDC has been detected. It does not count yet.`);
    else if (!json && pending < seen.pending && counts <= seen.received)
      say(`${name}: what had been detected is not on the chain any more.`);
    seen = { received: counts, pending };
    const answer = await lookAt<Payable>(client, path);
    if (!answer) continue;
    const { status, received_amount, total_amount, expected_usdc, expected_amount, due_amount } = answer;
    const received = Usdc.parse(received_amount) ?? receivedBefore;
    const isTakenBack = status === "error" || received < receivedBefore;
    receivedBefore = received;
    const isUnpaid = unpaid.includes(status);
    const state = `${status} ${received_amount}`;
    if (state !== printed && (isTakenBack || !isUnpaid)) {
      if (json) sayJson({ ...ids, status, received_amount, total_amount, expected_usdc, expected_amount });
      else
        say(
          `${name} is ${status}: ${isTakenBack ? "a reorganisation of the chain took a payment back, " : ""}` +
            `${amountText(received_amount)} of ${amountText(issuedOf(answer))} USDC received` +
            (due_amount === undefined ? "" : `, ${amountText(due_amount)} left to pay`),
        );
    }
    printed = state;
    if (!isUnpaid && status !== "partial" && status !== "error") return;
  }
}

/**
 * Returns a function that waits until Till reports something new at a URL. Where nothing is reported, by an older Till,
 * or behind a proxy that only lets the API through, it waits `pollMs` and returns null.
 */
function createWait(url: string | null, pollMs: number): () => Promise<LiveState.LiveState | null> {
  let known = "";
  return async () => {
    const [polled, rested] = [Bun.sleep(pollMs), Bun.sleep(pollIntervalMs)];
    const text = url === null ? "" : await textOf(`${url}?shown=${encodeURIComponent(known)}`);
    const liveState = LiveState.parse(text);
    const isNew = liveState !== null && text !== known;
    if (isNew) known = text;
    else await (liveState ? rested : polled);
    return isNew ? liveState : null;
  };
}

/** Returns an empty text if there is no response: the next request to the API finds out why. */
async function textOf(url: string): Promise<string> {
  const signal = AbortSignal.timeout(toldMsMax);
  return await fetch(url, { redirect: "manual", signal })
    .then((answer) => (answer.ok ? answer.text() : ""))
    .catch(() => "");
}

/** Returns null while Till does not respond or is overloaded: that may pass, and the payment does not depend on it. */
async function lookAt<T extends object>(client: Client, path: string): Promise<T | null> {
  try {
    return await client.get<T>(path);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return null;
    if (thrown instanceof Refused && (thrown.status === 429 || thrown.status >= 500)) return null;
    throw thrown;
  }
}
