import { ConfigError } from "../config.ts";
import { messageOf } from "../lib/error.ts";
import { type Command, type ExitCode, UsageError } from "./command.ts";
import { version } from "./version.ts";

/** Each is loaded only when it is asked for: nobody waits for the code of another command. */
const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  dev: {
    summary: "Run Till with a local chain, test USDC and a mail catcher",
    load: async () => (await import("./dev.ts")).dev,
  },
  serve: {
    summary: "Run Till for real, configured by TILL_… variables",
    load: async () => (await import("./serve.ts")).serve,
  },
  key: {
    summary: "Make, list and revoke API keys",
    load: async () => (await import("./key.ts")).key,
  },
  settle: {
    summary: "Move confirmed money to the payout wallets",
    load: async () => (await import("./settle.ts")).settle,
  },
  pay: {
    summary: "Pay an invoice with test USDC (development only)",
    load: async () => (await import("./pay.ts")).pay,
  },
  wallet: {
    summary: "Show, back up and restore the wallet, and withdraw from it",
    load: async () => (await import("./wallet.ts")).wallet,
  },
  rescue: {
    summary: "Move what was sent to a deposit address as another token or on another chain",
    load: async () => (await import("./rescue.ts")).rescue,
  },
  recover: {
    summary: "Find and pay out deposit addresses again after the database was lost",
    load: async () => (await import("./recover.ts")).recover,
  },
  "verify-address": {
    summary: "Compute a deposit address again and show where its money can go",
    load: async () => (await import("./verify-address.ts")).verifyAddress,
  },
};

/** Runs one command and says what went wrong on standard error, in a sentence. */
export async function run([name, ...args]: string[]): Promise<ExitCode> {
  if (name === "--version" || name === "-v") {
    console.log(`till ${version}`);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(usage());
    return name === undefined ? 2 : 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    console.error(`till: there is no command ${JSON.stringify(name)}.\n\n${usage()}`);
    return 2;
  }
  try {
    const command = await entry.load();
    if (args.includes("--help") || args.includes("-h")) {
      console.log(`${entry.summary}\n\n${command.help}`);
      return 0;
    }
    return await command.run(args);
  } catch (thrown) {
    console.error(`till ${name}: ${messageOf(thrown)}`);
    return isUsageError(thrown) ? 2 : 1;
  }
}

function isUsageError(thrown: unknown): boolean {
  if (thrown instanceof ConfigError || thrown instanceof UsageError) return true;
  // parseArgs of node:util reports unknown options this way.
  return thrown instanceof TypeError && "code" in thrown && String(thrown.code).startsWith("ERR_PARSE_ARGS");
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: till COMMAND\n\n${lines.join("\n")}\n\ntill COMMAND --help tells more. till --version prints the version.`;
}
