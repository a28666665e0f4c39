import type { CommandGroup } from "../../command.ts";
import { allow } from "./wallet-allow.ts";
import { backup } from "./wallet-backup.ts";
import { restore } from "./wallet-restore.ts";
import { show } from "./wallet-show.ts";
import { withdraw } from "./wallet-withdraw.ts";

export const wallet: CommandGroup = {
  actions: {
    show: {
      summary:
        "Show the gas account and its ETH, the managed wallets and their USDC, and what waits at deposit addresses",
      command: show,
    },
    withdraw: { summary: "Move USDC out of a merchant's managed wallet", command: withdraw },
    allow: { summary: "Say to which addresses the desk may withdraw", command: allow },
    backup: { summary: "Show the 12 words of the wallet, after asking", command: backup },
    restore: {
      summary: "Make the wallet again from its 12 words. For the database use till restore",
      command: restore,
    },
  },
  about: "Works with the variables of till serve, also beside a running server; restore while none runs.",
  examples: ["till wallet show"],
};
