import { resolve } from "node:path";
import { version } from "../../../config/version.ts";
import { makeBackup } from "../../../store/files/backup.ts";
import { command, json, UsageError } from "../../command.ts";
import { dataDirOf } from "../../local/data-dir.ts";
import { dataFlags, environmentOf } from "../../local/dev-data.ts";
import { say, sayAside, sayJson } from "../../terminal/output.ts";
import { refuseDirectory } from "../../terminal/output-file.ts";

export const backup = command({
  calls: ["FILE [FLAGS]"],
  words: [["FILE", "where to write it: one SQLite file with the database and the encrypted wallet"]],
  flags: {
    force: { text: "replace FILE if it exists" },
    json,
    ...dataFlags,
  },
  about: `Works beside a running server. The copy is checked before it takes its name. The passphrase of the wallet is not in it: keep that somewhere else.`,
  examples: ["till backup /mnt/backup/till-$(date +%F).db"],

  async run(values, [file, ...more]) {
    if (file === undefined || more.length > 0)
      throw new UsageError("say where to write the backup: till backup FILE.");
    refuseDirectory(resolve(file));
    const dataDir = dataDirOf(environmentOf(values));
    const report = makeBackup({ dataDir, file, force: values.force, version, now: Date.now() });
    if (values.json) {
      const { walletMissing, ...rest } = report;
      sayJson({ ...rest, wallet: walletMissing === null });
    } else {
      const mebibytes = (report.bytes / 1024 / 1024).toFixed(1);
      say(
        `${report.file}: ${mebibytes} MiB, checked. Invoices: ${report.invoices}, payment links: ${report.links}.`,
      );
    }
    if (report.walletMissing === null) return 0;
    sayAside(`till backup: the wallet is not in the backup: ${report.walletMissing}.`);
    return 1;
  },
});
