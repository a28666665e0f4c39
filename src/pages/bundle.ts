import { join } from "node:path";

/** What would end a script element, or begin a comment in one, in the middle of the script (HTML, section 4.12.1.3). */
const endsScript = /<\/script|<script|<!--/i;

/**
 * The browser script `client/<name>.ts` and all that it imports, minified: one module, or with `iife` a classic script
 * that leaves no names behind. To be imported as a macro: Bun then runs it while it reads the importing file, and an
 * executable carries the result. Throws when the script cannot be built. The build is another process because
 * `Bun.build` inside a macro waits for itself.
 */
export function bundle(name: string, format: "esm" | "iife" = "esm"): string {
  const entry = join(import.meta.dir, "client", `${name}.ts`);
  const command = [process.execPath, "build", entry, "--minify", "--target=browser", `--format=${format}`];
  const { success, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, BUN_BE_BUN: "1" } });
  if (!success) throw new Error(`The browser script ${name} cannot be built: ${stderr.toString()}`);
  const script = stdout.toString();
  if (endsScript.test(script)) throw new Error(`The browser script ${name} would end its own script element`);
  return script;
}
