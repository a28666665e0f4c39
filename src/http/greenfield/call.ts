import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Permission, Store } from "../../domain/party/store.ts";
import { shapeFaults, withoutNulls } from "../../invoicing/request/validation.ts";
import * as StoreStore from "../../store/tables/invoicing/store.ts";
import { callerOf } from "../access/api-key.ts";
import type { HttpDeps } from "../route/deps.ts";
import { type CallInput, type Handler, type Route, route } from "../route/route.ts";
import { invalid, saidOf } from "./answers.ts";

export type StoreInput<Name extends string> = CallInput<Name, TObject>;

/** A call that needs a permission; the path may name the key's store, and no other. */
export const call = <const Path extends string>({
  permission,
  does,
  ...row
}: Pick<Route, "method"> & {
  path: Path;
  permission: Permission | null;
  does: (deps: HttpDeps, store: Store, input: StoreInput<string>) => unknown;
}): Route =>
  route({
    ...row,
    scope: "shop",
    isOfStore: true,
    summary: "For plugins of shops",
    gives: Type.Unknown(),
    ...(row.method === "get" ? {} : { takesText: true }),
    does: ((deps) => (input) => {
      const key = callerOf(input.request);
      const store = key?.storeId ? StoreStore.find(deps.db, key.storeId) : null;
      // Without a parameter in its path, a route has no params.
      const { storeId = store?.id } = (input.params ?? {}) as { storeId?: string };
      const isPermitted = permission === null || key?.permissions?.includes(permission);
      if (store === null || storeId !== store.id || !isPermitted) return missing(permission);
      return does(deps, store, input as StoreInput<string>);
    }) as Handler<string, TObject>,
  } as Parameters<typeof route>[0]);

/** BTCPay's response, also for a store that belongs to somebody else or does not exist. */
export const missing = (permission: string | null): Response =>
  Response.json(
    {
      code: "missing-permission",
      message: `This key lacks ${permission === null ? "a store" : `the permission ${permission} for this store`}. Connect the shop again at Till's desk: Settings, Connect a shop.`,
      missingPermission: permission,
    },
    { status: 403 },
  );

export const storePath = "/api/v1/stores/:storeId";

type Fields<T> = { ok: true; text: string; fields: T } | { ok: false; answer: Response };

/** Returns a body's text and fields, or its faults. `null` stands for a missing field. */
export function readFields<T extends TObject>(schema: T, body: unknown): Fields<Static<T>> {
  const text = typeof body === "string" ? body : "{}";
  let fields: unknown;
  try {
    fields = withoutNulls(schema, JSON.parse(text));
  } catch {
    fields = null;
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    return { ok: false, answer: invalid([{ path: "", message: "The body must be a JSON object." }]) };
  const faults = shapeFaults(schema, fields);
  return faults.length === 0
    ? { ok: true, text, fields: fields as Static<T> }
    : { ok: false, answer: saidOf({ kind: "invalid", faults }, {}) };
}
