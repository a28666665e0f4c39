import { chainSettings } from "./settings/chain.ts";
import { crossingSettings } from "./settings/crossing.ts";
import { documentSettings } from "./settings/documents.ts";
import { limitSettings } from "./settings/limits.ts";
import { mailSettings } from "./settings/mail.ts";
import { rateSettings } from "./settings/rates.ts";
import { relaySettings } from "./settings/relay.ts";
import { accessSettings, passphraseSettings, runningSettings, serverSettings } from "./settings/server.ts";
import type { Setting, SettingPage } from "./settings/setting.ts";
import { settlingSettings } from "./settings/settling.ts";
import { signInSettings } from "./settings/sign-in.ts";

/**
 * Every variable that Till reads, in the order in which people need them. The table of docs/settings.md is generated
 * from this.
 */
export const settings = {
  ...serverSettings,
  ...chainSettings,
  ...mailSettings,
  ...documentSettings,
  ...passphraseSettings,
  ...rateSettings,
  ...settlingSettings,
  ...relaySettings,
  ...crossingSettings,
  ...accessSettings,
  ...signInSettings,
  ...limitSettings,
  ...runningSettings,
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

/** A setting that people may make at the desk. */
export type DeskSettingName = {
  [Name in SettingName]: (typeof settings)[Name] extends { page: string } ? Name : never;
}[SettingName];

export const pageOf = (name: SettingName): SettingPage | null => (settings[name] as Setting).page ?? null;

export const deskSettingNames = settingNames.filter((name): name is DeskSettingName => pageOf(name) !== null);

export const isSecret = (name: SettingName): boolean => (settings[name] as Setting).isSecret === true;

/** The default value of a setting, in words. */
export function defaultOf(name: SettingName): string {
  const setting: Setting = settings[name];
  return setting.otherwise ?? (setting.default === null ? "none" : `\`${setting.default}\``);
}
