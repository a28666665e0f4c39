import { until } from "../support/till/till.ts";

const php = ["php", "-d", "opcache.enable_cli=1", "-d", "memory_limit=512M", "-d", "sendmail_path=/bin/true"];

/** Runs a script, and answers what it printed. */
export async function runPhp(...args: string[]): Promise<string> {
  const child = Bun.spawn([...php, ...args], { stdout: "pipe", stderr: "inherit", timeout: 120_000 });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`php ${args.join(" ")}: ${output}`);
  return output.trim();
}

export type PhpServer = { stop(): Promise<void> };

/** PHP's own web server, which has this file. Its workers survive it, so all of its group are ended. */
export async function startPhpServer(home: string, port: number, file: string): Promise<PhpServer> {
  const child = Bun.spawn([...php, "-S", `127.0.0.1:${port}`, "-t", home], {
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: "4" },
    stdio: ["ignore", "ignore", Bun.file(`${home}.log`)],
    detached: true,
  });
  const answers = () => fetch(`http://127.0.0.1:${port}/${file}`).then(Boolean, () => false);
  await until(answers, Boolean);
  return {
    async stop() {
      process.kill(-child.pid, "SIGTERM");
      await child.exited;
    },
  };
}
