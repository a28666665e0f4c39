import { may } from "../../../domain/party/person.ts";
import { auditPage } from "../../../pages/desk/settings/audit-page.tsx";
import { morePage, settingsPage } from "../../../pages/desk/settings/settings-page.tsx";
import type { People } from "../../../people/people.ts";
import * as AuditStore from "../../../store/tables/desk/audit.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Gate } from "../gate.ts";
import { keyRoutes } from "./keys.ts";
import { meRoutes } from "./me.ts";
import { peopleRoutes } from "./people.ts";

const deedsPerPage = 50;

/** The settings pages, and the audit. */
export function settingsRoutes(deps: HttpDeps, gate: Gate, people: People): void {
  gate.page("/desk/settings", "read", ({ frame, who }) =>
    settingsPage({ frame, mayDo: (duty) => may(who.role, duty) }),
  );
  gate.page("/desk/more", "read", morePage);
  gate.page("/desk/settings/audit", "manage", ({ frame, query }) => {
    const beforeText = query.get("before") ?? "";
    const before = /^\d{1,15}$/.test(beforeText) ? Number(beforeText) : null;
    const deeds = AuditStore.list(deps.db, { before, limit: deedsPerPage + 1 });
    const shown = deeds.slice(0, deedsPerPage);
    const olderBefore = deeds.length > deedsPerPage ? (shown.at(-1)?.id ?? null) : null;
    return auditPage({ frame, deeds: shown, olderBefore, isFirst: before === null });
  });
  meRoutes(deps, gate, people);
  peopleRoutes(deps, gate);
  keyRoutes(deps, gate);
}
