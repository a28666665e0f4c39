import { openKeystore } from "../../../chain/account/keystore.ts";
import { ConfigError, parseConfig } from "../../../config/config.ts";
import { defaultOf, settingNames, settings } from "../../../config/settings.ts";
import { giveBackMemoryWhenIdle } from "../../../lib/memory.ts";
import { closeDatabase, openDatabase } from "../../../store/database.ts";
import { walletFile } from "../../../store/files/data-dir.ts";
import { lockDataDir } from "../../../store/files/lock.ts";
import * as PersonStore from "../../../store/tables/desk/person.ts";
import * as ApiKeyStore from "../../../store/tables/installation/api-key.ts";
import { command } from "../../command.ts";
import { refuseForeign } from "../../local/data-dir.ts";
import { redactionOf } from "../../redaction.ts";
import { openLog, runUntilStopped, stoppedBy, stopSignal } from "../../terminal/stop-signal.ts";

export const serve = command({
  calls: [""],
  flags: {},
  about: `Needs at least TILL_RPC_URL and TILL_WALLET_PASSPHRASE. Logs to standard output. Ctrl-C or SIGTERM stops it cleanly.

Variables of the environment, with their defaults:

${listOfSettings()}`,
  examples: [
    "TILL_RPC_URL=https://node.example \\",
    "  TILL_WALLET_PASSPHRASE_FILE=/etc/till/passphrase till serve",
  ],

  async run() {
    const signal = stopSignal();
    const config = parseConfig(process.env);
    const redact = redactionOf(process.env, [config.walletPassphrase, config.openId?.clientSecret ?? ""]);
    const opened = openLog(process.stdout, { format: config.logFormat, level: config.logLevel, redact });
    const { log } = opened;
    refuseForeign(config.dataDir, walletFile(config.dataDir));
    const lock = lockDataDir(config.dataDir);
    try {
      if (config.isPublic && !config.openApi && !hasKey(config.dataDir)) throw new ConfigError([keyMissing]);
      // Deriving the key from the passphrase is slow on purpose, so it starts before the rest of the code is loaded.
      const words = openKeystore({ file: walletFile(config.dataDir), passphrase: config.walletPassphrase });
      // Its failure is reported when the wallet is opened.
      words.catch(() => {});
      const { startTill } = await import("../../../till/till.ts");
      const unsound = Promise.withResolvers<Error>();
      const stopped = stoppedBy(signal, log);
      const till = await startTill({ config, log, redact, words, stopped, onUnsound: unsound.resolve });
      if (till.newWalletFile !== null) {
        log.warn(
          "wallet.created",
          "a new wallet was made: write its 12 words down now with: till wallet backup",
          {
            file: till.newWalletFile,
          },
        );
      }
      // The link itself would stay in a journal that more people read than may come in.
      if (!PersonStore.anyActive(till.db))
        log.info(
          "desk.first_link",
          "nobody can sign in to the desk yet: till login prints a link that lets the owner in",
        );
      log.info("ready", "Till is ready", { url: till.baseUrl });
      giveBackMemoryWhenIdle();
      return await runUntilStopped(opened, { signal, stop: till.stop, ended: unsound.promise });
    } finally {
      lock.release();
    }
  },
});

function listOfSettings(): string {
  return settingNames
    .map((name) => `  TILL_${name} (${defaultOf(name)})\n      ${settings[name].meaning}`)
    .join("\n")
    .replaceAll("`", "");
}

const keyMissing =
  "TILL_HOST or TILL_BASE_URL makes Till reachable from elsewhere, and there is no API key: anybody could issue " +
  "invoices in your name. Make one with: till key create. Or set TILL_OPEN_API=true if something in front of Till " +
  "asks for a login.";

function hasKey(dataDir: string): boolean {
  const db = openDatabase(dataDir);
  try {
    return ApiKeyStore.anyActive(db);
  } finally {
    closeDatabase(db);
  }
}
