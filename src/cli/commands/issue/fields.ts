import { languageCodes } from "../../../domain/language.ts";
import * as DepositAddress from "../../../domain/wallet/deposit-address.ts";
import { networks } from "../../../domain/wallet/network.ts";
import type { RequestRules } from "../../../invoicing/request/fields.ts";
import { type Fault, sayWhy } from "../../../language/faults.ts";
import type { Flag, Flags } from "../../command.ts";
import type { Prompts } from "../../terminal/prompt.ts";
import { unfoldLines } from "./line-item.ts";

/** Fields of a request on the command line: one row each for flag, help, completion, question and summary. */

/** A request in progress. */
export type Draft = Record<string, unknown>;

export type Row<D> = Flag &
  Partial<Question> & {
    /** The flag's name, if it is not the field's with hyphens. */
    flag?: string;
    /** Text of several lines. */
    lines?: true;
    /** Reads the flag's value; by default according to the field's type in the schema. */
    read?: (text: string) => unknown;
    /** Its name in the list of fields to change; by default the question. */
    name?: string;
    /** Asks it after this field instead of at the row's place. */
    after?: string;
    /** While it has no value, the walk does not ask for it; the person can still choose to change it. */
    isAside?: true;
    /** Asks its own questions instead of one for a text. */
    own?: (walk: Walk<D>) => Promise<void>;
    /** Returns what the API would say about it now; null if it is accepted. By default, about the whole draft. */
    fault?: (draft: D) => string | null;
    /** Its label in the summary, or lines of the summary. */
    fact?: string | ((draft: D) => readonly Fact[]);
    /** Stores the answer for next time under the field's name, or under this name as long as it has no value. */
    keep?: true | string;
  };

/**
 * Rows by the request's field names. A field without a row gets a flag from the schema; one with null gets none, and
 * can only be given in a file.
 */
export type Rows<D> = Readonly<Record<string, Row<D> | null>>;

export type Question = {
  /** Without it the walk does not ask. */
  ask: string;
  /** By default, true if the schema does not require it. */
  optional?: boolean;
  hint?: string;
  /** The value of an empty line. */
  fallback?: () => string;
};

export type Fact = readonly [label: string, value: string | undefined];

/** Questions on a terminal, whose answers change the draft. */
export type Walk<D> = {
  prompts: Prompts;
  draft: D;
  /** Asks for a field that is text. */
  text(field: keyof D & string, question: Question): Promise<void>;
};

export type RequestCheck = { ok: true } | { ok: false; faults: Fault[] };

/** A thing that a command creates: `Created` is the API's response, `D` the draft of its request. */
export type Kind<D, Created> = {
  name: "invoice" | "link";
  path: string;
  schema: { properties: Readonly<Record<string, Schema>>; required?: string[] };
  rows: Rows<D>;
  check: (body: unknown) => RequestCheck;
  /** Returns the request for the API. */
  bodyOf: (draft: D) => unknown;
  tell: (created: Created) => void;
  /** Null if it is not paid directly. */
  watched: (created: Created) => WatchedPayment | null;
  walk: {
    start: D;
    title: string;
    /** The last question, and its answers apart from changing something. */
    question: (draft: D) => string;
    send: (draft: D) => string;
    leave: string;
  };
};

/** The parts of a field's schema that are read. */
type Schema = { [key: string]: unknown; items?: Schema; anyOf?: Schema[] };

/** The payment to watch: where to read its status, the path of its page, and its names for people and programs. */
export type WatchedPayment = { path: string; page?: string; name: string; ids: Record<string, string> };

/** The rules checked before asking Till, which knows its network and allowed receivers and has the final say. */
export const rulesKnown: RequestRules = {
  usdc: networks.base.usdc,
  factory: DepositAddress.factory,
  gasAccount: null,
  isDeposit: () => false,
  publicWebhooksOnly: false,
  now: () => null,
};

/** Returns a sentence on the fault of one field of a parsed request; null if there is none. */
export function faultBy(checked: RequestCheck, field: string, subject = "It"): string | null {
  const fault = checked.ok ? undefined : checked.faults.find((each) => each.field === field);
  return fault ? `${subject} ${sayWhy(fault)}` : null;
}

type WalletDraft = { wallet_type?: "managed" | "byo"; wallet_address?: string };

