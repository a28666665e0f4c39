import { type Command, type CommandTable, command, partsOf, UsageError } from "./command.ts";
import { print } from "./terminal/output.ts";

/** A shell's completions for one command. */
type Entry = { name: string; summary: string; words: string[]; flags: string[] };

const shells = { bash, zsh, fish };

/** The command that prints a shell's completion script, from the tables of commands and flags. */
export function completion(table: CommandTable): Command {
  return command({
    calls: ["bash|zsh|fish"],
    words: [
      ["bash", "for bash"],
      ["zsh", "for zsh"],
      ["fish", "for fish"],
    ],
    flags: {},
    about: `Save the script where your shell looks for completions. If that directory is missing, create it first (mkdir -p).`,
    examples: [
      "till completion bash > ~/.local/share/bash-completion/completions/till",
      `till completion zsh > "\${fpath[1]}/_till"`,
      "till completion fish > ~/.config/fish/completions/till.fish",
    ],

    async run(_, [shell, ...more]) {
      if (shell === undefined || !Object.hasOwn(shells, shell) || more.length > 0) {
        throw new UsageError("say for which shell: till completion bash, zsh or fish.");
      }
      print(shells[shell as keyof typeof shells](await entriesOf(table)));
      return 0;
    },
  });
}

async function entriesOf(table: CommandTable): Promise<Entry[]> {
  return await Promise.all(
    Object.entries(table).map(async ([name, { summary, load }]) => {
      const loaded = await load();
      const parts = partsOf(loaded);
      const typed = parts.flatMap(({ words = [] }) => words.map(([word]) => word).filter(isLiteral));
      const flags = new Set(parts.flatMap((part) => Object.keys(part.flags)));
      return {
        name,
        summary,
        words: [...("actions" in loaded ? Object.keys(loaded.actions) : []), ...typed],
        flags: [...flags, "help"].map((flag) => `--${flag}`),
      };
    }),
  );
}

const isLiteral = (word: string) => word === word.toLowerCase();

function bash(entries: Entry[]): string {
  const cases = entries.map(
    ({ name, words, flags }) => `    ${name}) words="${[...words, ...flags].join(" ")}" ;;`,
  );
  return `_till() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${entries.map(({ name }) => name).join(" ")} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _till till`;
}

function zsh(entries: Entry[]): string {
  const commands = entries.map(
    ({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`,
  );
  const cases = entries.map(
    ({ name, words, flags }) => `    ${name}) compadd -- ${[...words, ...flags].join(" ")} ;;`,
  );
  return `#compdef till
_till() {
  local -a commands
  commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join("\n")}
  esac
  _files
}
if [ "$funcstack[1]" = _till ]; then _till "$@"; else compdef _till till; fi`;
}

function fish(entries: Entry[]): string {
  const lines = entries.flatMap(({ name, summary, words, flags }) => [
    `complete -c till -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...words.map((word) => `complete -c till -n '__fish_seen_subcommand_from ${name}' -f -a ${word}`),
    ...flags.map((flag) => `complete -c till -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
  ]);
  return lines.join("\n");
}

/** Both shells take everything between single quotes literally, except the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
