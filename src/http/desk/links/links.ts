import type { HttpDeps } from "../../deps.ts";
import type { Gate } from "../gate.ts";
import { linkDeeds } from "./deeds.ts";
import { linkList } from "./list.ts";
import { newLink } from "./new.ts";
import { previewOfTyped } from "./preview.ts";

/** By slug: a one-time or a reusable link. */
const one = "/desk/links/:slug";

/** Payment links at the desk: the list, a new one, and each of them. */
export function deskLinkRoutes(deps: HttpDeps, gate: Gate): void {
  const creation = newLink(deps);
  const deeds = linkDeeds(deps);
  gate.page("/desk/links", "read", (visit) => linkList(deps, visit));
  gate.page("/desk/links/new", "issue", creation.form);
  gate.page("/desk/links/preview", "issue", ({ query, frame }) =>
    previewOfTyped(deps, creation.typedOf(query), frame.locale),
  );
  gate.action("/desk/links", "issue", "link.create", creation.make);
  gate.page(one, "read", deeds.show);
  gate.page(`${one}/preview`, "read", deeds.preview);
  gate.page(`${one}/print`, "read", deeds.print);
  gate.page(`${one}/void`, "close", deeds.askVoid);
  gate.page(`${one}/mark`, "close", deeds.askMark);
  gate.action(`${one}/void`, "close", "link.void", deeds.void);
  gate.action(`${one}/mark`, "close", "link.mark", deeds.mark);
  gate.action(`${one}/unmark`, "close", "link.unmark", deeds.unmark);
  gate.action(`${one}/note`, "issue", "link.note", deeds.note);
  gate.action(`${one}/redeliver`, "issue", "webhook.redeliver", deeds.redeliver);
}
