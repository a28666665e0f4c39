import type { Duty } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import type { People } from "../../people/people.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import type { Gate } from "../gate.ts";
import { DeskIcon, type IconName } from "../parts/icon.tsx";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import { Me, morePlaces } from "../parts/page/frame.tsx";
import { headedPage } from "../parts/page/head.tsx";
import { numberIn } from "../parts/place.ts";
import { auditPage, entriesPerPage } from "./audit-page.tsx";
import { keyRoutes } from "./keys.tsx";
import { meRoutes } from "./people/me.ts";
import { peopleRoutes } from "./people/people.ts";
import { shopConnectRoutes } from "./shop-connect.tsx";
import { shopSettingRoutes } from "./shop-settings.tsx";
import { shopRoutes } from "./shops.tsx";

/** The settings pages, and the audit. */
export function settingsRoutes(deps: HttpDeps, gate: Gate, people: People): void {
  gate.page("/desk/settings", "read", settingsPage);
  gate.page("/desk/more", "read", morePage);
  gate.page("/desk/settings/audit", "manage", ({ frame, query }) => {
    const before = numberIn(query.get("before"));
    return auditPage(frame, AuditStore.list(deps.db, { before, limit: entriesPerPage + 1 }), before === null);
  });
  meRoutes(deps, gate, people);
  peopleRoutes(deps, gate);
  keyRoutes(deps, gate);
  shopSettingRoutes(deps, gate);
  shopRoutes(deps, gate);
  shopConnectRoutes(deps, gate);
}

/** Entries with their paths below /desk/settings; each one's explanation is the text whose key ends in `Text`. */
const groups = {
  settingsOfShop: [
    { to: "profile", icon: "counter", title: "settingsShop", duty: "manage" },
    { to: "look", icon: "eye", title: "settingsLook", duty: "manage" },
    { to: "documents", icon: "invoice", title: "settingsDocuments", duty: "manage" },
    { to: "rates", icon: "money", title: "settingsRates", duty: "manage" },
    { to: "mail", icon: "mail", title: "mailServerIs", duty: "manage" },
    { to: "books", icon: "words", title: "settingsBooks", duty: "export" },
  ],
  settingsOfPeople: [
    { to: "me", icon: "key", title: "settingsMe", duty: "read" },
    { to: "people", icon: "people", title: "settingsPeople", duty: "manage" },
  ],
  settingsOfPrograms: [
    { to: "shops", icon: "outside", title: "settingsShops", duty: "manage" },
    { to: "keys", icon: "lock", title: "settingsKeys", duty: "manage" },
    { to: "endpoints", icon: "link", title: "settingsEndpoints", duty: "manage" },
    { to: "webhooks", icon: "hook", title: "settingsWebhooks", duty: "manage" },
  ],
  machinePart: [
    { to: "health", icon: "check", title: "settingsHealth", duty: "read" },
    { to: "audit", icon: "clock", title: "settingsAudit", duty: "manage" },
  ],
} as const satisfies Partial<
  Record<TextKey, readonly { to: string; icon: IconName; title: TextKey; duty: Duty }[]>
>;

/** The overview of all settings. */
function settingsPage({ frame }: { frame: DeskFrame }): string {
  const { locale } = frame;
  const shown = (Object.keys(groups) as (keyof typeof groups)[]).flatMap((title) => {
    const entries = groups[title].filter(({ duty }) => mayHere(frame, duty));
    return entries.length === 0 ? [] : [{ title, entries }];
  });
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("navSettings"),
    body: (
      <div class="more-groups">
        {shown.map(({ title, entries }) => (
          <section>
            <h2>{locale.texts[title]}</h2>
            <ul class="more-list">
              {entries.map(({ to, icon, title }) => (
                <EntryLink
                  locale={locale}
                  href={`/desk/settings/${to}`}
                  icon={icon}
                  title={title}
                  text={`${title}Text`}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    ),
  });
}

/** Places that do not fit into the phone's tabs. */
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

type EntryProps = { locale: Locale; href: string; icon: IconName; title: TextKey; text?: TextKey };

function EntryLink({ locale, href, icon, title, text }: EntryProps) {
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
