import { stripVTControlCharacters } from "node:util";
import { environment } from "./process.ts";

export type TestTerminal = {
  /** Everything that was shown so far, without its escape sequences. */
  shown(): string;
  /** The same with them. */
  raw(): string;
  /** Waits until the text shows up after what was waited for before. */
  see(text: string): Promise<void>;
  type(text: string): void;
  /** Waits for a text, then types an answer to it and Enter. */
  answer(question: string, text?: string): Promise<void>;
  /** Whether the terminal echoes and reads whole lines, as a shell expects to find it, with its cursor shown. */
  isRestored(): boolean;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** The exit code, once everything is shown. */
  readonly exited: Promise<number>;
  stop(): Promise<void>;
};

export const keys = {
  enter: "\r",
  down: "\x1b[B",
  ctrlC: "\x03",
  ctrlD: "\x04",
  ctrlU: "\x15",
  escape: "\x1b",
};

/** Flags of termios' c_lflag on Linux and macOS: what raw mode turns off. */
const lineFlags =
  process.platform === "darwin" ? { echo: 0x8, canonical: 0x100 } : { echo: 0x8, canonical: 0x2 };

const seeTimeoutMs = 60_000;

const echoOfNul = "^@";

/** Bun gives a process the terminal, but not as the one that it is controlled by: Ctrl-C would signal nobody. */
const controlled = process.platform === "linux" ? ["setsid", "--ctty"] : [];

/** Runs a command on a pseudo-terminal of its own, in the `environment`. */
export function startTerminal(
  command: readonly string[],
  {
    env = {},
    cwd = process.cwd(),
    cols = 120,
  }: { env?: Record<string, string>; cwd?: string; cols?: number } = {},
): TestTerminal {
  let raw = "";
  let seen = 0;
  const decoder = new TextDecoder();
  const terminal = new Bun.Terminal({
    cols,
    rows: 50,
    data(_, bytes) {
      raw += decoder.decode(bytes, { stream: true });
    },
  });
  const child = Bun.spawn([...controlled, ...command], {
    terminal,
    cwd,
    env: { ...environment, TERM: "xterm-256color", ...env },
  });
  /** What it wrote last can still be on its way when it has ended. The terminal echoes what is typed now after all of that. */
  async function drained(code: number): Promise<number> {
    const echoes = (terminal.localFlags & lineFlags.echo) !== 0;
    if (echoes) terminal.write("\0");
    const deadline = performance.now() + (echoes ? seeTimeoutMs : 100);
    while (!raw.endsWith(echoOfNul) && performance.now() < deadline) await Bun.sleep(5);
    if (raw.endsWith(echoOfNul)) raw = raw.slice(0, -echoOfNul.length);
    else if (echoes)
      throw new Error(`The terminal of ${command.join(" ")} did not show all within ${seeTimeoutMs} ms.`);
    return code;
  }
  const shown = () => stripVTControlCharacters(raw).replaceAll("\r", "");
  async function see(text: string): Promise<void> {
    const deadline = performance.now() + seeTimeoutMs;
    for (;;) {
      const at = shown().indexOf(text, seen);
      if (at >= 0) {
        seen = at + text.length;
        return;
      }
      if (performance.now() > deadline)
        throw new Error(`${JSON.stringify(text)} did not show up:\n${shown().slice(seen)}`);
      await Bun.sleep(5);
    }
  }
  const type = (text: string) => void terminal.write(text);
  return {
    shown,
    raw: () => raw,
    see,
    type,
    async answer(question, text = "") {
      await see(question);
      type(text + keys.enter);
    },
    isRestored() {
      const cooked = lineFlags.echo | lineFlags.canonical;
      return (
        (terminal.localFlags & cooked) === cooked &&
        raw.lastIndexOf("\x1b[?25l") <= raw.lastIndexOf("\x1b[?25h")
      );
    },
    kill: (signal) => child.kill(signal),
    exited: child.exited.then(drained),
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
      terminal.close();
    },
  };
}
