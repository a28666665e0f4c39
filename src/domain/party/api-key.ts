import * as Email from "./email.ts";

/**
 * What an API key may do. A call asks for one of these, and a key that has one allows others with it; `shop` moves no
 * money, and only `full` makes keys.
 */
const allowed = {
  read: ["read"],
  shop: ["read", "shop"],
  full: ["read", "shop", "full", "metrics"],
  metrics: ["metrics"],
} as const satisfies Record<string, readonly string[]>;

export type Scope = keyof typeof allowed;

export const scopes = Object.keys(allowed) as Scope[];

/** Whether a key of this scope may make a call that asks for `needed`. */
export const allows = (scope: Scope, needed: Scope): boolean =>
  (allowed[scope] as readonly Scope[]).includes(needed);

/** Whether a key of this scope may bill, and decide who hears of payments. */
export const mayAct = (scope: Scope): boolean => allows(scope, "shop");

/** What a key of one merchant may have: the rest is of all merchants. */
const ofOneMerchant: readonly Scope[] = ["read", "shop"];
export const mayBeConfined = (scope: Scope): boolean => ofOneMerchant.includes(scope);

export type Grant = {
  scope: Scope;
  /** The one merchant whose things it sees and touches, by mail address in its normal form; null for all of them. */
  merchant: string | null;
  /** From then on it is refused, in Unix milliseconds; null for never. */
  expiresAt: number | null;
};

/** Whether a key that is confined to `merchant`, if it is, may see what belongs to this mail address. */
export const isTheirs = (merchant: string | null, email: string): boolean =>
  merchant === null || Email.normalize(email) === merchant;

export const isOver = ({ expiresAt }: Pick<Grant, "expiresAt">, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

export const nameLengthMax = 100;

/** Whether a key may have this name. */
export const isName = (name: string): boolean =>
  name.length <= nameLengthMax && /^[\p{L}\p{N} ._-]+$/u.test(name);
