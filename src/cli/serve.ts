import { parseArgs } from "node:util";
import { ConfigError, parseConfig } from "../config.ts";
import { createLog } from "../lib/log.ts";
import { lockDataDir } from "../store/lock.ts";
import type { Command } from "./command.ts";
import { runUntilStopped } from "./stop-signal.ts";
import { startTill } from "./till.ts";

export const serve: Command = {
  help: `Usage: till serve

Needs at least TILL_RPC_URL and TILL_WALLET_PASSPHRASE; the README lists all variables.
Logs to standard output. Ctrl-C or SIGTERM stops it cleanly.

Example:
  TILL_RPC_URL=https://node.example TILL_WALLET_PASSPHRASE_FILE=/etc/till/passphrase till serve`,

  async run(args) {
    parseArgs({ args, options: {} });
    const config = parseConfig(process.env);
    if (config.isPublic && !config.openApi) {
      throw new ConfigError([
        "TILL_HOST or TILL_BASE_URL makes Till reachable from elsewhere, and anybody could issue invoices in your " +
          "name. Let a reverse proxy ask for a login on /api/ and set TILL_OPEN_API=true, or stay on 127.0.0.1.",
      ]);
    }
    const log = createLog({ format: config.logFormat, level: config.logLevel, write: console.log });
    const lock = lockDataDir(config.dataDir);
    try {
      const till = await startTill({ config, log });
      if (till.newWalletFile !== null) {
        log.warn("a new wallet was made: keep a copy of its file and its passphrase", {
          file: till.newWalletFile,
        });
      }
      log.info(`ready at ${till.baseUrl}`);
      return await runUntilStopped(log, till.stop);
    } finally {
      lock.release();
    }
  },
};
