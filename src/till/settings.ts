import { type Config, type SettingFault, withStored } from "../config/config.ts";
import type { Stored } from "../config/desk-config.ts";
import { type DeskSettingName, deskSettingNames, isSecret } from "../config/settings.ts";
import { warning } from "../domain/finding.ts";
import type { SettingChanges, Settings } from "../http/route/deps.ts";
import { SealBroken, type Vault } from "../lib/crypto.ts";
import { type Db, transact } from "../store/database.ts";
import { noteChange } from "../store/reports/owners.ts";
import { placeOf } from "../store/secrets.ts";
import * as SettingStore from "../store/tables/installation/setting.ts";

/** Reads the desk's stored settings, and names unreadable ones. Leaves out secrets without a vault. */
export function readStored(db: Db, vault: Vault | null): { stored: Stored; faults: SettingFault[] } {
  const faults: SettingFault[] = [];
  const known: readonly string[] = deskSettingNames;
  const texts = SettingStore.list(db).flatMap(({ name: text, value }) => {
    // A later version may have had more of them.
    if (value === null || !known.includes(text)) return [];
    const name = text as DeskSettingName;
    if (!isSecret(name)) return [[name, value]];
    if (vault === null) return [];
    try {
      return [[name, vault.open(value, placeOf.setting(name))]];
    } catch (thrown) {
      if (!(thrown instanceof SealBroken)) throw thrown;
      const sentence = `TILL_${name} was set at the desk with another wallet and cannot be read.`;
      faults.push({ name, code: "sealed", sentence });
      return [];
    }
  });
  return { stored: Object.fromEntries(texts), faults };
}

/**
 * The configuration in force: settings made at the desk apply where the environment has none. Read the fields of
 * `config` when they are needed, as they change while Till runs.
 */
export function createSettings(db: Db, base: Config, onChange: () => void) {
  let stored: Stored = {};
  let current = withStored(base, stored);
  let unread: SettingFault[] = [];

  const use = (texts: Stored) => {
    stored = texts;
    current = withStored(base, stored);
  };

  const config = Object.defineProperties(
    {},
    Object.fromEntries(
      Object.keys(base).map((field) => [
        field,
        { enumerable: true, get: () => current.config[field as keyof Config] },
      ]),
    ),
  ) as Config;

  const settings: Settings = {
    faultsOf: (changes) => withStored(base, merged(stored, changes)).faults,
    save(changes, { name: by, vault, now }) {
      const { smtpUrl, mailFrom } = current.config;
      const next = withStored(base, merged(stored, changes)).config;
      transact(db, () => {
        for (const [name, text] of Object.entries(changes) as [DeskSettingName, string | null][]) {
          const value = text !== null && isSecret(name) ? vault.seal(text, placeOf.setting(name)) : text;
          SettingStore.set(db, name, value, by, now);
        }
        if (next.smtpUrl === smtpUrl && next.mailFrom === mailFrom) return;
        const sealed = smtpUrl && vault.seal(smtpUrl, placeOf.setting("SMTP_URL"));
        const before = sealed === null ? {} : { smtpUrl: sealed, mailFrom };
        const host = next.smtpUrl === null ? "–" : (URL.parse(next.smtpUrl)?.host ?? "");
        noteChange(db, { kind: "mail", subject: `${host} ${next.mailFrom}`, ...before }, by, now);
      });
      unread = unread.filter(({ name }) => !Object.keys(changes).some((changed) => changed === name));
      use(merged(stored, changes));
      onChange();
    },
    storedText: (name) => stored[name] ?? null,
    lastChange(names) {
      const wanted: readonly string[] = names;
      const newest = SettingStore.list(db)
        .filter(({ name }) => wanted.includes(name))
        .toSorted((a, b) => b.changedAt - a.changedAt)[0];
      return newest === undefined ? null : { at: newest.changedAt, by: newest.changedBy };
    },
    findings: () =>
      [...unread, ...current.faults].map(({ sentence }) =>
        warning(
          "settings",
          `a setting of the desk is left out: ${sentence.replace(/\.$/, "")}`,
          "set it again at the desk",
        ),
      ),
  };

  return {
    config,
    settings,
    /** Applies the stored settings. Secrets need a vault. */
    load(vault: Vault | null): void {
      const read = readStored(db, vault);
      unread = read.faults;
      use(read.stored);
    },
  };
}

const merged = (stored: Stored, changes: SettingChanges): Stored =>
  Object.fromEntries(Object.entries({ ...stored, ...changes }).filter(([, text]) => text !== null));
