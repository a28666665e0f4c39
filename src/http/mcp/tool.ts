import type { Refused } from "../../invoicing/outcome.ts";
import type { HttpDeps } from "../route/deps.ts";

/** A call of the API as a tool for agents. */

export type Arguments = Readonly<Record<string, unknown>>;

/** The reason why it would be refused; or null, or further facts for the person. */
type Checked = Refused | { ok: true; facts?: Readonly<Record<string, string>> } | null;

/** Called before a person is asked. */
export type Check = (
  deps: HttpDeps,
  asked: { given: Arguments; body: unknown; merchant: string | null },
) => Checked | Promise<Checked>;

/** A row's description for agents. It must never contain a customer's text. */
export type Tool = {
  name: string;
  /** Its effect and when to use it, beyond the summary. */
  about?: string;
  /** Fields of the body not offered to agents. */
  without?: readonly string[];
  /** The exceptions that are accepted anyway. */
  takesUntold?: readonly string[];
  /** Fields with parts that agents only get the names of: the rules for a part are stated when it is wrong. */
  namesOnly?: readonly string[];
  /** Values used if an agent does not set them. */
  preset?: Readonly<Record<string, string | number | boolean>>;
  /** The effect that a person must agree to first, as in "mail it to the customer"; null if none. */
  asks?: (args: Arguments) => string | null;
  check?: Check;
  /** It destroys something for good. */
  isDestructive?: true;
  /** Repeating the call has no further effect. */
  isIdempotent?: true;
  /** It reaches people or other servers. */
  isOpen?: true;
};

/** True if a person is asked whatever the arguments. */
export const asksAlways = ({ asks, preset = {} }: Tool) => asks !== undefined && asks(preset) !== null;

/** Whoever sets the wallet decides where the money goes, which strangers' texts must not. */
export const asksOfWallet = ({ wallet_type, wallet_address }: Arguments): string | null =>
  wallet_type === "byo" || (wallet_address ?? null) !== null
    ? "take the money at a wallet that the agent names"
    : null;

/** An agent is not a server that could receive webhooks, and must not see their secret. */
export const webhookFields = ["webhook_url", "webhook_events"] as const;

/** A model has less room than a program. */
export const listPreset = { limit: 10 } as const;
