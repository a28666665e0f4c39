import { type DeskSettingName, deskSettingNames, pageOf } from "../../config/settings.ts";
import type { Locale } from "../../language/locale.ts";
import type * as AuditStore from "../../store/tables/desk/audit.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Empty } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { isKeptWhole, settingRows, valueText } from "./fields.ts";

type Entry = ReturnType<typeof AuditStore.list>[number];

export const entriesPerPage = 50;

/** The actions of people, newest first. One entry more than fits the page means that there are older ones. */
export function auditPage(frame: DeskFrame, found: readonly Entry[], isFirst: boolean): string {
  const entries = found.slice(0, entriesPerPage);
  const olderBefore = found.length > entriesPerPage ? entries.at(-1)?.id : undefined;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsAudit"),
    back: "settings",
    line: locale.say("auditLine"),
    body:
      entries.length === 0 ? (
        <Empty icon="clock" title={locale.say("noDeeds")} text={locale.say("noDeedsText")} />
      ) : (
        <section class="people-list">
          <ul class="people audit">
            {entries.map((entry) => (
              <AuditItem frame={frame} entry={entry} />
            ))}
          </ul>
          <nav class="actions" aria-label={locale.say("pages")}>
            {!isFirst && (
              <ButtonLink href="/desk/settings/audit" kind="quiet small" text={locale.say("newest")} />
            )}
            {olderBefore !== undefined && (
              <ButtonLink
                href={`/desk/settings/audit?before=${olderBefore}`}
                kind="quiet small"
                text={locale.say("older")}
              />
            )}
          </nav>
        </section>
      ),
  });
}

type SettingChange = AuditStore.Change & { name: DeskSettingName };

/** The change may be of a setting that no longer exists. */
const isOfSetting = (change: AuditStore.Change): change is SettingChange =>
  deskSettingNames.some((name) => name === change.name);

export function AuditItem({ frame: { locale, when }, entry }: { frame: DeskFrame; entry: Entry }) {
  const { at, personName, action, subject, outcome, changes } = entry;
  const settings = (changes ?? []).filter(isOfSetting);
  const undone = settings.find(({ name }) => isKeptWhole(name));
  return (
    <li>
      <span class="who">
        <span>
          <strong>{wordsOf(action, locale)}</strong> {subject !== null && <bdi>{subject}</bdi>}
        </span>
        {settings.map(({ name, before, after }) => (
          <span class="soft small" dir="auto">
            {locale.labelled(
              locale.texts[settingRows[name].label],
              [before, after]
                .map((text) => valueText(name, text, locale))
                .join(locale.dir === "rtl" ? " ← " : " → "),
            )}
          </span>
        ))}
        {undone !== undefined && (
          <a class="small" href={`/desk/settings/${pageOf(undone.name)}?back=${entry.id}`}>
            {locale.say("undo")}
          </a>
        )}
        {outcome !== "done" && (
          <span class="late small">
            {locale.say(outcome === "failed" ? "deedDidNotWork" : "deedUnknown")}
          </span>
        )}
        <span class="soft small" dir="auto">
          {personName || locale.say("development")}
        </span>
      </span>
      <time class="soft small" datetime={new Date(at).toISOString()}>
        {when.moment(at)}
      </time>
    </li>
  );
}

/** `invoice.void` → the text `deedInvoiceVoid`; an action without a text is shown as it is. */
export function wordsOf(action: string, { texts }: Pick<Locale, "texts">): string {
  const all: Readonly<Record<string, string>> = texts;
  const key = `deed${action.replace(/(?:^|[.-])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
  return (Object.hasOwn(all, key) && all[key]) || action;
}
