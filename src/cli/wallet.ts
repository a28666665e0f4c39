import { type Command, type ExitCode, UsageError } from "./command.ts";
import { backup } from "./wallet-backup.ts";
import { restore } from "./wallet-restore.ts";
import { show } from "./wallet-show.ts";
import { withdraw } from "./wallet-withdraw.ts";

const actions: Record<string, (args: string[]) => Promise<ExitCode>> = { show, backup, restore, withdraw };

export const wallet: Command = {
  help: `Usage: till wallet show [--json]
       till wallet backup [--yes]
       till wallet restore [--force]
       till wallet withdraw (--merchant EMAIL | --account N) --to ADDRESS --amount X|all [--yes] [--json]

  show      the gas account and its ETH, the managed wallets and their USDC, and what waits at deposit addresses
  backup    shows the 12 words of the wallet, after asking; --yes does not ask, for scripts
  restore   makes the wallet again from its 12 words, asked for on the terminal or read from standard input;
            --force sets an existing wallet aside under another name
  withdraw  moves USDC out of a merchant's managed wallet; the gas account pays the fee. It shows what will happen and
            asks; --yes does not ask. While a withdrawal is pending, the same command continues it and begins no
            other.

Works on TILL_DATA_DIR with the variables of till serve, also beside a running server.

Example:
  till wallet withdraw --merchant billing@acme.example --to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --amount all`,

  async run([name = "", ...args]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("say what to do: till wallet show, backup, restore or withdraw.");
    return await action(args);
  },
};
