import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeBackup } from "../store/backup.ts";
import { type Command, UsageError } from "./command.ts";
import { dataDirOf } from "./data-dir.ts";
import { say, sayAside, sayJson } from "./output.ts";
import { refuseDirectory } from "./output-file.ts";
import { version } from "./version.ts";

export const backup: Command = {
  help: `Usage: till backup FILE [--force] [--json]

  FILE     where to write the backup: one SQLite file with the database and the encrypted wallet
  --force  replace FILE if it exists
  --json   print what was done as JSON

Works on TILL_DATA_DIR (default ./data), also beside a running server. The copy is checked before it takes its name.
The passphrase of the wallet is not in it: keep that somewhere else.

Example:
  till backup /mnt/backup/till-$(date +%F).db`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { force: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError("say where to write the backup: till backup FILE.");
    refuseDirectory(resolve(file));
    const dataDir = dataDirOf(process.env);
    const made = makeBackup({ dataDir, file, force: values.force, version, now: Date.now() });
    if (values.json) {
      const { walletMissing, ...rest } = made;
      sayJson({ ...rest, wallet: walletMissing === null });
    } else {
      const mebibytes = (made.bytes / 1024 / 1024).toFixed(1);
      say(
        `${made.file}: ${mebibytes} MiB, checked. Invoices: ${made.invoices}, payment links: ${made.links}.`,
      );
    }
    if (made.walletMissing === null) return 0;
    sayAside(`till backup: the wallet is not in the backup: ${made.walletMissing}.`);
    return 1;
  },
};
