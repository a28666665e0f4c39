import { readFileSync } from "node:fs";
import { join } from "node:path";

export const project = join(import.meta.dir, "../..");

export const readme = readFileSync(join(project, "README.md"), "utf8");

/** The code blocks of the README in a language, in their order. */
export function blocks(language: string): string[] {
  const fences = readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...fences].flatMap(([, found, code = ""]) => (found === language ? [code] : []));
}

/** The lines that a person pastes into a shell, with what was continued on the next line joined. */
export const shellLines: readonly string[] = blocks("sh").flatMap((code) =>
  code.replaceAll("\\\n", " ").split("\n"),
);
