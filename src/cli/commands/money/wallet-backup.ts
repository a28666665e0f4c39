import { wordsFault } from "../../../chain/account/wallet.ts";
import * as WalletStore from "../../../store/tables/installation/wallet.ts";
import { command, type ExitCode } from "../../command.ts";
import { dataFlags, environmentOf } from "../../local/dev-data.ts";
import { type OpenInstallation, withWallet } from "../../local/installation.ts";
import { confirm, refuseUnasked } from "../../terminal/ask.ts";
import { say, sayAside } from "../../terminal/output.ts";

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
      if (!values.yes && !(await confirm("Show the words now? Nobody else should see this screen."))) {
        sayAside("Nothing was shown.");
        return 1;
      }
      say(words);
      WalletStore.setWordsAt(db, Date.now());
      sayAside(`\nThe wallet begins with account ${wallet.gasAddress}; a restored one has to show the same.`);
      return 0;
    };
    return await withWallet(environmentOf(values), work, { needs: ["WALLET_PASSPHRASE"] });
  },
});
