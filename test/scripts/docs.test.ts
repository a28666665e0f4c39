import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import manifest from "../../package.json";
import { tables, withTables } from "../../scripts/docs.ts";
import { partsOf } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/run.ts";
import { parseConfig } from "../../src/config/config.ts";
import { logEvents } from "../../src/config/log-events.ts";
import { type SettingName, settingNames, settings } from "../../src/config/settings.ts";
import { documents, handbook, type Page, project, prose, shellLines } from "../support/till/handbook.ts";

const minimal = { TILL_RPC_URL: "https://node.example", TILL_WALLET_PASSPHRASE: "a long passphrase" };

const variablesIn = (text: string) =>
  [...text.matchAll(/\bTILL_([A-Z][A-Z_]*[A-Z])\b/g)].map(([, name]) => name);

/** What the build is given, not Till. */
const buildVariables = [
  ...["COMMIT", "BUILD_COMMIT", "BUILD_RELEASES"],
  // What a build gives the code.
  ...["PLATFORM", "RELEASES", "RELEASE_KEYS", "VERSION"],
];

describe("the tables of the handbook", () => {
  const pages = handbook.filter(({ file }) => tables[file] !== undefined);

  test("are what bun run docs makes of the code", () => {
    expect(pages.map(({ file }) => file)).toEqual(Object.keys(tables).sort());
    for (const { file, text } of pages) expect(withTables(file, text)).toBe(text);
  });

  test("have a place each, and its loss is noticed", () => {
    for (const { file, text } of pages) {
      const [end = ""] = /<!-- end of .* -->/.exec(text) ?? [];
      expect(() => withTables(file, text.replace(end, ""))).toThrow(end);
    }
  });
});

describe("settings", () => {
  test("are all read: by the configuration, or by the commands that talk to a server", () => {
    const read = new Set<string>();
    const environment = new Proxy<Record<string, string>>(minimal, {
      get(target, name: string) {
        read.add(name);
        return target[name];
      },
    });
    parseConfig(environment);
    const unread = settingNames.filter((name) => !read.has(`TILL_${name}`));
    expect(unread).toEqual(["API_KEY"]);
  });

  test("describe every variable that the code and the documents name", () => {
    const sources = [...new Bun.Glob("{src,scripts}/**/*.{ts,tsx}").scanSync(project)];
    const known = new Set<string | undefined>([...settingNames, ...buildVariables]);
    const files = [...sources, ...documents.map(({ file }) => file), "Dockerfile"];
    const unknown = files.flatMap((file) =>
      variablesIn(readFileSync(join(project, file), "utf8"))
        .filter((name) => !known.has(name) && name !== "LIMIT")
        .map((name) => `${file}: TILL_${name}`),
    );
    expect(sources.length).toBeGreaterThan(100);
    expect(unknown).toEqual([]);
  });

  test("have the defaults that the configuration has", () => {
    const open = { ...minimal, TILL_BASE_URL: "https://pay.example", TILL_OPEN_API: "true" };
    const given = (name: SettingName) => `${settings[name].default}`;
    const named = settingNames.filter((name) => settings[name].default !== null);
    const all = Object.fromEntries(named.map((name) => [`TILL_${name}`, given(name)]));
    // All that is said leaves the desk nothing to set.
    const { fixed, ...config } = parseConfig({ ...all, ...open });
    expect(Object.keys(fixed).length).toBeGreaterThan(10);
    expect({ ...config, fixed: {} }).toEqual(parseConfig(open));
  });
});

