import { Elysia } from "elysia";
import { deskAssets } from "../../pages/desk/assets.ts";
import { createPeople } from "../../people/people.ts";
import type { Limits } from "../access/limits.ts";
import type { HttpDeps } from "../deps.ts";
import { createGate, shopNameOf } from "./gate.ts";
import { homeRoutes } from "./home.ts";

/** Whether a route is the desk's: the merchant's own pages, behind a session of their own. */
export const isDesk = (route: string): boolean => route === "/desk" || route.startsWith("/desk/");

/** A year: the path has the hash of what it serves. */
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" };

/** The desk: where a merchant runs Till. */
export function deskRoutes(deps: HttpDeps, limits: Limits) {
  const { files, hrefs } = deskAssets(deps.config.brand);
  const people = createPeople({ ...deps, shopName: () => shopNameOf(deps) });
  const gate = createGate(deps, hrefs, { people, limits });
  const routes = new Elysia();
  for (const { path, mediaType, text } of files) {
    const headers = { ...assetHeaders, "content-type": `${mediaType}; charset=utf-8` };
    routes.get(path, () => new Response(text, { headers }));
  }
  return routes.use(homeRoutes(deps, gate));
}
