import { createApiKey, isKeyName, keyNameLengthMax } from "../../../http/access/access.ts";
import { instant, instantOrNull } from "../../../lib/time.ts";
import * as ApiKeyStore from "../../../store/tables/installation/api-key.ts";
import { type CommandGroup, command, json, UsageError } from "../../command.ts";
import {
  dataDirOf,
  dataFlags,
  environmentOf,
  readDatabase,
  withDatabase,
  withKnownDatabase,
} from "../../local/data-dir.ts";
import { answer, sayAside, sayTable, timeText } from "../../terminal/output.ts";

const create = command({
  calls: ["[--name NAME] [FLAGS]"],
  flags: {
    name: { value: "NAME", text: 'what the key is for, to tell it from others (default "default")' },
    json,
    ...dataFlags,
  },
  // The message below explains a missing --name.
  words: [],
  async run(values, [unexpected]) {
    if (unexpected !== undefined)
      throw new UsageError(`unexpected argument: ${unexpected}. A name is given with --name ${unexpected}.`);
    const { name = "default" } = values;
    if (!isKeyName(name)) {
      throw new UsageError(
        `a name has up to ${keyNameLengthMax} letters, digits, spaces, dots, hyphens and underscores.`,
      );
    }
    return await withDatabase(dataDirOf(environmentOf(values)), (db) => {
      const isFirst = !ApiKeyStore.anyActive(db);
      const { id, key } = createApiKey(db, name, Date.now());
      try {
        answer(values.json, { name, key }, key);
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

const list = command({
  calls: ["[FLAGS]"],
  flags: { json, ...dataFlags },
  async run(values) {
    // A mistyped directory has no keys, and looking must not create a database.
    return await readDatabase(dataDirOf(environmentOf(values)), (db) => {
      const keys = ApiKeyStore.list(db).map((each) => ({
        id: each.id,
        name: each.name,
        created_at: instant(each.createdAt),
        last_used_at: instantOrNull(each.lastUsedAt),
        revoked_at: instantOrNull(each.revokedAt),
      }));
      return answer(values.json, keys, () =>
        sayTable(
          [{ right: "ID" }, "STATE", "MADE", "LAST USED", "NAME"],
          keys.map((key) => [
            String(key.id),
            key.revoked_at ? { text: "revoked", color: "red" } : "active",
            timeText(key.created_at),
            key.last_used_at ? timeText(key.last_used_at) : "never",
            key.name,
          ]),
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
      if (!ApiKeyStore.revoke(db, Number(id), Date.now()))
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
  examples: ["till key create --name webshop"],
};
