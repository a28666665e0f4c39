import { deskRoutes } from "../../../src/desk/desk.ts";
import type { Duty } from "../../../src/domain/party/person.ts";
import { createLimits } from "../../../src/http/access/limits.ts";
import type { HttpDeps } from "../../../src/http/route/deps.ts";
import type { TestTill } from "../till/till.ts";

export type DeskRoute = {
  method: string;
  path: string;
  /** Null for what nobody has to be signed in for. */
  duty: Duty | null;
  /** What the audit calls it; null for what changes nothing. */
  action: string | null;
};

/** Every route that the desk has, as the app itself lists them: a new one cannot be forgotten. */
export function listDeskRoutes({ config, db, baseUrl }: TestTill): DeskRoute[] {
  const known: Partial<HttpDeps> = {
    config,
    db,
    baseUrl,
    dev: null,
    now: Date.now,
    limits: createLimits(config),
  };
  // No route is called: what they would call need not be there.
  const deps = new Proxy(known, {
    get: (target, name) => (name in target ? Reflect.get(target, name) : () => () => null),
  }) as HttpDeps;
  const { routes } = deskRoutes(deps, () => null);
  return routes.map(({ method, path, handler }) => {
    const { duty = null, action = null } = handler as { duty?: Duty; action?: string };
    return { method, path, duty, action };
  });
}
