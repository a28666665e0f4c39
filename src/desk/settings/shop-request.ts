import {
  permissions as allPermissions,
  granted,
  type Permission,
  shopKeyName,
} from "../../domain/party/store.ts";
import type { TextKey } from "../../language/locale.ts";
import { isLoopbackHost } from "../../lib/net/host.ts";

/** A plugin's request: where its merchant returns with the key, and the permissions it wants. */
type PluginRequest = { name: string; redirect: URL | null; permissions: readonly string[] };

const nameMax = 60;
const redirectMax = 2_048;

/** A key made by hand needs the permissions that WooCommerce's plugin checks; other plugins request more here. */
const byHand = allPermissions.filter((permission) => permission !== "btcpay.store.canmodifystoresettings");

/** The permissions in words, for the merchant's consent. No call changes a store's settings. */
export const permissionTexts = {
  "btcpay.store.canviewinvoices": "shopMayView",
  "btcpay.store.cancreateinvoice": "shopMayCreate",
  "btcpay.store.canmodifyinvoices": "shopMayVoid",
  "btcpay.store.canviewstoresettings": "shopMayViewStore",
  "btcpay.store.canmodifystoresettings": null,
  "btcpay.store.webhooks.canmodifywebhooks": "shopMayWebhooks",
} as const satisfies Record<Permission, TextKey | null>;

/** Returns null for what cannot be a plugin's request. `mayBeLocal`: for a Till that only this machine can reach. */
export function requestOf(query: URLSearchParams, mayBeLocal: boolean): PluginRequest | null {
  const name = (query.get("applicationName") ?? "").replaceAll(/[^\p{L}\p{N} ._-]+/gu, " ").trim();
  const permissions = query.getAll("permissions").flatMap((each) => each.split(","));
  const request = {
    name: name.slice(0, nameMax),
    permissions: permissions.length === 0 ? byHand : permissions,
  };
  const text = query.get("redirect") ?? "";
  if (text === "") return { ...request, redirect: null };
  const redirect = text.length > redirectMax ? null : URL.parse(text);
  if (redirect === null || redirect.username + redirect.password !== "") return null;
  const isSafe =
    redirect.protocol === "https:" ||
    (redirect.protocol === "http:" && (mayBeLocal || isLoopbackHost(redirect.hostname)));
  return isSafe ? { ...request, redirect } : null;
}

/** Returns the missing permissions. A key that may do nothing lacks all of them. */
export function lackingIn({ permissions: wanted }: PluginRequest): readonly string[] {
  const { permissions, lacking } = granted(wanted);
  return permissions.some((each) => permissionTexts[each] !== null) ? lacking : wanted;
}

/** Name of the key that a plugin fetches: with its shop's address, as one host may have several shops in folders. */
export const keyNameOf = ({ name, redirect }: PluginRequest) =>
  shopKeyName(name || "Plugin", redirect && `${redirect.host}${redirect.pathname.replace(/\/$/, "")}`);