describe("the entries of the log", () => {
  const sources = [...new Bun.Glob("src/**/*.ts").scanSync(project)]
    .filter((file) => !file.endsWith("log-events.ts"))
    .map((file) => readFileSync(join(project, file), "utf8"))
    .join("\n");

  test("are all written somewhere, each at its level", () => {
    const unwritten = Object.entries(logEvents).filter(
      ([name, { level }]) =>
        !new RegExp(`log\\??\\.${level}\\(\\s*"${name.replace(".", "\\.")}"`).test(sources),
    );
    expect(unwritten).toEqual([]);
  });

  test("say nothing that differs in their sentence: that is for the fields", () => {
    const sentences = [...sources.matchAll(/\blog\??\.(?:debug|info|warn|error)\(\s*"[^"]+",\s*(.)/g)];
    expect(sentences.length).toBeGreaterThan(40);
    expect(sentences.filter(([, quote]) => quote !== '"').map(([call]) => call)).toEqual([]);
  });
});

describe("the handbook", () => {
  test("names commands and flags that are there", async () => {
    const called = shellLines.flatMap((line) => {
      const [, name, rest] =
        /^(?:as_till|till|docker exec (?:-it )?till \/till) ([a-z-]+)(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, flags: rest?.split("#")[0]?.match(/--[a-z-]+/g) ?? [] }];
    });
    expect(called.length).toBeGreaterThan(40);
    for (const { name, flags } of called) {
      const loaded = await commands[name]?.load();
      const known = loaded ? partsOf(loaded).flatMap((part) => Object.keys(part.flags)) : [];
      const unknown = flags.filter((flag) => flag !== "--help" && !known.includes(flag.slice(2)));
      expect({ name, isThere: loaded !== undefined, unknown }).toEqual({ name, isThere: true, unknown: [] });
    }
    const inText = documents.flatMap(({ text }) =>
      [...text.matchAll(/`till ([a-z][a-z-]*)[^`]*`/g)].map(([, name = ""]) => name),
    );
    expect(inText.filter((name) => !Object.hasOwn(commands, name))).toEqual([]);
  });

  /** What a link can point at inside a page, as GitHub names it. */
  const anchorsOf = (page: Page) =>
    [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );

  /** The links of a page inside the project: the file that each leads to, and the heading if it names one. */
  const linksOf = (page: Page) =>
    [...prose(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = "", anchor]) => ({
      file: path === "" ? page.file : relative(project, join(project, dirname(page.file), path)),
      anchor,
    }));

  test("links to files and headings that are there", () => {
    const links = documents.flatMap((page) => linksOf(page).map((link) => ({ from: page.file, ...link })));
    expect(links.length).toBeGreaterThan(60);
    const dead = links.filter(({ file, anchor }) => {
      if (anchor === undefined) return !existsSync(join(project, file));
      const page = documents.find((document) => document.file === file);
      return page === undefined || !anchorsOf(page).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test("has an index that leads to every page, and no heading twice in one", () => {
    const index = handbook.filter(({ file }) => file === "docs/README.md").flatMap(linksOf);
    const pages = handbook.filter(({ file }) => file !== "docs/README.md");
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter(({ file }) => !index.some((link) => link.file === file))).toEqual([]);
    for (const page of pages) expect(anchorsOf(page)).toEqual([...new Set(anchorsOf(page))]);
  });

  test("says no paragraph twice", () => {
    const paragraphs = documents.flatMap((page) =>
      prose(page)
        .split(/\n(?:\n|(?=[|-] ))/)
        .filter((paragraph) => paragraph.length > 80),
    );
    expect(paragraphs.length).toBeGreaterThan(200);
    expect(paragraphs.filter((paragraph, index) => paragraphs.indexOf(paragraph) !== index)).toEqual([]);
  });

  test("and its companions name files and scripts that are there", () => {
    const missing = documents.flatMap(({ file, text }) => {
      const files = [...text.matchAll(/\b(?:src|test|scripts|assets|docs)\/[\w./-]*\w/g)].map(
        ([path]) => path,
      );
      const scripts = [...text.matchAll(/\bbun(?:@[\d.]+)? run ([a-z]+)/g)].map(([, name = ""]) => name);
      return [
        ...files.filter((path) => !/NN|^test\/output/.test(path) && !existsSync(join(project, path))),
        ...scripts.filter((name) => !Object.hasOwn(manifest.scripts, name)),
      ].map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  test("names the one version of Bun", () => {
    const others = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:bun@|Bun\]\([^)]*\) )(\d[\d.]*\d)/g)]
        .filter(([, version]) => version !== manifest.engines.bun)
        .map(([named]) => `${file}: ${named}`),
    );
    expect(others).toEqual([]);
  });

  test("begins with a README that is read in minutes, and a picture that loads quickly and is in no image", () => {
    expect(Bun.file(join(project, "README.md")).size).toBeLessThanOrEqual(8_192);
    for (const picture of ["till.png", "desk.png"])
      expect(Bun.file(join(project, "assets/pictures", picture)).size).toBeLessThan(150_000);
    expect(readFileSync(join(project, ".dockerignore"), "utf8").split("\n")).toContain("assets/pictures");
  });
});
