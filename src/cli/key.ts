import { parseArgs } from "node:util";
import { instant, instantOrNull } from "../lib/instant.ts";
import { createApiKey } from "../service/api-key.ts";
import * as ApiKeyStore from "../store/api-key.ts";
import { openBeside } from "../store/beside.ts";
import { closeDatabase, type Db, openReadOnly } from "../store/database.ts";
import { type Command, type ExitCode, UsageError } from "./command.ts";
import { dataDirOf } from "./data-dir.ts";
import { say, sayAside, sayJson } from "./output.ts";

const nameLengthMax = 100;

export const key: Command = {
  help: `Usage: till key create [--name NAME] [--json]
       till key list [--json]
       till key revoke ID [--json]

  --name NAME  what the key is for, to tell it from others; "default" when left out
  ID           the number of the key in till key list
  --json       answer as JSON

Keys let programs use the API: Authorization: Bearer till_…. A key is shown once, when it is made. To replace one,
make a new one, use it everywhere, then revoke the old one. Works on TILL_DATA_DIR (default ./data), also beside a
running server, which notices at once.

Example:
  till key create --name webshop`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { name: { type: "string" }, json: { type: "boolean", default: false } },
    });
    const [action, ...words] = positionals;
    if (action !== "create" && action !== "list" && action !== "revoke")
      throw new UsageError("say what to do: till key create, list or revoke.");
    const [tooMany] = action === "revoke" ? words.slice(1) : words;
    if (tooMany !== undefined) {
      const advice = action === "create" ? ` A name is given with --name ${tooMany}.` : "";
      throw new UsageError(`unexpected argument: ${tooMany}.${advice}`);
    }
    if (action !== "create" && values.name !== undefined)
      throw new UsageError("--name is for till key create.");
    const { name = "default" } = values;
    if (!isName(name)) {
      throw new UsageError(
        `a name has up to ${nameLengthMax} letters, digits, spaces, dots, hyphens and underscores.`,
      );
    }
    const dataDir = dataDirOf(process.env);
    // In a directory that was mistyped there are no keys, and none must be looked for in a new database.
    if (action !== "create") {
      const db = openReadOnly(dataDir);
      try {
        if (action === "list") return list(db, values.json);
      } finally {
        db.close();
      }
    }
    const db = openBeside(dataDir);
    try {
      return action === "create" ? create(db, name, values.json) : revoke(db, words[0], values.json);
    } finally {
      closeDatabase(db);
    }
  },
};

function isName(name: string): boolean {
  return name.length <= nameLengthMax && /^[\p{L}\p{N} ._-]+$/u.test(name);
}

function create(db: Db, name: string, json: boolean): ExitCode {
  const { id, key } = createApiKey(db, name, Date.now());
  try {
    if (json) sayJson({ name, key });
    else say(key);
  } catch (thrown) {
    // A key that nobody has seen opens nothing for anybody.
    ApiKeyStore.revoke(db, id, Date.now());
    throw thrown;
  }
  sayAside("Keep it: it is not shown again.");
  return 0;
}

function list(db: Db, json: boolean): ExitCode {
  const keys = ApiKeyStore.list(db).map((found) => ({
    id: found.id,
    name: found.name,
    created_at: instant(found.createdAt),
    last_used_at: instantOrNull(found.lastUsedAt),
    revoked_at: instantOrNull(found.revokedAt),
  }));
  if (json) sayJson(keys);
  else if (keys.length === 0) say("There are no keys. Make one with: till key create");
  for (const found of json ? [] : keys) {
    const state = found.revoked_at
      ? `revoked ${found.revoked_at}`
      : `last used ${found.last_used_at ?? "never"}`;
    say(`${found.id}  ${found.name}  made ${found.created_at}  ${state}`);
  }
  return 0;
}

function revoke(db: Db, id: string | undefined, json: boolean): ExitCode {
  if (id === undefined || !/^\d{1,9}$/.test(id))
    throw new UsageError("say which key: its number in till key list.");
  if (!ApiKeyStore.revoke(db, Number(id), Date.now()))
    throw new Error(`there is no active key ${id}; till key list shows them.`);
  if (json) sayJson({ ok: true });
  else say(`Key ${id} is revoked.`);
  return 0;
}
