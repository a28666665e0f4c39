/** The settings that are, or name, files. */
import { readFileSync } from "node:fs";
import * as Brand from "../domain/brand.ts";
import { messageOf } from "../lib/error.ts";
import { readImage } from "../lib/image/image-file.ts";
import type { SettingName } from "./settings.ts";

/** The value of a setting; null when there is none. */
type Read = (name: SettingName) => string | null;

/** The passphrase, from its variable or the file that one names; empty after a fault, which is added to `faults`. */
export function readPassphrase(read: Read, faults: string[]): string {
  const passphrase = read("WALLET_PASSPHRASE");
  const file = read("WALLET_PASSPHRASE_FILE");
  if (passphrase && file)
    faults.push("TILL_WALLET_PASSPHRASE and TILL_WALLET_PASSPHRASE_FILE are both set; keep one.");
  if (passphrase) return passphrase;
  if (file) {
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text) return text;
      faults.push(`TILL_WALLET_PASSPHRASE_FILE is ${JSON.stringify(file)}; that file is empty.`);
    } catch (thrown) {
      faults.push(`TILL_WALLET_PASSPHRASE_FILE cannot be read: ${messageOf(thrown)}.`);
    }
    return "";
  }
  faults.push(
    "TILL_WALLET_PASSPHRASE is missing. It must be the passphrase that encrypts the wallet in the data directory; " +
      "TILL_WALLET_PASSPHRASE_FILE may name a file that holds it.",
  );
  return "";
}

/** Who runs this Till, with the logo as a data: URL. What is wrong is added to `faults`. */
export function readBrand(read: Read, faults: string[]): Brand.Brand {
  const file = read("BRAND_LOGO");
  const logo = file === null ? { url: null } : readImage(file);
  if ("fault" in logo) faults.push(`TILL_BRAND_LOGO is ${JSON.stringify(file)}; ${logo.fault}.`);
  const parsed = Brand.parse({ name: read("BRAND_NAME"), color: read("BRAND_COLOR") });
  faults.push(...parsed.faults);
  return { ...parsed.brand, logo: "url" in logo ? logo.url : null };
}
