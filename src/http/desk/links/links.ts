import { Elysia } from "elysia";
import type { HttpDeps } from "../../deps.ts";
import { deskForm, type Gate } from "../gate.ts";
import { linkList } from "./list.ts";
import { newLink } from "./new.ts";
import { previewOfTyped } from "./preview.ts";

/** Payment links at the desk. */
export function deskLinkRoutes(deps: HttpDeps, gate: Gate) {
  const creation = newLink(deps);
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
    .post("/desk/links", gate.action({ duty: "issue", deed: "link.create" }, creation.make), deskForm);
}
