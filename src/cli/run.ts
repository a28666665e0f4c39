import { commit, version } from "../config/version.ts";
import { isLasting, messageOf } from "../lib/error.ts";
import { alternatives } from "../lib/text/english.ts";
import { nearest, printableLines } from "../lib/text/text.ts";
import {
  Cancelled,
  type Command,
  type CommandEntry,
  type CommandGroup,
  type CommandTable,
  type ExitCode,
  Stopped,
  UsageError,
} from "./command.ts";
import { parseFlags } from "./flags.ts";
import { columnOf, columns, helpOf } from "./help.ts";
import { redactionOf } from "./redaction.ts";
import { print, sayAside } from "./terminal/output.ts";

/** The commands, as `till help` lists them. */
const groups = {
  "Every day": {
    invoice: "Make an invoice and mail it, step by step or from flags",
    link: "Make a payment link, step by step or from flags",
    list: "List invoices or payment links",
    show: "Show an invoice or a payment link and its whole history",
    comment: "Add a private comment to an invoice or a payment link",
    remind: "Mail a customer a reminder of an invoice",
    receipt: "Show the receipt of an invoice or a link, or save its PDF",
    send: "Mail an invoice or a credit note, the first time or again",
    correct: "Correct an invoice in what is not the bill itself: email, due date, reminders",
    void: "Void an invoice or a payment link: nobody owes it any more",
    mark: "Mark an invoice or a payment link as paid in another way, or undo that",
    refund: "Begin a refund, or list what is to be returned and what was",
    recurring: "List invoices that repeat; show, pause, resume or end one",
    webhook: "List webhook events, or send one again",
    endpoint: "Add, list, change, test and remove webhook endpoints, which hear of every event",
    export: "Export invoices, payments, settlements or fees as CSV or JSON",
    mcp: "Connect an agent to Till, by the Model Context Protocol",
  },
  Money: {
    settle: "Move confirmed money to the payout wallets",
    wallet: "Show, back up or restore the wallet, or withdraw from it",
    "verify-address": "Recompute a deposit address and show where its money can go",
    "verify-receipt": "Prove a receipt on the chain, without the Till that wrote it",
    pay: "Pay an invoice with test USDC (development only)",
  },
  Server: {
    dev: "Run Till with a local chain, test USDC and a mail catcher",
    serve: "Run Till for real, configured by TILL_… variables",
    health: "Check whether Till is healthy",
    settings: "List what can be set at the desk, and where each value comes from",
    doctor: "Find anything that is wrong, and say how to fix it",
    login: "Print a one-time link to sign in to the desk",
    key: "Create, list and revoke API keys",
    update: "Update Till, and go back by itself if the new version is not well",
    backup: "Copy the database and wallet into one file, even while Till runs",
    completion: "Print a script that completes commands and flags in your shell",
  },
  Emergencies: {
    rescan:
      "A USDC payment is missing: reread its blocks and credit it. For another token or chain, use rescue",
    restore:
      "The database is lost: restore a backup. Without a backup, use recover; for a lost wallet, wallet restore",
    recover: "No backup is left: find the deposit addresses from the wallet. With a backup, use restore",
    rescue:
      "Somebody sent another token, or used another chain: move the money to the payout wallet. For missing USDC, use rescan; for lost data, restore or recover",
  },
} as const;

type Groups = typeof groups;
type Name = { [Title in keyof Groups]: keyof Groups[Title] }[keyof Groups];

/** Each command is loaded only when called: nobody waits for another command's code. */
const loaders: Readonly<Record<Name, () => Promise<Command | CommandGroup>>> = {
  invoice: async () => (await import("./commands/issue/invoice.ts")).invoice,
  link: async () => (await import("./commands/issue/link.ts")).link,
  list: async () => (await import("./commands/list.ts")).list,
  show: async () => (await import("./commands/show.ts")).show,
  comment: async () => (await import("./commands/acts.ts")).comment,
  remind: async () => (await import("./commands/acts.ts")).remind,
  receipt: async () => (await import("./commands/receipt.ts")).receipt,
  send: async () => (await import("./commands/acts.ts")).send,
  correct: async () => (await import("./commands/correct.ts")).correct,
  void: async () => (await import("./commands/acts.ts")).voidCommand,
  mark: async () => (await import("./commands/acts.ts")).mark,
  refund: async () => (await import("./commands/refund.ts")).refund,
  recurring: async () => (await import("./commands/recurring.ts")).recurring,
  webhook: async () => (await import("./commands/webhook.ts")).webhook,
  endpoint: async () => (await import("./commands/endpoint.ts")).endpoint,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  settle: async () => (await import("./commands/money/settle.ts")).settle,
  wallet: async () => (await import("./commands/money/wallet.ts")).wallet,
  "verify-address": async () => (await import("./commands/money/verify-address.ts")).verifyAddress,
  "verify-receipt": async () => (await import("./commands/money/verify-receipt.ts")).verifyReceipt,
  pay: async () => (await import("./commands/money/pay.ts")).pay,
  dev: async () => (await import("./commands/server/dev.ts")).dev,
  serve: async () => (await import("./commands/server/serve.ts")).serve,
  health: async () => (await import("./commands/server/health.ts")).health,
  settings: async () => (await import("./commands/server/settings.ts")).settings,
  doctor: async () => (await import("./commands/server/doctor.ts")).doctor,
  login: async () => (await import("./commands/server/login.ts")).login,
  key: async () => (await import("./commands/server/key.ts")).key,
  update: async () => (await import("./commands/server/update.ts")).update,
  backup: async () => (await import("./commands/server/backup.ts")).backup,
  completion: async () => (await import("./completion.ts")).completion(commands),
  rescan: async () => (await import("./commands/emergency/rescan.ts")).rescan,
  restore: async () => (await import("./commands/emergency/restore.ts")).restore,
  recover: async () => (await import("./commands/emergency/recover.ts")).recover,
  rescue: async () => (await import("./commands/emergency/rescue.ts")).rescue,
};

