import * as Email from "./email.ts";

/**
 * Scopes of API keys. A call requires one of them, and each scope includes others; `shop` moves no money, and only
 * `full` creates keys.
 */
const allowed = {
  read: ["read"],
  shop: ["read", "shop"],
  full: ["read", "shop", "full", "metrics"],
  metrics: ["metrics"],
} as const satisfies Record<string, readonly string[]>;

export type Scope = keyof typeof allowed;

export const scopes = Object.keys(allowed) as Scope[];

/** Returns whether a key of this scope may make a call that requires `needed`. */
export const allows = (scope: Scope, needed: Scope): boolean =>
  (allowed[scope] as readonly Scope[]).includes(needed);

/** Returns whether a key of this scope may bill and decide who is told of payments. */
export const mayAct = (scope: Scope): boolean => allows(scope, "shop");

/** Scopes available to a key of one merchant: the others concern all merchants. */
const ofOneMerchant: readonly Scope[] = ["read", "shop"];
export const mayBeConfined = (scope: Scope): boolean => ofOneMerchant.includes(scope);

export type Grant = {
  scope: Scope;
  /** Normalised mail address of the only merchant it may access; null for all merchants. */
  merchant: string | null;
  /** Refused from then on, in Unix milliseconds; null if it never expires. */
  expiresAt: number | null;
};

/** Returns whether a key confined to `merchant` (null if not confined) may access data of this mail address. */
export const isTheirs = (merchant: string | null, email: string): boolean =>
  merchant === null || Email.normalize(email) === merchant;

export const isOver = ({ expiresAt }: Pick<Grant, "expiresAt">, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

export const nameLengthMax = 100;

/** Returns whether a key may have this name. */
export const isName = (name: string): boolean =>
  name.length <= nameLengthMax && /^[\p{L}\p{N} ._-]+$/u.test(name);
