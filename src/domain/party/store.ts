import type { Address } from "../wallet/address.ts";

/** A shop whose plugin speaks the Greenfield API: what all its payment links have in common. One for each merchant. */
export type Store = {
  id: string;
  merchantEmail: string;
  /** At the top of the checkout. */
  name: string;
  /** Null for the wallet that Till manages. */
  wallet: Address | null;
  /** What it charges in unless a plugin says otherwise; null for USDC. */
  currency: string | null;
  /** Unix time in milliseconds. */
  createdAt: number;
};

/** What a plugin can be permitted, and whether Till grants it. Plugins compare what they get with what they asked for. */
export const permissions = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canmodifyinvoices",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifystoresettings",
  "btcpay.store.webhooks.canmodifywebhooks",
] as const;

export type Permission = (typeof permissions)[number];

/** What plugins ask for and can do without: refunds, which the merchant makes at the desk. */
const optional: readonly string[] = [
  "btcpay.store.cancreatepullpayments",
  "btcpay.store.cancreatenonapprovedpullpayments",
];

/** Of what a plugin asks for, what Till grants, each once, and what it must have and Till cannot grant. */
export function granted(asked: readonly string[]): { permissions: Permission[]; lacking: string[] } {
  const isGranted = (name: string): name is Permission => (permissions as readonly string[]).includes(name);
  return {
    permissions: [...new Set(asked.filter(isGranted))],
    lacking: asked.filter((name) => !isGranted(name) && !optional.includes(name)),
  };
}

/** A permission as plugins read it: `btcpay.store.canviewinvoices:STORE`. */
export const named = (permission: Permission, { id }: Pick<Store, "id">): string => `${permission}:${id}`;

const ofShop = " · ";

/** What a plugin's key is called: by the plugin and, where it was sent to a shop, the address of that. */
export const shopKeyName = (plugin: string, shop: string | null): string =>
  shop === null ? plugin : `${plugin}${ofShop}${shop}`;

/** Whether two keys are the same plugin's of the same shop: it forgets the one that it had before. */
export const isSamePlugin = (one: PluginKey, other: PluginKey): boolean =>
  one.storeId !== null &&
  one.storeId === other.storeId &&
  one.name === other.name &&
  one.name.includes(ofShop);

type PluginKey = { name: string; storeId: string | null };
