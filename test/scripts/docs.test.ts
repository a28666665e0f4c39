import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { withTables } from "../../scripts/docs.ts";
import { partsOf } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/run.ts";
import { parseConfig } from "../../src/config.ts";
import { logEvents } from "../../src/log-events.ts";
import { type SettingName, settingNames, settings } from "../../src/settings.ts";
import { project, readme, shellLines } from "../support/readme.ts";

const minimal = { TILL_RPC_URL: "https://node.example", TILL_WALLET_PASSPHRASE: "a long passphrase" };

const variablesIn = (text: string) =>
  [...text.matchAll(/\bTILL_([A-Z][A-Z_]*[A-Z])\b/g)].map(([, name]) => name);

/** What the build is given, not Till. */
const buildVariables = ["COMMIT", "BUILD_COMMIT"];

describe("the tables of the README", () => {
  test("are what bun run docs makes of the code", () => {
    expect(withTables(readme)).toBe(readme);
  });

  test("have a place each, and its loss is noticed", () => {
    expect(() => withTables(readme.replace("<!-- end of calls -->", ""))).toThrow("<!-- end of calls -->");
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
    const unknown = [...sources, "README.md", "SECURITY.md", "CONTRIBUTING.md", "Dockerfile"].flatMap(
      (file) =>
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
    expect(parseConfig({ ...all, ...open })).toEqual(parseConfig(open));
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

describe("the README", () => {
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
    const inText = [...readme.matchAll(/`till ([a-z-]+)[^`]*`/g)].map(([, name = ""]) => name);
    expect(inText.filter((name) => !Object.hasOwn(commands, name))).toEqual([]);
  });

  test("links to headings and files that are there", () => {
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => `#${title.toLowerCase()}`);
    const anchors = headings.map((title) => title.replaceAll(/[^\w #-]/g, "").replaceAll(" ", "-"));
    const targets = [...readme.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(10);
    const dead = targets.filter((target) =>
      target.startsWith("#") ? !anchors.includes(target) : !existsSync(join(project, target)),
    );
    expect(dead).toEqual([]);
  });

  test("and its companions name files and scripts that are there", () => {
    const missing = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].flatMap((document) => {
      const text = readFileSync(join(project, document), "utf8");
      const files = [...text.matchAll(/\b(?:src|test|scripts|assets)\/[\w./-]*\w/g)].map(([path]) => path);
      const scripts = [...text.matchAll(/\bbun(?:@[\d.]+)? run ([a-z]+)/g)].map(([, name = ""]) => name);
      return [
        ...files.filter((path) => !/NN|^test\/output/.test(path) && !existsSync(join(project, path))),
        ...scripts.filter((name) => !Object.hasOwn(manifest.scripts, name)),
      ].map((name) => `${document}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  test("has a picture that loads quickly and is in no image", () => {
    expect(Bun.file(join(project, "assets/pictures/till.png")).size).toBeLessThan(150_000);
    expect(readFileSync(join(project, ".dockerignore"), "utf8").split("\n")).toContain("assets/pictures");
  });
});
