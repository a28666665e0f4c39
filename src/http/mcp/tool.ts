import type { Refused } from "../../invoicing/outcome.ts";
import type { HttpDeps } from "../deps.ts";

/** A call of the API as a tool for agents. */

export type Arguments = Readonly<Record<string, unknown>>;

/** Why it would be refused; or null, or what more a person should know. */
type Checked = Refused | { ok: true; facts?: Readonly<Record<string, string>> } | null;

/** Asked before a person is. */
export type Check = (
  deps: HttpDeps,
  asked: { given: Arguments; body: unknown; merchant: string | null },
) => Checked | Promise<Checked>;

/** What a row says of itself to agents. Nothing that a customer wrote may get in here. */
export type Tool = {
  name: string;
  /** What it does and when to use it, where the summary does not say it. */
  about?: string;
  /** Fields of the body that agents are not offered. */
  without?: readonly string[];
  /** Of these, the ones that it takes all the same. */
  takesUntold?: readonly string[];
  /** Fields with parts that agents are told by their names alone: what a part must be is said when it is wrong. */
  namesOnly?: readonly string[];
  /** What holds when an agent says nothing of it. */
  preset?: Readonly<Record<string, string | number | boolean>>;
  /** What a person must agree to before, as in "mail it to the customer"; null when nothing. */
  asks?: (args: Arguments) => string | null;
  check?: Check;
  /** It takes something back for good. */
  isDestructive?: true;
  /** Called twice, it does no more than once. */
  isIdempotent?: true;
  /** It reaches people or other servers. */
  isOpen?: true;
};

/** Whether a person is asked, whatever an agent says. */
export const asksAlways = ({ asks, preset = {} }: Tool) => asks !== undefined && asks(preset) !== null;

/** Whoever names a wallet decides where the money goes, which texts of strangers must not. */
export const asksOfWallet = ({ wallet_type, wallet_address }: Arguments): string | null =>
  wallet_type === "byo" || (wallet_address ?? null) !== null
    ? "take the money at a wallet that the agent names"
    : null;

/** An agent is no server that could hear of anything, and a webhook's secret is none of its business. */
export const webhookFields = ["webhook_url", "webhook_events"] as const;

/** A model has less room than a program. */
export const listPreset = { limit: 10 } as const;
