import { readFileSync } from "node:fs";
import { join } from "node:path";

export const project = join(import.meta.dir, "../../..");

/** A document for people: its path from the project's root, and its text. */
export type Page = { readonly file: string; readonly text: string };

const pageOf = (file: string): Page => ({ file, text: readFileSync(join(project, file), "utf8") });

/** The README, what there is for programs, and every page in docs/. */
export const handbook: readonly Page[] = [
  "README.md",
  "clients/README.md",
  ...[...new Bun.Glob("docs/*.md").scanSync(project)].sort(),
].map(pageOf);

/** The handbook and what stands beside the README. */
export const documents: readonly Page[] = [
  ...handbook,
  ...["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(pageOf),
];

const fence = /^```([\w ]*)\n([\s\S]*?)^```$/gm;

/** The text of a page without its code blocks. */
export const prose = ({ text }: Page): string => text.replaceAll(fence, "");

/** The code blocks of the handbook in a language, in their order. */
export function blocks(language: string): string[] {
  return handbook.flatMap(({ text }) =>
    [...text.matchAll(fence)].flatMap(([, name, code = ""]) => (name === language ? [code] : [])),
  );
}

/** The lines that a person pastes into a shell, with what was continued on the next line joined. */
export const shellLines: readonly string[] = blocks("sh").flatMap((code) =>
  code.replaceAll("\\\n", " ").split("\n"),
);
