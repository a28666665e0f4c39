import { expect, test } from "bun:test";
import { type Config, parseConfig, withStored } from "../../src/config/config.ts";
import { type DeskSettingName, deskSettingNames } from "../../src/config/settings.ts";
import { createLog } from "../../src/lib/log.ts";
import { lockDataDir } from "../../src/store/files/lock.ts";
import { startTill } from "../../src/till/till.ts";
import { ownPort } from "../support/http/port.ts";
import { install, makeDataDir, passphrase } from "../support/till/data-dir.ts";

/** Who reads a setting of the desk while Till starts, and may: it is read again later, or only fields of nodes are used. */
const readers = [
  "till/work.ts",
  "invoicing/recurring/maker.ts",
  "till/till.ts",
  "store/reports/numbering.ts",
  "mail/smtp/transport.ts",
  "settle/gas-account.ts",
  "watch/watcher.ts",
];

const others: Readonly<Record<DeskSettingName, string>> = {
  SMTP_URL: "smtp://mail.example.com",
  MAIL_FROM: "Acme <a@b.example>",
  MAIL_ATTACH_PDF: "false",
  E_INVOICE: "ubl",
  MAIL_RECEIPTS: "true",
  REMINDERS: "3",
  BRAND_NAME: "Acme",
  BRAND_COLOR: "#8a4210",
  BRAND_LOGO: `data:image/svg+xml;base64,${Buffer.from("<svg></svg>").toString("base64")}`,
  LANGUAGE: "de",
  INVOICE_NUMBER: "I-{000}",
  CREDIT_NOTE_NUMBER: "C-{000}",
  RECEIPT_NUMBER: "R{000}",
  PAPER: "letter",
  CLOSE_PAGES: "12",
  RATES: "kraken",
  BOOKKEEPING_CURRENCY: "EUR",
  BOOKKEEPING_RATES: "ecb",
  TAX_PERIOD: "issue",
  TOLERANCE: "0.10",
  TIMEZONE: "Europe/Paris",
};

/** The fields of the configuration that some setting of the desk decides. */
function fieldsOfTheDesk(config: Config): Set<string> {
  const { config: changed, faults } = withStored(config, others);
  expect(faults).toEqual([]);
  const differs = (field: string) =>
    !Bun.deepEquals(config[field as keyof Config], changed[field as keyof Config]);
  return new Set(Object.keys(config).filter(differs));
}

test("nothing keeps a setting that people change at the desk", async () => {
  const dir = makeDataDir();
  const config = parseConfig({
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: "http://127.0.0.1:9",
    TILL_DATA_DIR: `${dir.path}/data`,
    TILL_PORT: String(ownPort()),
    TILL_WALLET_PASSPHRASE: passphrase,
  });
  const fields = fieldsOfTheDesk(config);
  // Three settings are the brand's.
  expect(fields.size).toBe(deskSettingNames.length - 2);
  const kept: string[] = [];
  const watched = new Proxy(config, {
    get(target, field) {
      const lines = new Error().stack?.split("\n").filter((line) => line.includes("/src/")) ?? [];
      // The first is where `createSettings` defines the field.
      const reader = lines[1]?.replace(/.*\/src\/([^:]*).*/, "$1") ?? "";
      if (fields.has(String(field)) && !readers.includes(reader)) kept.push(`${String(field)} in ${reader}`);
      return Reflect.get(target, field);
    },
  });
  await install(config.dataDir);
  const lock = lockDataDir(config.dataDir);
  const log = createLog({ format: "text", level: "error", write: () => {} });
  const till = await startTill({ config: watched, log });
  try {
    expect(kept).toEqual([]);
  } finally {
    await till.stop();
    lock.release();
    dir.remove();
  }
});
