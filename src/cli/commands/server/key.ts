import { existsSync } from "node:fs";
import { readSettings } from "../../../config/config.ts";
import { scopes } from "../../../domain/party/api-key.ts";
import { createApiKey } from "../../../http/access/api-key.ts";
import { keyRecord } from "../../../http/access/keys.ts";
import { endKey } from "../../../invoicing/endpoints.ts";
import { parseKeyRequest } from "../../../invoicing/request/key.ts";
import { sayFault } from "../../../language/faults.ts";
import { instant } from "../../../lib/time.ts";
import { transact } from "../../../store/database.ts";
import { databaseFile } from "../../../store/files/data-dir.ts";
import * as ApiKeyStore from "../../../store/tables/installation/api-key.ts";
import { readStored } from "../../../till/settings.ts";
import { type CommandGroup, command, json, UsageError } from "../../command.ts";
import {
  dataDirOf,
  dataFlags,
  environmentOf,
  readDatabase,
  withDatabase,
  withKnownDatabase,
} from "../../local/data-dir.ts";
import { timeText } from "../../records/format.ts";
import { answer, sayAside } from "../../terminal/output.ts";
import { sayList, type TextCell } from "../../terminal/table.ts";

type KeyRecord = ReturnType<typeof keyRecord>;

const create = command({
  calls: ["[--name NAME] [FLAGS]"],
  flags: {
    name: { value: "NAME", text: 'what the key is for, to tell it from others (default "default")' },
    scope: {
      value: scopes.join("|"),
      text: "what it may do (default full, with --merchant shop): read changes nothing, shop issues and closes invoices and links, full makes keys too, metrics reads /metrics alone",
    },
    merchant: { value: "EMAIL", text: "the only merchant whose things it sees and touches" },
    expires: {
      value: "DATE",
      text: "the last day on which it works, such as 2026-12-31, in TILL_TIMEZONE, or a time (default: it never ends)",
    },
    json,
    ...dataFlags,
  },
  // The message below explains a missing --name.
  words: [],
  async run(values, [unexpected]) {
    if (unexpected !== undefined)
      throw new UsageError(`unexpected argument: ${unexpected}. A name is given with --name ${unexpected}.`);
    const environment = environmentOf(values);
    const dataDir = dataDirOf(environment);
    const stored = existsSync(databaseFile(dataDir))
      ? await readDatabase(dataDir, (db) => readStored(db, null).stored)
      : {};
    const { name, ...grant } = grantOf(
      {
        name: values.name ?? "default",
        scope: values.scope ?? (values.merchant === undefined ? "full" : "shop"),
        merchant_email: values.merchant,
        expires_at: values.expires,
      },
      readSettings(environment, (value) => value("TIMEZONE"), stored),
    );
    return await withDatabase(dataDir, (db) => {
      const isFirst = !ApiKeyStore.anyActive(db);
      const now = Date.now();
      const { id, key } = createApiKey(db, name, now, grant);
      const record = keyRecord({ id, name, ...grant, createdAt: now, lastUsedAt: null, revokedAt: null });
      try {
        answer(values.json, { ...record, key }, key);
      } catch (thrown) {
        // A key that nobody has seen is useless.
        ApiKeyStore.revoke(db, id, Date.now());
        throw thrown;
      }
      sayAside("Keep it: it is not shown again.");
      if (isFirst)
        sayAside(
          "It is the first key. From now on every call needs one, on a Till that only this machine reaches too; " +
            "for the commands of till, set TILL_API_KEY.",
        );
      return 0;
    });
  },
});

/**
 * Reads a key from the flags. Throws a UsageError that names the first that is wrong: a field's name begins as its
 * flag.
 */
function grantOf(asked: Readonly<Record<string, string | undefined>>, timeZone: string) {
  const parsed = parseKeyRequest(asked, { now: Date.now(), timeZone });
  if (parsed.ok) return parsed.value;
  const [first] = parsed.faults.map(sayFault);
  throw new UsageError(`--${first?.field.split("_")[0]} ${first?.message}.`);
}

function stateCell({ revoked_at, expires_at }: KeyRecord): TextCell {
  if (revoked_at) return { text: "revoked", color: "red" };
  return expires_at !== null && expires_at <= instant(Date.now())
    ? { text: "expired", color: "red" }
    : "active";
}

const list = command({
  calls: ["[FLAGS]"],
  flags: { json, ...dataFlags },
  async run(values) {
    // A mistyped directory has no keys, and looking must not create a database.
    return await readDatabase(dataDirOf(environmentOf(values)), (db) => {
      const keys = ApiKeyStore.list(db).map(keyRecord);
      return answer(values.json, keys, () =>
        sayList(
          keys,
          [
            [{ right: "ID" }, "id"],
            ["STATE", stateCell],
            ["SCOPE", "scope"],
            ["MERCHANT", ({ merchant_email }) => merchant_email ?? "all"],
            ["MADE", "created_at", timeText],
            ["LAST USED", ({ last_used_at: at }) => (at === null ? "never" : timeText(at))],
            ["EXPIRES", ({ expires_at: at }) => (at === null ? "never" : timeText(at))],
            ["NAME", "name"],
          ],
          "There are no keys. Make one with: till key create",
        ),
      );
    });
  },
});

const revoke = command({
  calls: ["ID [FLAGS]"],
  words: [["ID", "the number of the key in till key list"]],
  flags: { json, ...dataFlags },
  async run(values, [id, ...more]) {
    if (id === undefined || more.length > 0 || !/^\d{1,9}$/.test(id))
      throw new UsageError("say which key: its number in till key list.");
    return await withKnownDatabase(dataDirOf(environmentOf(values)), (db) => {
      if (!transact(db, () => endKey(db, Number(id), Date.now())))
        throw new Error(`there is no active key ${id}; till key list shows them.`);
      answer(values.json, { ok: true }, `Key ${id} is revoked.`);
      if (!ApiKeyStore.anyActive(db))
        sayAside(
          "It was the last key. A Till that only this machine reaches takes every call without one again.",
        );
      return 0;
    });
  },
});

export const key: CommandGroup = {
  actions: {
    create: { summary: "Create a key and show it once", command: create },
    list: { summary: "List the keys, without their secrets", command: list },
    revoke: { summary: "Revoke a key at once and for good", command: revoke },
  },
  about: `Keys let programs use the API: Authorization: Bearer till_…. Till shows a key only once, when you create it. The first key also closes a Till that only its own machine reaches, till dev included: until then it takes every call without one. To replace a key, create a new one, use it everywhere, then revoke the old one. A running server notices at once.`,
  examples: ["till key create --name webshop --scope shop"],
};
