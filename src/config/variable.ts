import { readFileSync } from "node:fs";
import * as Brand from "../domain/brand.ts";
import { messageOf } from "../lib/error.ts";
import { bytesIn, imageOf, readImage } from "../lib/image/image-file.ts";
import { type SettingName, settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

type Row<Name extends SettingName> = (typeof settings)[Name];
type ParsedSetting<Name extends SettingName> =
  Row<Name> extends { parse: (text: string) => infer Value } ? Exclude<Value, undefined> : string;
/** The value of a setting; null if it is not set and has no default. */
type Value<Name extends SettingName> =
  | ParsedSetting<Name>
  | (Row<Name>["default"] extends null ? null : never);

/**
 * A fault of a setting, or another one of the environment (`other`). `value`: it is invalid; `missing`: another setting
 * needs it; `books` and `numbers`: it does not go with `beside`.
 */
export type SettingFault = {
  name: SettingName | null;
  code: "value" | "missing" | "books" | "numbers" | "sealed" | "other";
  beside?: SettingName;
  /** In the words of the command line and health reports. */
  sentence: string;
};

export const otherFault = (sentence: string): SettingFault => ({ name: null, code: "other", sentence });

/** Reads variables one by one, and collects faults in `faults`. */
export type ConfigReader = ReturnType<typeof createConfigReader>;

/** `preset` applies where the environment has no value. An empty variable counts as not set. */
export function createConfigReader(environment: Environment, preset: Environment) {
  const faults: SettingFault[] = [];
  const read = (name: SettingName) => environment[`TILL_${name}`]?.trim() || preset[`TILL_${name}`] || null;

  /** A setting as parsed by its row; its default if it is not set or invalid. */
  function value<Name extends SettingName>(name: Name): Value<Name>;
  /** The same with another default. */
  function value<Name extends SettingName, Other>(name: Name, fallback: Other): ParsedSetting<Name> | Other;
  function value(name: SettingName, fallback?: unknown): unknown {
    const row: { default: unknown; parse?: (text: string) => unknown; wants?: string; isSecret?: boolean } =
      settings[name];
    const parse = row.parse ?? ((text: string) => text);
    const text = read(name);
    const parsed = text === null ? undefined : parse(text);
    if (parsed !== undefined) return parsed;
    if (text !== null) {
      const got = row.isSecret ? "is not" : `is ${JSON.stringify(text)}; it must be`;
      faults.push({ name, code: "value", sentence: `TILL_${name} ${got} ${row.wants}.` });
    }
    if (fallback !== undefined) return fallback;
    return row.default === null ? null : parse(String(row.default));
  }
  return { faults, read, value };
}

/** Settings that are files, or name them. */

/** The value of a setting; null if there is none. */
type Read = (name: SettingName) => string | null;

/** A secret from its variable or the file that another one names; null without both, empty after a fault. */
export function readSecret(
  name: "WALLET_PASSPHRASE" | "OIDC_CLIENT_SECRET",
  read: Read,
  faults: SettingFault[],
): string | null {
  const secret = read(name);
  const file = read(`${name}_FILE`);
  if (secret && file) faults.push(otherFault(`TILL_${name} and TILL_${name}_FILE are both set; keep one.`));
  if (secret || !file) return secret;
  try {
    const text = readFileSync(file, "utf8").trim();
    if (text) return text;
    faults.push(otherFault(`TILL_${name}_FILE is ${JSON.stringify(file)}; that file is empty.`));
  } catch (thrown) {
    faults.push(otherFault(`TILL_${name}_FILE cannot be read: ${messageOf(thrown)}.`));
  }
  return "";
}

/** The passphrase; empty after a fault, which is added to `faults`. */
export function readPassphrase(read: Read, faults: SettingFault[]): string {
  const passphrase = readSecret("WALLET_PASSPHRASE", read, faults);
  if (passphrase === null)
    faults.push(
      otherFault(
        "TILL_WALLET_PASSPHRASE is missing. It must be the passphrase that encrypts the wallet in the data directory; " +
          "TILL_WALLET_PASSPHRASE_FILE may name a file that holds it.",
      ),
    );
  return passphrase ?? "";
}

function logoOf(from: string | null, bytes: ReturnType<typeof bytesIn>) {
  if (from === null) return { url: null };
  return bytes === null ? readImage(from) : imageOf(bytes);
}

/** Reads the brand, with the logo as a data: URL. Adds problems to `faults`. */
export function readBrand(read: Read, faults: SettingFault[]): Brand.Brand {
  const from = read("BRAND_LOGO");
  // The desk stores the content of the file.
  const bytes = from === null ? null : bytesIn(from);
  const logo = logoOf(from, bytes);
  if ("fault" in logo)
    faults.push({
      name: "BRAND_LOGO",
      code: "value",
      sentence: `TILL_BRAND_LOGO${bytes === null ? ` is ${JSON.stringify(from)}` : ""}; ${logo.fault}.`,
    });
  const parsed = Brand.parse({ name: read("BRAND_NAME"), color: read("BRAND_COLOR") });
  faults.push(...parsed.faults.map((fault) => ({ ...fault, code: "value" as const })));
  return { ...parsed.brand, logo: "url" in logo ? logo.url : null };
}
