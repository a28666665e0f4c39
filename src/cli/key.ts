import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createApiKey } from "../service/api-key.ts";
import * as ApiKeyStore from "../store/api-key.ts";
import { closeDatabase, type Db, openDatabase, openReadOnly } from "../store/database.ts";
import { type Command, type ExitCode, UsageError } from "./command.ts";

const nameLengthMax = 100;

export const key: Command = {
  help: `Usage: till key create [--name NAME]
       till key list [--json]
       till key revoke ID

Keys let programs use the API: Authorization: Bearer till_…. A key is shown once, when it is made. To replace one,
make the new one, use it everywhere, then revoke the old one. Works on TILL_DATA_DIR (default ./data), also beside a
running server, which takes notice at once.

Example:
  till key create --name webshop`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { name: { type: "string", default: "default" }, json: { type: "boolean", default: false } },
    });
    const [action, id, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`there is one word too many: ${more.join(" ")}`);
    if (action !== "create" && action !== "list" && action !== "revoke")
      throw new UsageError("say what to do: till key create, list or revoke.");
    const dataDir = resolve(process.env["TILL_DATA_DIR"] || "data");
    // In a directory that was mistyped there are no keys, and none must be looked for in a new database.
    if (action !== "create") openReadOnly(dataDir).close();
    const db = openDatabase(dataDir);
    try {
      switch (action) {
        case "create":
          return create(db, values.name);
        case "list":
          return list(db, values.json);
        case "revoke":
          return revoke(db, id);
      }
    } finally {
      closeDatabase(db);
    }
  },
};

function create(db: Db, name: string): ExitCode {
  if (name.length > nameLengthMax || !/^[\p{L}\p{N} ._-]+$/u.test(name)) {
    throw new UsageError(`a name has up to ${nameLengthMax} letters, digits, spaces, dots and hyphens.`);
  }
  console.log(createApiKey(db, name, Date.now()));
  console.error("Keep it: it is not shown again.");
  return 0;
}

function list(db: Db, json: boolean): ExitCode {
  const day = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const keys = ApiKeyStore.list(db).map((found) => ({
    id: found.id,
    name: found.name,
    created_at: day(found.createdAt),
    last_used_at: day(found.lastUsedAt),
    revoked_at: day(found.revokedAt),
  }));
  if (json) console.log(JSON.stringify(keys));
  else if (keys.length === 0) console.log("There are no keys. Make one with: till key create");
  for (const found of json ? [] : keys) {
    const state = found.revoked_at
      ? `revoked ${found.revoked_at}`
      : `last used ${found.last_used_at ?? "never"}`;
    console.log(`${found.id}  ${found.name}  made ${found.created_at}  ${state}`);
  }
  return 0;
}

function revoke(db: Db, id: string | undefined): ExitCode {
  if (id === undefined || !/^\d{1,9}$/.test(id))
    throw new UsageError("say which key: its number in till key list.");
  if (!ApiKeyStore.revoke(db, Number(id), Date.now()))
    throw new Error(`there is no active key ${id}; till key list shows them.`);
  console.log(`Key ${id} is revoked.`);
  return 0;
}
