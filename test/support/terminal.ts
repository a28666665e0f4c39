import { fromSource } from "./process.ts";

export type TerminalRun = {
  /** All that the terminal showed so far, without colors and cursor movements. */
  screen(): string;
  /** Waits until the screen shows a text. */
  shows(text: string): Promise<void>;
  type(text: string): void;
  kill(): void;
  readonly exited: Promise<number>;
};

const showTimeoutMs = 20_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b[()][A-Z0-9]|\u001b[=>]/g;

/** Runs a command of Till in a terminal of its own (a pty), as a person does. */
export function startInTerminal(
  args: readonly string[],
  env: Record<string, string | undefined>,
): TerminalRun {
  let shown = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([...fromSource, ...args], {
    env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...env },
    timeout: 60_000,
    terminal: {
      cols: 200,
      rows: 50,
      data(_terminal, bytes) {
        shown += decoder.decode(bytes, { stream: true });
      },
    },
  });
  const screen = () => shown.replace(escapes, "");
  return {
    screen,
    async shows(text) {
      const deadline = performance.now() + showTimeoutMs;
      while (!screen().includes(text)) {
        if (performance.now() > deadline) throw new Error(`The terminal does not show ${text}:\n${screen()}`);
        await Bun.sleep(10);
      }
    },
    type: (text) => void child.terminal?.write(text),
    kill: () => child.kill("SIGKILL"),
    exited: child.exited,
  };
}
