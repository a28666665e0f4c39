import { existsSync, renameSync } from "node:fs";
import { gasAddressOf, restoreWallet, wordsFault } from "../../../chain/account/wallet.ts";
import { parseConfig } from "../../../config/config.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { sayWhy, why } from "../../../language/faults.ts";
import * as Text from "../../../lib/text/text.ts";
import { instant } from "../../../lib/time.ts";
import { destinationFault } from "../../../settle/withdraw.ts";
import { databaseFile, walletFile } from "../../../store/files/data-dir.ts";
import { lockDataDir } from "../../../store/files/lock.ts";
import * as AllowedAddressStore from "../../../store/tables/desk/allowed-address.ts";
import * as WalletStore from "../../../store/tables/installation/wallet.ts";
import { type CommandGroup, command, type ExitCode, json, parseAddress, UsageError } from "../../command.ts";
import {
  dataDirOf,
  dataFlags,
  environmentOf,
  readDatabase,
  withDatabase,
  withKnownDatabase,
} from "../../local/data-dir.ts";
import { type OpenInstallation, withWallet } from "../../local/installation.ts";
import { timeText } from "../../records/format.ts";
import { answer, say, sayAside } from "../../terminal/output.ts";
import { agreed, askSecret, isTerminal, refuseUnasked } from "../../terminal/prompt.ts";
import { sayList } from "../../terminal/table.ts";
import { show } from "./wallet-show.ts";
import { withdraw } from "./wallet-withdraw.ts";

const nameLengthMax = 60;

/** Controls where the desk may send the managed wallets' money. Owners' additions there wait; this applies at once. */
const allow = command({
  calls: ["ADDRESS --name NAME [FLAGS]", "ADDRESS --remove [FLAGS]", "--list [FLAGS]"],
  words: [["ADDRESS", "an address of your own, in checksum form"]],
  flags: {
    name: { value: "NAME", text: "what you call it, such as Ledger" },
    list: { text: "list the allowed addresses" },
    remove: { text: "stop allowing this address" },
    json,
    ...dataFlags,
  },
  about: `The desk withdraws only to these addresses, so an intruder there cannot send your money away. The list does not restrict commands. Changes apply at once, even while the server runs.`,
  examples: ["till wallet allow 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --name Ledger"],

  async run(values, [text, ...more]) {
    if (more.length > 0) throw new UsageError("one address at a time.");
    if (values.list) {
      if (text !== undefined || values.remove || values.name !== undefined)
        throw new UsageError("--list stands alone.");
      return await list(values);
    }
    if (text === undefined) throw new UsageError("say which address: till wallet allow ADDRESS --name NAME.");
    const address = parseAddress(text, "the address");
    if (values.remove) return await remove(values, address);
    const { name } = values;
    if (name === undefined || name.trim() === "")
      throw new UsageError("say what you call it: --name NAME. The desk shows it beside the address.");
    const ofName = Text.fault(name, { lineBreaks: false });
    if (ofName !== null) throw new UsageError(`--name ${sayWhy(why(ofName))}.`);
    if (name.length > nameLengthMax)
      throw new UsageError(`--name must have at most ${nameLengthMax} characters.`);
    const { usdc } = parseConfig(environmentOf(values), { needs: [] }).network;
    return await withKnownDatabase(dataDirOf(environmentOf(values)), (db) => {
      const gasAccount = WalletStore.gasAddress(db);
      const fault = destinationFault(db, address, { usdc, gasAccount });
      if (fault !== null) throw new UsageError(`${address} ${sayWhy(fault)}.`);
      AllowedAddressStore.allow(db, { address, name: name.trim(), createdAt: Date.now() });
      const text = `The desk may withdraw to ${address}, which it calls ${name.trim()}.`;
      return answer(values.json, { address, name: name.trim() }, text);
    });
  },
});

type Where = Parameters<typeof environmentOf>[0] & { json: boolean };

function remove(values: Where, address: Address): Promise<ExitCode> {
  return withKnownDatabase(dataDirOf(environmentOf(values)), (db) => {
    if (!AllowedAddressStore.remove(db, address, "till wallet allow", Date.now()))
      throw new Error(`${address} was not allowed; till wallet allow --list shows what is.`);
    return answer(values.json, { ok: true }, `The desk may no longer withdraw to ${address}.`);
  });
}

function list(values: Where): Promise<ExitCode> {
  return readDatabase(dataDirOf(environmentOf(values)), (db) => {
    const allowed = AllowedAddressStore.list(db, Date.now()).map(({ address, name, createdAt }) => ({
      address,
      name,
      allowed_at: instant(createdAt),
    }));
    const none = "The desk may withdraw to no address. Allow one with: till wallet allow ADDRESS --name NAME";
    return answer(values.json, allowed, () =>
      sayList(
        allowed,
        [
          ["ADDRESS", "address"],
          ["ALLOWED", "allowed_at", timeText],
          ["NAME", "name"],
        ],
        none,
      ),
    );
  });
}

const purpose = `These 12 words are the wallet: whoever has them has all the money in the managed wallets and in the gas account, and
without them and the wallet's file that money is lost. Write them on paper, in this order, and keep it where only you
can find it: no photo, no cloud, no mail. With them and the list of your own payout wallets every deposit address can be
found again (till wallet restore, then till recover). They hold no invoices: the database needs a backup of its own.`;

/** Shows the words after a person confirms that nobody is looking over their shoulder. */
const backup = command({
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
const restore = command({
  calls: ["[FLAGS]"],
  flags: {
    force: { text: "keep an existing wallet under another name, and replace it" },
    ...dataFlags,
  },
  // The message below explains why there are none.
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

export const wallet: CommandGroup = {
  actions: {
    show: {
      summary:
        "Show the gas account's ETH, the managed wallets' USDC, and the USDC still at deposit addresses",
      command: show,
    },
    withdraw: { summary: "Move USDC out of a merchant's managed wallet", command: withdraw },
    allow: { summary: "Choose the addresses that the desk may withdraw to", command: allow },
    backup: { summary: "Show the 12 words of the wallet, after asking", command: backup },
    restore: {
      summary: "Restore the wallet from its 12 words. For the database, use till restore",
      command: restore,
    },
  },
  about: "Reads the variables of till serve. You can run these while the server runs, except restore.",
  examples: ["till wallet show"],
};
