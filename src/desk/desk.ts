import type { HttpDeps } from "../http/route/deps.ts";
import { createPeople } from "../people/people.ts";
import { counterRoutes } from "./counter/counter.ts";
import { customerDeskRoutes } from "./customers/customers.ts";
import { enterRoutes } from "./door/enter.tsx";
import { signInRoutes } from "./door/sign-in.tsx";
import { createGate, type SignInDeps, shopNameOf } from "./gate.ts";
import { healthPageRoutes } from "./home/health.tsx";
import { homeRoutes } from "./home/home.tsx";
import { invoiceDeskRoutes } from "./invoices/invoices.ts";
import { recurringDeskRoutes } from "./invoices/recurring/recurring.ts";
import { deskLinkRoutes } from "./links/links.ts";
import { moneyRoutes } from "./money/money.ts";
import { refundDeskRoutes } from "./money/refunds/refunds.ts";
import { createDeskAssets } from "./parts/page/assets.ts";
import { settingsRoutes } from "./settings/settings.tsx";
import { booksRoutes } from "./shop/books.tsx";
import { endpointRoutes } from "./shop/endpoints.ts";
import { profileRoutes } from "./shop/profile.ts";
import { webhookRoutes } from "./shop/webhooks.tsx";

/** Cached for a year: each path contains the hash of its content. */
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" };

/** The desk: where a merchant runs Till. */
export function deskRoutes(deps: HttpDeps, clientOf: SignInDeps["clientOf"]) {
  const assets = createDeskAssets(() => deps.config.brand);
  const people = createPeople({ ...deps, shopName: () => shopNameOf(deps) });
  const doorway = { people, limits: deps.limits, clientOf };
  const gate = createGate(deps, assets.hrefs, doorway);
  gate.routes.get("/desk/assets/:file", ({ request }) => {
    const asset = assets.at(new URL(request.url).pathname);
    if (asset === null) return new Response(null, { status: 404 });
    const headers = { ...assetHeaders, "content-type": `${asset.mediaType}; charset=utf-8` };
    return new Response(asset.text, { headers });
  });
  signInRoutes(deps, gate, doorway);
  enterRoutes(deps, gate, doorway);
  homeRoutes(deps, gate);
  counterRoutes(deps, gate);
  invoiceDeskRoutes(deps, gate);
  recurringDeskRoutes(deps, gate);
  moneyRoutes(deps, gate);
  refundDeskRoutes(deps, gate);
  customerDeskRoutes(deps, gate);
  settingsRoutes(deps, gate, people);
  deskLinkRoutes(deps, gate);
  profileRoutes(deps, gate);
  booksRoutes(deps, gate);
  webhookRoutes(deps, gate);
  endpointRoutes(deps, gate);
  healthPageRoutes(deps, gate);
  return gate.routes;
}