const summaries = Object.values(groups).flatMap((group) => Object.entries(group) as [Name, string][]);

export const commands: CommandTable = Object.fromEntries(
  summaries.map(([name, summary]) => [name, { summary, load: loaders[name] }]),
);

/** Whatever Till or its children write is for its owner alone. */
const ownerOnly = 0o077;

/** Runs one command; on failure it prints one sentence to standard error. */
export async function run([name, ...args]: string[]): Promise<ExitCode> {
  process.umask(ownerOnly);
  if (name === "--version" && args[0] === "--json") {
    // What another version wants to know before it takes this one's place, or lets it take its own.
    const { newestSchema } = await import("../store/migrations.ts");
    print(JSON.stringify({ version, commit, schema: newestSchema }));
    return 0;
  }
  if (name === "--version" || name === "-v") {
    console.log(`till ${version}${commit === null ? "" : ` (${commit})`}`);
    return 0;
  }
  if (name === "help" && args[0] !== undefined) return await run([...args, "--help"]);
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
  try {
    return await call(name, entry, args);
  } catch (thrown) {
    if (thrown instanceof Cancelled) {
      console.error(`till ${name}: cancelled`);
      // Waits for nothing still in progress.
      process.exit(130);
    }
    // A check of the database may still be reading.
    if (thrown instanceof Stopped) process.exit(0);
    // Whoever reads the output has seen enough, like head.
    if (isPipeClosed(thrown)) return 1;
    const message = databaseFailure(thrown) ?? diskFailure(thrown) ?? messageOf(thrown);
    sayAside(`till ${name}: ${redactionOf(process.env)(message)}`);
    return isLasting(thrown) || thrown instanceof UsageError ? 2 : 1;
  }
}

async function call(
  name: string,
  { summary, load }: CommandEntry,
  args: readonly string[],
): Promise<ExitCode> {
  const command = await load();
  const wantsHelp = args.includes("--help") || args.includes("-h");
  if (!("actions" in command)) {
    if (wantsHelp) print(helpOf(name, summary, command));
    else return await start(name, command, args);
    return 0;
  }
  const [action = "", ...rest] = args;
  const chosen = Object.hasOwn(command.actions, action) ? command.actions[action] : undefined;
  if (wantsHelp) {
    print(
      chosen ? helpOf(`${name} ${action}`, chosen.summary, chosen.command) : helpOf(name, summary, command),
    );
    return 0;
  }
  if (chosen) return await start(`${name} ${action}`, chosen.command, rest);
  throw new UsageError(`say what to do: till ${name} ${alternatives(Object.keys(command.actions))}.`);
}

async function start(name: string, command: Command, args: readonly string[]): Promise<ExitCode> {
  const { values, words } = parseFlags(name, command, args);
  return await command.run(values, words);
}

/** Returns the message for a failing disk; null for any other error. */
function diskFailure(thrown: unknown): string | null {
  if (
    !(thrown instanceof Error && "code" in thrown && /^(EIO|ENOSPC|EDQUOT|EROFS)$/.test(String(thrown.code)))
  )
    return null;
  return `the disk failed: ${thrown.message}. Check whether it is full, broken or read-only, and run this again.`;
}

/** Returns the message if SQLite may not use the database's files; null for any other error. */
function databaseFailure(thrown: unknown): string | null {
  if (thrown instanceof Error && thrown.name === "DatabaseLocked") return `nothing was saved: ${locked}`;
  if (!(thrown instanceof Error && thrown.name === "SQLiteError" && "code" in thrown)) return null;
  const code = String(thrown.code);
  if (/^SQLITE_(FULL|IOERR)/.test(code))
    return `nothing was saved: ${thrown.message}. Check whether the disk of the data directory is full or broken.`;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return `nothing was saved: ${locked}`;
  if (!/^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code)) return null;
  return (
    `the database cannot be written: ${thrown.message}. Run this as the user that Till runs as; the data directory and ` +
    "everything in it must belong to that user, on a writable disk."
  );
}

const locked =
  "another program keeps the database locked, for example a sqlite3 shell with an open transaction. End it, and run " +
  "this again.";

function isPipeClosed(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "EPIPE";
}

function usage(): string {
  const column = columnOf(summaries);
  return [
    "Usage: till COMMAND",
    ...Object.entries(groups).map(([title, group]) =>
      [title, ...columns(Object.entries(group), column)].join("\n"),
    ),
    "till COMMAND --help tells more. till --version prints the version.",
  ].join("\n\n");
}
