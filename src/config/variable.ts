import { type SettingName, settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

type Row<Name extends SettingName> = (typeof settings)[Name];
type ParsedSetting<Name extends SettingName> =
  Row<Name> extends { parse: (text: string) => infer Value } ? Exclude<Value, undefined> : string;
/** What a setting is; null when it is not set and has no default. */
type Value<Name extends SettingName> =
  | ParsedSetting<Name>
  | (Row<Name>["default"] extends null ? null : never);

/** Reads one variable after the other, and keeps what is wrong with them in `faults`, a sentence each. */
export type ConfigReader = ReturnType<typeof createConfigReader>;

/** `preset` has what holds where the environment says nothing. An empty variable counts as not set. */
export function createConfigReader(environment: Environment, preset: Environment) {
  const faults: string[] = [];
  const read = (name: SettingName) => environment[`TILL_${name}`]?.trim() || preset[`TILL_${name}`] || null;

  /** A setting as its row reads it, its default when it is not set or at fault. */
  function value<Name extends SettingName>(name: Name): Value<Name>;
  /** The same with another default. */
  function value<Name extends SettingName, Other>(name: Name, fallback: Other): ParsedSetting<Name> | Other;
  function value(name: SettingName, ...[fallback]: unknown[]): unknown {
    const row: { default: unknown; parse?: (text: string) => unknown; wants?: string; isSecret?: boolean } =
      settings[name];
    const parse = row.parse ?? ((text: string) => text);
    const text = read(name);
    const parsed = text === null ? undefined : parse(text);
    if (parsed !== undefined) return parsed;
    if (text !== null) {
      const got = row.isSecret ? "is not" : `is ${JSON.stringify(text)}; it must be`;
      faults.push(`TILL_${name} ${got} ${row.wants}.`);
    }
    if (fallback !== undefined) return fallback;
    return row.default === null ? null : parse(String(row.default));
  }
  return { faults, read, value };
}