/** Fields that invoices and links share. */
export const merchantRows: Rows<WalletDraft> = {
  wallet_type: {
    value: "TYPE",
    text: "managed, or byo with --wallet-address",
    ask: "Where the money goes",
    own: askWallet,
    fact: (draft) => [["Wallet", draft.wallet_type === "byo" ? draft.wallet_address : "kept by Till"]],
    keep: true,
  },
  wallet_address: { value: "ADDRESS", text: "your own wallet, which gets the money", keep: true },
  reference: {
    value: "TEXT",
    text: "your order number or similar; the customer sees it",
    ask: "Your reference, such as an order number",
    fact: "Reference",
  },
  language: {
    value: "CODE",
    text: `of its mails, PDF and page: ${languageCodes.join(", ")}`,
    fact: "Language",
  },
  // Not stored: it may contain its receiver's password.
  webhook_url: {
    value: "URL",
    text: "the URL to call when it is paid",
    ask: "Webhook to call when it is paid",
    hint: "https://…",
    fact: "Webhook",
  },
  webhook_events: {
    value: "FORM",
    text: "contract (the default), or standard: one for each event, with the whole record",
  },
};

async function askWallet({ prompts, draft, text }: Walk<WalletDraft>): Promise<void> {
  draft.wallet_type = await prompts.select(
    "Where does the money go?",
    [
      { value: "managed", label: "To a wallet that Till keeps for you (managed)" },
      { value: "byo", label: "To an address of your own (byo)" },
    ],
    draft.wallet_type === "byo" ? "byo" : "managed",
  );
  if (draft.wallet_type === "byo") await text("wallet_address", { ask: "Address of your wallet on Base" });
  else delete draft.wallet_address;
}

type Fields<D> = Pick<Kind<D, never>, "schema" | "rows">;

/** Lists the rows with a flag: the given ones, and one for every other field of the schema, by its meaning and type. */
function rowsOf<D>({ schema, rows }: Fields<D>): [field: string, row: Row<D>][] {
  const given = Object.entries(rows).flatMap(([field, row]): [string, Row<D>][] =>
    row ? [[field, row]] : [],
  );
  const others = Object.entries(schema.properties).flatMap(([field, of]): [string, Row<D>][] => {
    if (field in rows) return [];
    const text = String(of["means"] ?? of["wants"]);
    if (of["type"] === "boolean") return [[field, { text }]];
    // A choice of texts is a union.
    const value = valueNames[String(of["type"] ?? of.anyOf?.[0]?.["type"])];
    if (value !== undefined) return [[field, { value, text }]];
    return of.items?.["type"] === "string" ? [[field, { value: "TEXT", text, many: true }]] : [];
  });
  return [...given, ...others];
}

const valueNames: Readonly<Record<string, string>> = { string: "TEXT", integer: "NUMBER" };

/** A flag is an API field with hyphens: `--due-date` is due_date, `--customer-name` vendor_name. */
const flagNameOf = (field: string, row?: Row<never> | null) =>
  row?.flag ?? field.replaceAll("_", "-").replace(/^vendor-/, "customer-");

export function flagsOf<D>(fields: Fields<D>): Flags {
  const flags = rowsOf(fields).map(([field, row]) => {
    const also = field.startsWith("vendor_") ? { also: field.replaceAll("_", "-") } : {};
    return [flagNameOf(field, row), { ...row, ...also }];
  });
  return Object.fromEntries(flags);
}

/** Returns the request's fields from the flags' values; an empty object if there are none. */
export function draftOf<D>(fields: Fields<D>, values: Readonly<Record<string, unknown>>): Draft {
  const given = rowsOf(fields).flatMap(([field, row]) => {
    const value = values[flagNameOf(field, row)];
    if (value === undefined || value === false) return [];
    if (value === true) return [[field, true]];
    const read = readerOf(row, fields.schema.properties[field]);
    return [[field, Array.isArray(value) ? value.map(read) : read(String(value))]];
  });
  return Object.fromEntries(given);
}

function readerOf<D>({ read, lines }: Row<D>, schema: Schema | undefined): (text: string) => unknown {
  if (read !== undefined) return read;
  if (schema?.["type"] === "integer") return wholeNumber;
  return lines ? unfoldLines : String;
}

/** Anything but a whole number stays text, so that the API states what it must be. */
export const wholeNumber = (typed: string) => (/^\d+$/.test(typed) ? Number(typed) : typed);

/** Names a field of the request, or a part of it, by its flag: `line_items[0].quantity` is `--item 1, quantity:`. */
export function flagOf<D>(rows: Rows<D>, field: string): string {
  const [, name = field, index, part] = /^(\w+)(?:\[(\d+)\])?(?:\.(\w+))?$/.exec(field) ?? [];
  const place = index === undefined ? "" : ` ${Number(index) + 1}`;
  return `--${flagNameOf(name, rows[name])}${place}${part === undefined ? "" : `, ${part}:`}`;
}
