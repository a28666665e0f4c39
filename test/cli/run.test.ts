import { describe, expect, test } from "bun:test";
import manifest from "../../package.json";
import { fromSource, startProcess } from "../support/process.ts";

async function till(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const child = startProcess([...fromSource, ...args]);
  const exitCode = await child.exited;
  return { exitCode, output: child.output() };
}

describe("till", () => {
  test("prints its version", async () => {
    expect(await till("--version")).toEqual({ exitCode: 0, output: `till ${manifest.version}\n` });
  });

  test("lists its commands, and helps with each", async () => {
    const { exitCode, output } = await till("--help");
    expect(exitCode).toBe(0);
    for (const command of ["dev", "serve", "rescan", "backup", "restore", "doctor", "export", "pay"]) {
      expect(output).toContain(`  ${command}`);
      expect((await till(command, "--help")).output).toContain(`Usage: till ${command}`);
    }
  });

  test("exits with 2 when it is called wrongly, and says how", async () => {
    expect(await till()).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining("Usage: till COMMAND"),
    });
    expect(await till("sevre")).toMatchObject({ exitCode: 2, output: expect.stringContaining('"sevre"') });
    expect(await till("serve", "--port")).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining("--port"),
    });
    expect(await till("pay")).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining("give an invoice"),
    });
    expect(await till("pay", "abc", "1,50")).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining('"1,50"'),
    });
  });

  test("names what does not answer when paying", async () => {
    const { exitCode, output } = await till("pay", "http://127.0.0.1:9/i/abc");
    expect(exitCode).toBe(1);
    expect(output).toContain("no Till answers at http://127.0.0.1:9");
    expect(output).toContain("till dev");
  });
});
