import { parseArgs } from "node:util";
import { messageOf } from "../lib/error.ts";
import { nearest } from "../lib/text/text.ts";
import { type Command, type Flag, type Flags, type FlagValues, UsageError } from "./command.ts";

type Arguments = { values: FlagValues<Flags>; words: string[] };

/** Parses a command's arguments by its table. Throws a UsageError that states the fault. */
export function parseFlags(name: string, { flags, words }: Command, args: readonly string[]): Arguments {
  const options = Object.fromEntries(
    Object.entries(flags).map(([flag, { value, many = false }]) => [
      flag,
      { type: value === undefined ? "boolean" : "string", multiple: many } as const,
    ]),
  );
  try {
    const parsed = parseArgs({ args: spelledOut(flags, args), options, allowPositionals: true });
    const [unexpected] = words === undefined ? parsed.positionals : [];
    if (unexpected !== undefined)
      throw new UsageError(`unexpected argument: ${unexpected}. ${adviceFor(name)}`);
    const off = Object.entries(flags).flatMap(([flag, { value }]) =>
      value === undefined ? [[flag, false]] : [],
    );
    const values = { ...Object.fromEntries(off), ...parsed.values } as FlagValues<Flags>;
    return { values, words: parsed.positionals };
  } catch (thrown) {
    throw new UsageError(faultOf(thrown, name, flags) ?? messageOf(thrown));
  }
}

/** Replaces alternative names, and joins an optional value to its flag. */
function spelledOut(flags: Flags, args: readonly string[]): string[] {
  const spelled: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return [...spelled, ...args.slice(at)];
    const [written = "", ...rest] = arg.split("=");
    const [name, flag] = Object.entries(flags).find(
      ([flagName, { also }]) => written === `--${flagName}` || (also && written === `--${also}`),
    ) ?? [null, null];
    const inline = rest.length > 0 ? rest.join("=") : null;
    const next = args[at + 1];
    if (flag && isOptional(flag) && inline === null) {
      const taken = next !== undefined && (next === "-" || !next.startsWith("-"));
      spelled.push(`--${name}=${taken ? next : ""}`);
      if (taken) at += 1;
    } else {
      spelled.push(name === null ? arg : `--${name}${inline === null ? "" : `=${inline}`}`);
    }
  }
  return spelled;
}

function isOptional({ value }: Flag): boolean {
  return value?.startsWith("[") === true;
}

const adviceFor = (name: string) => `till ${name} --help shows how to use it.`;

const parseFaultCode = "ERR_PARSE_ARGS_";

/** Returns the fault that parseArgs of node:util found, in our own words; null for any other error. */
function faultOf(thrown: unknown, name: string, flags: Flags): string | null {
  const code = thrown instanceof TypeError && "code" in thrown ? String(thrown.code) : "";
  const message = messageOf(thrown);
  const [, quoted] = /'([^' =]+)/.exec(message) ?? [];
  if (!code.startsWith(parseFaultCode) || quoted === undefined) return null;
  if (code === `${parseFaultCode}UNKNOWN_OPTION`) {
    const meant = nearest(
      quoted,
      [...Object.keys(flags), "help"].map((flag) => `--${flag}`),
    );
    return `there is no option ${quoted}. ${meant === null ? adviceFor(name) : `Did you mean ${meant}?`}`;
  }
  // A value that begins with a dash may be the next option.
  if (message.includes("ambiguous"))
    return `${quoted} needs a value. Write one that begins with a dash as ${quoted}=-…`;
  return message.includes("does not take")
    ? `${quoted} takes no value.`
    : `${quoted} needs a value. ${adviceFor(name)}`;
}
