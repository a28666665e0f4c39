import type { Address } from "../wallet/address.ts";

/** A shop whose plugin speaks the Greenfield API: settings shared by its payment links. One per merchant. */
export type Store = {
  id: string;
  merchantEmail: string;
  /** Shown at the top of the checkout. */
  name: string;
  /** Null for the wallet that Till manages. */
  wallet: Address | null;
  /** Default currency, unless a plugin names another; null for USDC. */
  currency: string | null;
  /** Unix time in milliseconds. */
  createdAt: number;
};

/** Permissions that Till can grant to a plugin. Plugins compare what they get with what they asked for. */
export const permissions = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canmodifyinvoices",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifystoresettings",
  "btcpay.store.webhooks.canmodifywebhooks",
] as const;

export type Permission = (typeof permissions)[number];

/** Permissions that plugins ask for but can do without: refunds, which the merchant makes at the desk. */
const optional: readonly string[] = [
  "btcpay.store.cancreatepullpayments",
  "btcpay.store.cancreatenonapprovedpullpayments",
];

/**
 * Returns the requested permissions that Till grants, without duplicates, and the required ones that it cannot grant.
 */
export function granted(asked: readonly string[]): { permissions: Permission[]; lacking: string[] } {
  const isGranted = (name: string): name is Permission => (permissions as readonly string[]).includes(name);
  return {
    permissions: [...new Set(asked.filter(isGranted))],
    lacking: asked.filter((name) => !isGranted(name) && !optional.includes(name)),
  };
}

/** Formats a permission for plugins: `btcpay.store.canviewinvoices:STORE`. */
export const permissionFor = (permission: Permission, { id }: Pick<Store, "id">): string =>
  `${permission}:${id}`;

const ofShop = " · ";

/** The name of a plugin's key: the plugin and, if it was sent to a shop, the shop's address. */
export const shopKeyName = (plugin: string, shop: string | null): string =>
  shop === null ? plugin : `${plugin}${ofShop}${shop}`;

/** Returns whether two keys belong to the same plugin in the same shop, which forgets its previous key. */
export const isSamePlugin = (one: PluginKey, other: PluginKey): boolean =>
  one.storeId !== null &&
  one.storeId === other.storeId &&
  one.name === other.name &&
  one.name.includes(ofShop);

type PluginKey = { name: string; storeId: string | null };
