import { existsSync, renameSync } from "node:fs";
import { gasAddressOf, restoreWallet, wordsFault } from "../../../chain/account/wallet.ts";
import { parseConfig } from "../../../config/config.ts";
import { databaseFile, walletFile } from "../../../store/database.ts";
import { lockDataDir } from "../../../store/files/lock.ts";
import * as WalletStore from "../../../store/tables/installation/wallet.ts";
import { command, type ExitCode, UsageError } from "../../command.ts";
import { dataFlags, environmentOf, withDatabase } from "../../local/data-dir.ts";
import { type OpenInstallation, withWallet } from "../../local/installation.ts";
import { say, sayAside } from "../../terminal/output.ts";
import { agreed, askSecret, isTerminal, refuseUnasked } from "../../terminal/prompt.ts";

const purpose = `These 12 words are the wallet: whoever has them has all the money in the managed wallets and in the gas account, and
without them and the wallet's file that money is lost. Write them on paper, in this order, and keep it where only you
can find it: no photo, no cloud, no mail. With them and the list of your own payout wallets every deposit address can be
found again (till wallet restore, then till recover). They hold no invoices: the database needs a backup of its own.`;

/** Shows the words after a person confirms that nobody is looking over their shoulder. */
export const backup = command({
  calls: ["[FLAGS]"],
  flags: { yes: { text: "do not ask, for scripts" }, ...dataFlags },

  async run(values) {
    refuseUnasked(values.yes, "print the words");
    const work = async ({ db, wallet }: OpenInstallation): Promise<ExitCode> => {
      const words = wallet.mnemonic();
      const fault = wordsFault(words);
      if (fault !== null) throw new Error(`the wallet's file does not hold the words of a wallet. ${fault}`);
      sayAside(`${purpose}\n`);
      const question = "Show the words now? Nobody else should see this screen.";
      if (!(await agreed(values.yes, question, "Nothing was shown."))) return 1;
      say(words);
      WalletStore.setWordsAt(db, Date.now());
      sayAside(`\nThe wallet begins with account ${wallet.gasAddress}; a restored one has to show the same.`);
      return 0;
    };
    return await withWallet(environmentOf(values), work, { needs: ["WALLET_PASSPHRASE"] });
  },
});

/** More than 12 words ever take: anything longer is something else. */
const inputBytesMax = 4_096;

/** Recreates the wallet's file from its words, typed or piped, never from arguments. */
export const restore = command({
  calls: ["[FLAGS]"],
  flags: {
    force: { text: "keep an existing wallet under another name, and replace it" },
    ...dataFlags,
  },
  // The message below says why there are none.
  words: [],
  about: "Asks for the words on the terminal, or reads them from standard input.",

  async run(values, args) {
    if (args.length > 0) {
      throw new UsageError(
        "the words do not belong on the command line, where the shell's history and other users see them. Run till " +
          "wallet restore without them and it asks, or pipe them in.",
      );
    }
    const config = parseConfig(environmentOf(values, { guess: false }), { needs: ["WALLET_PASSPHRASE"] });
    const file = walletFile(config.dataDir);
    // A server running on the old wallet would continue with it.
    const lock = lockDataDir(config.dataDir);
    try {
      if (existsSync(file) && !values.force) {
        throw new Error(
          `${file} is there already, and it may be the only copy of another wallet. --force renames it ` +
            "and makes the wallet of your words in its place.",
        );
      }
      const words = await readWords();
      const expected = existsSync(databaseFile(config.dataDir))
        ? await withDatabase(config.dataDir, WalletStore.gasAddress)
        : null;
      const gasAddress = await gasAddressOf(words);
      if (expected !== null && expected !== gasAddress) {
        throw new Error(
          `these words belong to another wallet. The database in ${config.dataDir} was made with the one that begins with ` +
            `account ${expected}, and this one begins with ${gasAddress}. Its deposit addresses would be lost: use its words, ` +
            "or another TILL_DATA_DIR.",
        );
      }
      if (existsSync(file)) {
        const aside = `${file}.${new Date().toISOString().replace(/[:.]/g, "-")}.old`;
        renameSync(file, aside);
        sayAside(`The former wallet is now ${aside}.`);
      }
      const wallet = await restoreWallet({ file, passphrase: config.walletPassphrase, words });
      // Whoever typed the words has them.
      if (expected !== null)
        await withDatabase(config.dataDir, (db) => WalletStore.setWordsAt(db, Date.now()));
      say(`The wallet is back at ${file}. It begins with account ${wallet.gasAddress}.`);
      if (expected === null) {
        sayAside(
          "The database knows nothing of it. Put your backup of the database back; if there is none, run till recover " +
            "before till serve.",
        );
      }
      return 0;
    } finally {
      lock.release();
    }
  },
});

async function readWords(): Promise<string> {
  if (isTerminal()) {
    return await askSecret("The 12 words, with spaces in between", (text) => wordsFault(text) ?? undefined);
  }
  const text = (await Bun.stdin.text()).slice(0, inputBytesMax);
  const fault = wordsFault(text);
  if (fault !== null) throw new UsageError(`standard input does not hold the words of a wallet. ${fault}`);
  return text;
}
