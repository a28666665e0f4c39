import { Elysia } from "elysia";
import type { HttpDeps } from "../../deps.ts";
import { deskForm, type Gate } from "../gate.ts";
import { linkDeeds } from "./deeds.ts";
import { linkList } from "./list.ts";
import { newLink } from "./new.ts";
import { previewOfTyped } from "./preview.ts";

/** By slug: a one-time or a reusable link. */
const one = "/desk/links/:slug";

/** Payment links at the desk: the list, a new one, and each of them. */
export function deskLinkRoutes(deps: HttpDeps, gate: Gate) {
  const creation = newLink(deps);
  const deeds = linkDeeds(deps);
  return new Elysia()
    .get(
      "/desk/links",
      gate.page("read", (visit) => linkList(deps, visit)),
    )
    .get("/desk/links/new", gate.page("issue", creation.form))
    .get(
      "/desk/links/preview",
      gate.page("issue", ({ query, frame }) => previewOfTyped(deps, creation.typedOf(query), frame.locale)),
    )
    .post("/desk/links", gate.action({ duty: "issue", deed: "link.create" }, creation.make), deskForm)

    .get(one, gate.page("read", deeds.show))
    .get(`${one}/preview`, gate.page("read", deeds.preview))
    .get(`${one}/print`, gate.page("read", deeds.print))
    .get(`${one}/void`, gate.page("close", deeds.askVoid))
    .get(`${one}/mark`, gate.page("close", deeds.askMark))
    .post(`${one}/void`, gate.action({ duty: "close", deed: "link.void" }, deeds.void), deskForm)
    .post(`${one}/mark`, gate.action({ duty: "close", deed: "link.mark" }, deeds.mark), deskForm)
    .post(`${one}/unmark`, gate.action({ duty: "close", deed: "link.unmark" }, deeds.unmark), deskForm)
    .post(`${one}/note`, gate.action({ duty: "read", deed: "link.note" }, deeds.note), deskForm)
    .post(
      `${one}/redeliver`,
      gate.action({ duty: "issue", deed: "webhook.redeliver" }, deeds.redeliver),
      deskForm,
    );
}
