import { ConfigError } from "../config.ts";
import { messageOf } from "../lib/error.ts";
import { nearest } from "../lib/spelling.ts";
import { printableLines } from "../lib/text.ts";
import { Cancelled, type Command, type ExitCode, UsageError } from "./command.ts";
import { redactionOf } from "./redaction.ts";
import { commit, version } from "./version.ts";

/** Each is loaded only when it is asked for: nobody waits for the code of another command. */
export const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
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
  rescan: {
    summary: "Credit what arrived since a block, at any address ever issued",
    load: async () => (await import("./rescan.ts")).rescan,
  },
  backup: {
    summary: "Copy database and wallet into one file, beside a running server",
    load: async () => (await import("./backup.ts")).backup,
  },
  restore: {
    summary: "Replace the database with a backup",
    load: async () => (await import("./restore.ts")).restore,
  },
  doctor: {
    summary: "Look for anything that is wrong, and say what to do",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  export: {
    summary: "Write invoices, items or payments as CSV or JSON",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  settle: {
    summary: "Move confirmed money to the payout wallets",
    load: async () => (await import("./settle.ts")).settle,
  },
  pay: {
    summary: "Pay an invoice with test USDC (development only)",
    load: async () => (await import("./pay.ts")).pay,
  },
  invoice: {
    summary: "Make an invoice and mail it, step by step or from flags",
    load: async () => (await import("./invoice.ts")).invoice,
  },
  link: {
    summary: "Make a payment link",
    load: async () => (await import("./link.ts")).link,
  },
  list: {
    summary: "List invoices or payment links",
    load: async () => (await import("./list.ts")).list,
  },
  show: {
    summary: "Show an invoice or a payment link with its payments and webhook events",
    load: async () => (await import("./show.ts")).show,
  },
  send: {
    summary: "Mail an invoice, the first time or again",
    load: async () => (await import("./send.ts")).send,
  },
  webhook: {
    summary: "List webhook events, and send one again",
    load: async () => (await import("./webhook.ts")).webhook,
  },
  health: {
    summary: "Ask whether Till is healthy",
    load: async () => (await import("./health.ts")).health,
  },
  completion: {
    summary: "Print a script that lets a shell complete commands and flags",
    load: async () => (await import("./completion.ts")).completion(commands),
  },
  wallet: {
    summary: "Show, back up and restore the wallet, and withdraw from it",
    load: async () => (await import("./wallet.ts")).wallet,
  },
  rescue: {
    summary: "Move what was sent to a deposit address in another token or on another chain",
    load: async () => (await import("./rescue.ts")).rescue,
  },
  recover: {
    summary: "Find deposit addresses again after the database was lost, and pay them out",
    load: async () => (await import("./recover.ts")).recover,
  },
  "verify-address": {
    summary: "Compute a deposit address again and show where its money can go",
    load: async () => (await import("./verify-address.ts")).verifyAddress,
  },
};

/** Whatever Till writes, its children included, is for its owner alone. */
const ownerOnly = 0o077;

/** Runs one command and says what went wrong on standard error, in a sentence. */
export async function run([name, ...args]: string[]): Promise<ExitCode> {
  process.umask(ownerOnly);
  if (name === "--version" || name === "-v") {
    console.log(`till ${version}${commit === null ? "" : ` (${commit})`}`);
    return 0;
  }
  if (name === "help" && args[0] !== undefined) return await run([args[0], "--help"]);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(usage());
    return name === undefined ? 2 : 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    const meant = nearest(name, [...Object.keys(commands), "--version", "--help"]);
    const advice = meant === null ? `\n\n${usage()}` : ` Did you mean till ${meant}?`;
    console.error(`till: there is no command ${JSON.stringify(name)}.${printableLines(advice)}`);
    return 2;
  }
  let help = "";
  try {
    const command = await entry.load();
    help = command.help;
    if (args.includes("--help") || args.includes("-h")) {
      console.log(`${entry.summary}\n\n${command.help}`);
      return 0;
    }
    return await command.run(args);
  } catch (thrown) {
    if (thrown instanceof Cancelled) {
      console.error(`till ${name}: cancelled`);
      // Nothing that is still under way is waited for.
      process.exit(130);
    }
    // Whoever read the output has seen enough, as head has.
    if (isPipeClosed(thrown)) return 1;
    const message = wrongCall(thrown, name, help) ?? databaseFault(thrown) ?? messageOf(thrown);
    console.error(`till ${name}: ${printableLines(redactionOf(process.env)(message))}`);
    return isUsageError(thrown) ? 2 : 1;
  }
}

/** What to say when SQLite may not use the files of the database; null for anything else. */
function databaseFault(thrown: unknown): string | null {
  if (!(thrown instanceof Error && thrown.name === "SQLiteError" && "code" in thrown)) return null;
  const isForbidden = /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(String(thrown.code));
  if (!isForbidden) return null;
  return (
    `the database cannot be written: ${thrown.message}. Run this as the user that Till runs as; the data directory and ` +
    "everything in it must belong to that user, on a writable disk."
  );
}

function isPipeClosed(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "EPIPE";
}

function isUsageError(thrown: unknown): boolean {
  return thrown instanceof ConfigError || thrown instanceof UsageError || parseFault(thrown) !== null;
}

/** What parseArgs of node:util found fault with: the end of its error's code. Null for anything else. */
function parseFault(thrown: unknown): string | null {
  const code = thrown instanceof TypeError && "code" in thrown ? String(thrown.code) : "";
  return code.startsWith(parseFaultCode) ? code.slice(parseFaultCode.length) : null;
}

const parseFaultCode = "ERR_PARSE_ARGS_";

/** The same in words of ours; null for anything else. */
function wrongCall(thrown: unknown, name: string, help: string): string | null {
  const fault = parseFault(thrown);
  if (fault === null) return null;
  const said = messageOf(thrown);
  const [, quoted] = /'([^' =]+)/.exec(said) ?? [];
  if (quoted === undefined) return null;
  const advice = `till ${name} --help shows how to use it.`;
  if (fault === "UNEXPECTED_POSITIONAL") return `unexpected argument: ${quoted}. ${advice}`;
  if (fault === "UNKNOWN_OPTION") {
    const meant = nearest(quoted, [...new Set(help.match(/--[a-z][a-z-]+/g)), "--help"]);
    return `there is no option ${quoted}. ${meant === null ? advice : `Did you mean ${meant}?`}`;
  }
  // A value that begins with a dash may be the next option.
  if (said.includes("ambiguous"))
    return `${quoted} needs a value. Write one that begins with a dash as ${quoted}=-…`;
  return said.includes("does not take") ? `${quoted} takes no value.` : `${quoted} needs a value. ${advice}`;
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: till COMMAND\n\n${lines.join("\n")}\n\ntill COMMAND --help tells more. till --version prints the version.`;
}
