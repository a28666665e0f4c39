import { Elysia } from "elysia";
import { deskAssets } from "../../pages/desk/assets.ts";
import { createPeople } from "../../people/people.ts";
import type { Limits } from "../access/limits.ts";
import type { HttpDeps } from "../deps.ts";
import { counterRoutes } from "./counter.ts";
import { customerDeskRoutes } from "./customers/customers.ts";
import { enterRoutes } from "./door/enter.ts";
import { signInRoutes } from "./door/sign-in.ts";
import { createGate, type Doorway, shopNameOf } from "./gate.ts";
import { homeRoutes } from "./home/home.ts";
import { invoiceDeskRoutes } from "./invoices/invoices.ts";
import { deskLinkRoutes } from "./links/links.ts";
import { moneyRoutes } from "./money/money.ts";
import { settingsRoutes } from "./settings/settings.ts";
import { booksRoutes } from "./shop/books.ts";
import { healthPageRoutes } from "./shop/health.ts";
import { profileRoutes } from "./shop/profile.ts";
import { webhookRoutes } from "./shop/webhooks.ts";

/** A year: each path contains the hash of its content. */
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" };

/** The desk: where a merchant runs Till. */
export function deskRoutes(
  deps: HttpDeps,
  { limits, clientOf }: { limits: Limits; clientOf: Doorway["clientOf"] },
) {
  const { files, hrefs } = deskAssets(deps.config.brand);
  const people = createPeople({ ...deps, shopName: () => shopNameOf(deps) });
  const doorway = { people, limits, clientOf };
  const gate = createGate(deps, hrefs, doorway);
  const routes = new Elysia();
  for (const { path, mediaType, text } of files) {
    const headers = { ...assetHeaders, "content-type": `${mediaType}; charset=utf-8` };
    routes.get(path, () => new Response(text, { headers }));
  }
  return routes
    .use(signInRoutes(deps, gate, doorway))
    .use(enterRoutes(deps, gate, doorway))
    .use(homeRoutes(deps, gate))
    .use(counterRoutes(deps, gate))
    .use(invoiceDeskRoutes(deps, gate, limits))
    .use(moneyRoutes(deps, gate))
    .use(customerDeskRoutes(deps, gate))
    .use(settingsRoutes(deps, gate, people))
    .use(deskLinkRoutes(deps, gate))
    .use(profileRoutes(deps, gate))
    .use(booksRoutes(deps, gate))
    .use(webhookRoutes(deps, gate))
    .use(healthPageRoutes(deps, gate));
}
