import { type SettingName, settings } from "./settings.ts";

type Flag = "OPEN_API" | "ALLOW_PRIVATE_WEBHOOKS" | "MAIL_ATTACH_PDF" | "MAIL_RECEIPTS";

/** Reads one variable after the other, and keeps what is wrong with them in `faults`, a sentence each. */
export type ConfigReader = ReturnType<typeof createConfigReader>;

/** `preset` has what holds where the environment says nothing. An empty variable counts as not set. */
export function createConfigReader(
  environment: Readonly<Record<string, string | undefined>>,
  preset: Readonly<Record<string, string | undefined>>,
) {
  const faults: string[] = [];
  const read = (name: SettingName) => environment[`TILL_${name}`]?.trim() || preset[`TILL_${name}`] || null;

  /** One variable: `parse` returns undefined for a value that it does not take. */
  function take<T>(name: SettingName, fallback: T, wants: string, parse: (text: string) => T | undefined): T {
    const text = read(name);
    if (text === null) return fallback;
    const value = parse(text);
    if (value === undefined) faults.push(`TILL_${name} is ${JSON.stringify(text)}; it must be ${wants}.`);
    return value ?? fallback;
  }

  return {
    faults,
    read,
    take,
    choose<T extends string>(name: SettingName, fallback: T, wants: string, values: readonly T[]): T {
      return take<T>(name, fallback, wants, (text) => values.find((value) => value === text));
    },
    integer(name: SettingName, fallback: number, wants: string, min: number, max: number): number {
      return take(name, fallback, wants, (text) => integer(text, min, max));
    },
    flag(name: Flag, fallback: boolean = settings[name].default): boolean {
      return take(name, fallback, '"true" or "false"', (text) =>
        text === "true" ? true : text === "false" ? false : undefined,
      );
    },
    /** A URL may hold a password or a provider's key: what was got is not repeated. */
    url(name: SettingName, protocols: readonly string[]): string | null {
      const text = read(name);
      if (text === null || isUrl(text, protocols)) return text;
      faults.push(
        `TILL_${name} is not a URL that starts with ${protocols.map((p) => `${p}//`).join(" or ")}.`,
      );
      return null;
    },
  };
}

/** Undefined for what is no whole number from `min` to `max`. */
export function integer(text: string, min: number, max: number): number | undefined {
  return /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
}

export function isUrl(text: string, protocols: readonly string[]): boolean {
  const url = URL.parse(text);
  return url !== null && protocols.includes(url.protocol) && url.host !== "";
}
