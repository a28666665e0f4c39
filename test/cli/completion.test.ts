import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDataDir } from "../support/till/data-dir.ts";
import { callTill } from "../support/till/run-till.ts";

async function script(shell: string): Promise<string> {
  const { exitCode, stdout } = await callTill(["completion", shell]);
  expect(exitCode).toBe(0);
  return stdout;
}

/** What bash offers for a line whose last word is being typed. */
function complete(completion: string, words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(" ");
  const question = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _till; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = Bun.spawnSync(["bash", "--norc", "-euc", `${completion}\n${question}`]);
  expect(bash.stderr.toString()).toBe("");
  return bash.stdout.toString().trim().split("\n");
}

describe("till completion", () => {
  test("lets bash complete commands, what follows them, and flags", async () => {
    const bash = await script("bash");
    expect(complete(bash, ["till", "in"])).toEqual(["invoice"]);
    expect(complete(bash, ["till", "--v"])).toEqual(["--version"]);
    expect(complete(bash, ["till", ""])).toContain("serve");
    expect(complete(bash, ["till", "webhook", "re"])).toEqual(["redeliver"]);
    expect(complete(bash, ["till", "list", ""])).toEqual(
      expect.arrayContaining(["invoices", "links", "--overdue", "--json", "--help"]),
    );
    expect(complete(bash, ["till", "invoice", "--customer-"])).toEqual([
      "--customer-email",
      "--customer-name",
      "--customer-address",
    ]);
    expect(complete(bash, ["till", "key", "list", "--j"])).toEqual(["--json"]);
    expect(complete(bash, ["till", "unheard-of", ""])).toEqual([""]);
  });

  test.each(["zsh", "fish"])(
    "has the same for %s, which can read it where it is installed",
    async (shell) => {
      const text = await script(shell);
      for (const name of ["invoice", "redeliver", "idempotency-key"]) expect(text).toContain(name);
      if (Bun.which(shell) === null) return;
      const dir = makeDataDir();
      await Bun.write(join(dir.path, "script"), text);
      const parsed = Bun.spawnSync([shell, "-n", join(dir.path, "script")]);
      dir.remove();
      expect({ exitCode: parsed.exitCode, stderr: parsed.stderr.toString() }).toEqual({
        exitCode: 0,
        stderr: "",
      });
    },
  );

  test("asks which shell", async () => {
    expect(await callTill(["completion"])).toMatchObject({ exitCode: 2 });
    expect(await callTill(["completion", "toString"])).toMatchObject({ exitCode: 2 });
  });
});
