import { randomUUID } from "node:crypto";
import * as DepositAddress from "../../../domain/wallet/deposit-address.ts";
import { networks } from "../../../domain/wallet/network.ts";
import type { Fault } from "../../../invoicing/outcome.ts";
import type { RequestRules } from "../../../invoicing/request/fields.ts";
import { messageOf } from "../../../lib/error.ts";
import { type Client, FieldsRefused, NoAnswer } from "../../api/client.ts";
import { type Flags, type FlagValues, UsageError } from "../../command.ts";
import { OutputLost } from "../../terminal/output.ts";
import { unfoldLines } from "./line-item.ts";

/** The rules that apply before asking Till, which knows its network and allowed receivers and decides in the end. */
export const rulesKnown: RequestRules = {
  usdc: networks.base.usdc,
  factory: DepositAddress.factory,
  gasAccount: null,
  isDeposit: () => false,
  publicWebhooksOnly: false,
  now: () => null,
};

export type RequestCheck = { ok: true } | { ok: false; faults: Fault[] };

/** A sentence on what is wrong with one field of a parsed request; null when nothing is. */
export function faultBy(checked: RequestCheck, field: string): string | null {
  const fault = checked.ok ? undefined : checked.faults.find((each) => each.field === field);
  return fault ? `It ${fault.message}` : null;
}

/** The arguments of a command that creates something: the request as flags, or as a file of JSON. */

/** The fields that end both invoices' and links' flags. */
export const merchantFlags = {
  "wallet-type": { value: "TYPE", text: "managed, or byo with --wallet-address" },
  "wallet-address": { value: "ADDRESS", text: "your own wallet, which gets the money" },
  reference: { value: "TEXT", text: "your order number or similar; the customer sees it" },
  "webhook-url": { value: "URL", text: "the URL to call when it is paid" },
  "webhook-events": {
    value: "FORM",
    text: "contract (the default), or standard: one for each event, with the whole record",
  },
} as const;

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

export type RequestArgs = {
  /** The request from flags or file; null when there is neither, but a person to ask. */
  body: Record<string, unknown> | null;
  /** Whether it came from a file: faults then name fields, not flags. */
  fromFile: boolean;
  json: boolean;
  watch: boolean;
  idempotencyKey: string | null;
};

/**
 * The request of a command that creates something. A flag is an API field with hyphens: `--due-date` is due_date,
 * `--customer-name` vendor_name. Throws a UsageError, also without any request or anybody to ask.
 */
export async function requestOf(
  name: string,
  values: FlagValues<typeof requestFlags>,
  fields: Flags,
): Promise<RequestArgs> {
  const file = values.json || null;
  const fieldFlags = Object.entries(values).filter(
    ([flag, value]) => flag in fields && value !== undefined && value !== false,
  );
  if (file !== null && fieldFlags.length > 0) {
    throw new UsageError(
      `the request is in ${file === "-" ? "standard input" : file}: leave out --${fieldFlags[0]?.[0]}.`,
    );
  }
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (file === null && fieldFlags.length === 0 && (!isTerminal || values.json !== undefined)) {
    throw new UsageError(
      `there is no terminal to ask on: give --json FILE or flags; till ${name} --help lists them.`,
    );
  }
  const fromFlags =
    fieldFlags.length === 0
      ? null
      : Object.fromEntries(fieldFlags.map(([flag, value]) => fieldOf(flag, value)));
  return {
    body: file === null ? fromFlags : await readJsonFile(file),
    fromFile: file !== null,
    json: values.json !== undefined,
    watch: values.watch,
    idempotencyKey: values["idempotency-key"] ?? null,
  };
}

async function readJsonFile(file: string): Promise<Record<string, unknown>> {
  const source = file === "-" ? Bun.stdin : Bun.file(file);
  const name = file === "-" ? "standard input" : file;
  try {
    const body: unknown = JSON.parse(await source.text());
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
    throw new Error("it is not a JSON object");
  } catch (thrown) {
    throw new UsageError(`the request cannot be read from ${name}: ${messageOf(thrown)}.`);
  }
}

/** Multi-line fields. An item's text is another. */
const textFields = ["merchant_address", "vendor_address", "notes", "product_description"];

/** `due-date` → `due_date`; a repeatable flag maps to its list's name. */
function fieldOf(flag: string, value: unknown): [name: string, value: unknown] {
  if (flag === "item") return ["line_items", value];
  if (flag === "embed-origin") return ["embed_origins", value];
  // Anything but a number stays text: the API says what it must be.
  if (flag === "quantity-max" && /^\d+$/.test(String(value))) return ["quantity_max", Number(value)];
  const name = flag.replaceAll("-", "_").replace(/^customer_/, "vendor_");
  return [name, textFields.includes(name) && typeof value === "string" ? unfoldLines(value) : value];
}

/**
 * Creates something from flags or a file, and reports it. Faults that can be known are reported before asking Till, by
 * flag where there are flags. Throws what the client throws, and what `tell` does, with the way to the lost answer.
 */
export async function create<T extends object>(
  client: Client,
  path: string,
  body: unknown,
  args: RequestArgs,
  {
    check,
    tell,
  }: {
    check: (body: unknown) => RequestCheck;
    tell: (created: T) => void;
  },
): Promise<T> {
  const refusal = (faults: readonly Fault[]) =>
    new FieldsRefused(
      args.fromFile ? faults : faults.map(({ field, message }) => ({ field: flagOf(field), message })),
    );
  const checked = check(body);
  if (!checked.ok) throw refusal(checked.faults);
  const key = args.idempotencyKey ?? randomUUID();
  try {
    const created = await client.post<T>(path, body, key);
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

function flagOf(field: string): string {
  const [, list, index, part] = /^(line_items|embed_origins)(?:\[(\d+)\])?(?:\.(\w+))?$/.exec(field) ?? [];
  if (list === undefined) return `--${field.replaceAll("_", "-").replace(/^vendor-/, "customer-")}`;
  const flag = list === "line_items" ? "--item" : "--embed-origin";
  return [
    flag,
    index === undefined ? "" : ` ${Number(index) + 1}`,
    part === undefined ? "" : `, ${part}:`,
  ].join("");
}
