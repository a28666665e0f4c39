import type { CommandGroup } from "../../command.ts";
import { allow } from "./wallet-allow.ts";
import { backup, restore } from "./wallet-backup.ts";
import { show } from "./wallet-show.ts";
import { withdraw } from "./wallet-withdraw.ts";

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
