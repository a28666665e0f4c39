import { type Duty, may } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import type { People } from "../../people/people.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import type { Gate } from "../gate.ts";
import { type DeskFrame, Me, morePlaces } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon, type IconName } from "../parts/icon.tsx";
import { meRoutes } from "../people/me.ts";
import { peopleRoutes } from "../people/people.ts";
import { auditPage } from "./audit-page.tsx";
import { keyRoutes } from "./keys.tsx";

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

type Entry = { href: string; icon: IconName; title: TextKey; text?: TextKey; duty: Duty };

const entries: readonly Entry[] = [
  {
    href: "/desk/settings/profile",
    icon: "counter",
    title: "settingsShop",
    text: "settingsShopText",
    duty: "manage",
  },
  { href: "/desk/settings/me", icon: "key", title: "settingsMe", text: "settingsMeText", duty: "read" },
  {
    href: "/desk/settings/people",
    icon: "people",
    title: "settingsPeople",
    text: "settingsPeopleText",
    duty: "manage",
  },
  {
    href: "/desk/settings/keys",
    icon: "lock",
    title: "settingsKeys",
    text: "settingsKeysText",
    duty: "manage",
  },
  {
    href: "/desk/settings/webhooks",
    icon: "hook",
    title: "settingsWebhooks",
    text: "settingsWebhooksText",
    duty: "manage",
  },
  {
    href: "/desk/settings/books",
    icon: "money",
    title: "settingsBooks",
    text: "settingsBooksText",
    duty: "export",
  },
  {
    href: "/desk/settings/health",
    icon: "check",
    title: "settingsHealth",
    text: "settingsHealthText",
    duty: "read",
  },
  {
    href: "/desk/settings/audit",
    icon: "clock",
    title: "settingsAudit",
    text: "settingsAuditText",
    duty: "manage",
  },
];

/** Where everything that can be set is found. */
function settingsPage({ frame, mayDo }: { frame: DeskFrame; mayDo: (duty: Duty) => boolean }): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("navSettings"),
    body: (
      <ul class="more-list">
        {entries
          .filter(({ duty }) => mayDo(duty))
          .map((entry) => (
            <EntryLink locale={locale} {...entry} />
          ))}
      </ul>
    ),
  });
}

/** What the phone's tabs have no room for. */
function morePage({ frame }: { frame: DeskFrame }): string {
  const { locale, person } = frame;
  return headedPage({
    frame,
    place: "more",
    title: locale.say("more"),
    body: (
      <>
        <ul class="more-list">
          {morePlaces.map(({ href, icon, text }) => (
            <EntryLink locale={locale} href={href} icon={icon} title={text} />
          ))}
          <EntryLink locale={locale} href="/desk/settings/me" icon="key" title="settingsMe" />
        </ul>
        <div class="more-foot">
          <Me frame={frame} person={person} />
        </div>
      </>
    ),
  });
}

function EntryLink({ locale, href, icon, title, text }: Omit<Entry, "duty"> & { locale: Locale }) {
  return (
    <li>
      <a href={href}>
        <DeskIcon name={icon} />
        <span>
          {locale.texts[title]}
          {text !== undefined && <span class="more-words">{locale.texts[text]}</span>}
        </span>
        <DeskIcon name="forth" turns />
      </a>
    </li>
  );
}
