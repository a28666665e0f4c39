import { resolve } from "node:path";
import { version } from "../../../config/version.ts";
import { messageOf } from "../../../lib/error.ts";
import { makeBackup } from "../../../store/files/backup.ts";
import * as BackupStore from "../../../store/tables/installation/backup.ts";
import { command, json, onlyWord } from "../../command.ts";
import { dataDirOf, dataFlags, environmentOf, withDatabase } from "../../local/data-dir.ts";
import { answer, sayAside } from "../../terminal/output.ts";
import { refuseDirectory } from "../../terminal/output-file.ts";

export const backup = command({
  calls: ["FILE [FLAGS]"],
  words: [["FILE", "where to write it: one SQLite file with the database and the encrypted wallet"]],
  flags: {
    force: { text: "replace FILE if it exists" },
    json,
    ...dataFlags,
  },
  about: `You can run it while the server runs. Till checks the copy before naming it. The wallet's passphrase is not in it: keep that somewhere else.`,
  examples: ["till backup /mnt/backup/till-$(date +%F).db"],

  async run(values, words) {
    const file = onlyWord(words, "say where to write the backup: till backup FILE.");
    refuseDirectory(resolve(file));
    const dataDir = dataDirOf(environmentOf(values));
    const now = Date.now();
    const report = makeBackup({ dataDir, file, force: values.force, version, now });
    await noteBackup(dataDir, now, report.hasWallet);
    const { walletMissing, hasWallet: wallet, ...rest } = report;
    const size = `${(report.bytes / 1024 / 1024).toFixed(1)} MiB`;
    const text = `${report.file}: ${size}, checked. Invoices: ${report.invoices}, payment links: ${report.links}.`;
    const code = answer(values.json, { ...rest, wallet }, text, walletMissing === null);
    if (walletMissing !== null) sayAside(`till backup: the wallet is not in the backup: ${walletMissing}.`);
    return code;
  },
});

/** For those who tell how old the newest backup is. A database that cannot be written is still backed up. */
async function noteBackup(dataDir: string, now: number, hasWallet: boolean): Promise<void> {
  try {
    await withDatabase(dataDir, (db) => BackupStore.note(db, now, hasWallet));
  } catch (thrown) {
    sayAside(`till backup: Till does not know of this backup: ${messageOf(thrown)}`);
  }
}
