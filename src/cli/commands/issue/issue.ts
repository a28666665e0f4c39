import { randomUUID } from "node:crypto";
import { qrTerminal } from "../../../document/qr.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { type Client, createClient, NoAnswer, Refused } from "../../api/client.ts";
import type { ExitCode, Flags, FlagValues } from "../../command.ts";
import { amountText, hasColors, print, say, sayJson, widthOf } from "../../terminal/output.ts";
import { create, type RequestArgs, type RequestCheck, type requestFlags, requestOf } from "./request-args.ts";
import type { RequestDraft, WalkPurpose } from "./walk.ts";

/** What a command creates: `Created` is the API's answer, `D` a walk's draft of the request. */
type Issue<Created, D extends RequestDraft> = {
  name: string;
  path: string;
  fields: Flags;
  /** The request for the API; by default unchanged. */
  bodyOf?: (request: RequestArgs) => unknown;
  check: (body: unknown) => RequestCheck;
  /** Loaded only when there is somebody to ask. */
  purpose: () => Promise<WalkPurpose<D>>;
  tell: (created: Created) => void;
  /** Null for what is not paid directly. */
  watched: (created: Created) => WatchedPayment | null;
};

/** Creates it from flags or a file, or by asking; then waits for the payment if wanted. */
export async function issue<Created extends object, D extends RequestDraft>(
  values: FlagValues<typeof requestFlags>,
  { name, path, fields, bodyOf = ({ body }) => body, check, purpose, tell, watched }: Issue<Created, D>,
): Promise<ExitCode> {
  const request = await requestOf(name, values, fields);
  const client = createClient(process.env);
  const json = request.json || !process.stdout.isTTY;
  const ask = async (key: string) => {
    const [{ walk }, questions] = await Promise.all([import("./walk.ts"), purpose()]);
    return await walk<Created, D>(client, key, questions, tell);
  };
  const created = request.body
    ? await create<Created>(client, path, bodyOf(request), request, { check, tell: json ? sayJson : tell })
    : await ask(request.idempotencyKey ?? randomUUID());
  const toWatch = request.watch ? watched(created) : null;
  if (toWatch) await watch(client, toWatch, { json });
  return 0;
}

/** Draws a QR code for a phone at the screen, if the terminal has room. */
export function sayCode(text: string): void {
  const code = qrTerminal(text);
  const width = Bun.stringWidth(code.slice(0, code.indexOf("\n")));
  if (hasColors() && width <= widthOf(process.stdout)) print(`\n${code}\n`);
}

const pollIntervalMs = 3_000;

/** Nothing has arrived, as `till invoice` has already said. */
const unpaid = ["draft", "sent", "pending"];

/** What to watch: where to read its status, and its names for people and programs. */
type WatchedPayment = { path: string; name: string; ids: Record<string, string> };

type Status = {
  status: string;
  received_amount: string;
  total_amount?: string;
  /** For an invoice with credit notes. */
  due_amount?: string;
  /** For an invoice in another currency. */
  expected_usdc?: string;
  expected_amount?: string;
};

/** Reports changes of status or amount, also when a reorg takes a payment back, until all is paid. */
export async function watch(
  client: Client,
  { path, name, ids }: WatchedPayment,
  { json, pollMs = pollIntervalMs }: { json: boolean; pollMs?: number },
): Promise<void> {
  if (!json) say("Waiting for the payment. Ctrl-C stops the waiting; nothing else stops with it.");
  let said = "";
  let receivedBefore: Usdc.Usdc = Usdc.zero;
  for (; ; await Bun.sleep(pollMs)) {
    const answer = await lookAt(client, path);
    if (!answer) continue;
    const { status, received_amount, total_amount, expected_usdc, expected_amount, due_amount } = answer;
    const received = Usdc.parse(received_amount) ?? receivedBefore;
    const isTakenBack = status === "error" || received < receivedBefore;
    receivedBefore = received;
    const isUnpaid = unpaid.includes(status);
    const state = `${status} ${received_amount}`;
    if (state !== said && (isTakenBack || !isUnpaid)) {
      if (json) sayJson({ ...ids, status, received_amount, total_amount, expected_usdc, expected_amount });
      else
        say(
          `${name} is ${status}: ${isTakenBack ? "a reorganisation of the chain took a payment back, " : ""}` +
            `${amountText(received_amount)} of ${amountText(expected_usdc ?? total_amount ?? expected_amount ?? "")} USDC received` +
            (due_amount === undefined ? "" : `, ${amountText(due_amount)} left to pay`),
        );
    }
    said = state;
    if (!isUnpaid && status !== "partial" && status !== "error") return;
  }
}

/** Null while Till does not answer or is overloaded: that may pass, and the payment does not depend on it. */
async function lookAt(client: Client, path: string): Promise<Status | null> {
  try {
    return await client.get<Status>(path);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return null;
    if (thrown instanceof Refused && (thrown.status === 429 || thrown.status >= 500)) return null;
    throw thrown;
  }
}
