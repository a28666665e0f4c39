import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../../package.json";
import { entryOf, lowestSecure } from "../../scripts/release/changelog.ts";
import { sbomOf } from "../../scripts/release/sbom.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { project } from "../support/till/handbook.ts";

const dir = makeDataDir();
afterAll(() => dir.remove());

const changelog =
  "# Changes\n\n## [1.1.0] - 2027-01-02\n\n- New.\n\n## [1.0.0] - not yet released\n\n- Old.\n";

describe("the entry of a version", () => {
  test("has its date and what changed, up to the next version", () => {
    expect(entryOf(changelog, "1.1.0")).toEqual({ date: "2027-01-02", notes: "- New." });
    expect(entryOf(changelog, "1.0.0")).toEqual({ date: null, notes: "- Old." });
  });

  test("is missing when there is none, or when it says nothing", () => {
    expect(entryOf(changelog, "1.0")).toBeNull();
    expect(entryOf("# Changes\n\n## [1.0.0] - 2027-01-02\n\n## [0.9.0]\n\n- Old.\n", "1.0.0")).toBeNull();
  });

  test("is there for the version that this is", () => {
    expect(entryOf(readFileSync(join(project, "CHANGELOG.md"), "utf8"), manifest.version)).not.toBeNull();
  });
});

describe("the lowest version without a known security hole", () => {
  const named = (...versions: string[]) =>
    versions.map((version) => `Lowest version without a known security hole: ${version}\n`).join("\n");

  test("is named once, as a version", () => {
    expect(lowestSecure(`# Changes\n\n${named("1.2.1")}`)).toBe("1.2.1");
    for (const text of ["# Changes\n", named("1.2"), named("1.2.1", "1.2.2")])
      expect(lowestSecure(text)).toBeNull();
  });

  test("is named of this project, and is no later one than this", () => {
    const lowest = lowestSecure(readFileSync(join(project, "CHANGELOG.md"), "utf8")) ?? "none";
    expect(Bun.semver.order(lowest, manifest.version)).not.toBe(1);
  });
});

describe("bun run release", () => {
  const clone = join(dir.path, "clone");
  const env = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@till.example"];
    const { success, stderr } = Bun.spawnSync(["git", ...identity, ...args], {
      cwd: clone,
      env,
      stderr: "pipe",
    });
    if (!success) throw new Error(stderr.toString());
  };
  const lowest = `Lowest version without a known security hole: ${manifest.version}\n`;
  const write = (text: string) =>
    writeFileSync(join(clone, "CHANGELOG.md"), text.replace("# Changes\n", `# Changes\n\n${lowest}`));
  const commit = () => git("commit", "-qam", "Change");
  const refusal = (...args: string[]) => {
    const ran = Bun.spawnSync([process.execPath, "scripts/release.ts", ...args], {
      cwd: clone,
      env,
      stderr: "pipe",
    });
    expect(ran.exitCode).toBe(1);
    return ran.stderr.toString();
  };
  const dated = `## [${manifest.version}] - 2027-01-02\n\n- New.\n`;

  beforeAll(() => {
    for (const file of [
      "package.json",
      "scripts/release.ts",
      "scripts/build.ts",
      "scripts/release/changelog.ts",
    ]) {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      copyFileSync(join(project, file), join(clone, file));
    }
    write(`# Changes\n\n${dated}`);
    git("init", "-q");
    git("add", ".");
    commit();
  });

  test("refuses a commit without the tag of the version", () => {
    expect(refusal()).toContain(`no tag v${manifest.version}`);
    git("tag", "v9.9.9");
    expect(refusal()).toContain(`no tag v${manifest.version}`);
  });

  test("refuses to make executables that do not know where their releases are", () => {
    git("tag", `v${manifest.version}`);
    expect(refusal()).toContain("TILL_BUILD_RELEASES is not set");
    git("tag", "-d", `v${manifest.version}`);
  });

  test("refuses changes that are not committed, a new file too", () => {
    writeFileSync(join(clone, "new"), "");
    expect(refusal()).toContain("not committed");
    git("clean", "-fdq");
    write(`# Changes\n\n${dated}\n- More.\n`);
    expect(refusal("--rehearse")).toContain("not committed");
    git("checkout", "-q", ".");
  });

  test("refuses a version of which the changes are not told, or not dated", () => {
    write(`# Changes\n\n${dated.replace("2027-01-02", "not yet released")}`);
    commit();
    expect(refusal()).toContain("has no date");
    write("# Changes\n\n## [0.0.1] - 2027-01-02\n\n- Old.\n");
    commit();
    expect(refusal("--rehearse")).toContain("does not say what changes");
  });

  test("refuses to name as secure what is not released yet, or nothing", () => {
    for (const [text, reason] of [
      [`# Changes\n\nLowest version without a known security hole: 99.0.0\n\n${dated}`, "calls 99.0.0"],
      [`# Changes\n\n${dated}`, "does not name"],
    ] as const) {
      writeFileSync(join(clone, "CHANGELOG.md"), text);
      commit();
      for (const args of [["--rehearse"], ["--sign"]]) expect(refusal(...args)).toContain(reason);
    }
  });

  test("names the commit in the same way in every clone, however many objects that has", () => {
    const script = 'import { commitOfBuild } from "./scripts/build.ts"; console.log(commitOfBuild());';
    const names = ["7", "20"].map((digits) => {
      // Git's own choice grows with the number of objects.
      git("config", "core.abbrev", digits);
      return Bun.spawnSync([process.execPath, "-e", script], { cwd: clone, env }).stdout.toString();
    });
    expect(names[0]).toMatch(/^[0-9a-f]{12}\b/);
    expect(names[1]).toBe(names[0]);
  });
});

describe("the bill of materials", () => {
  test("names what is inside the executable and nothing else, valid by CycloneDX's schema", async () => {
    const metafile = join(dir.path, "metafile.json");
    const outdir = join(dir.path, "out");
    const built = Bun.spawnSync(
      [
        ...[process.execPath, "build", "--target=bun", "--splitting", `--outdir=${outdir}`],
        ...[`--metafile=${metafile}`, "src/main.ts", "src/document/worker/pdf-worker.ts"],
      ],
      { cwd: project, stdio: ["ignore", "ignore", "inherit"] },
    );
    expect(built.success).toBe(true);
    const text = await sbomOf(metafile, "2027-01-02T00:00:00Z");

    const { metadata, components } = JSON.parse(text);
    expect(metadata).toMatchObject({
      timestamp: "2027-01-02T00:00:00Z",
      component: { name: "till", version: manifest.version },
    });
    expect(metadata.component).not.toHaveProperty("purl");
    const named = components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    );
    const { inputs } = JSON.parse(readFileSync(metafile, "utf8"));
    const bundled = Object.keys(inputs).flatMap((path) => {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      return name === undefined ? [] : [name];
    });
    const beside = [
      "bun",
      "@simplewebauthn/browser",
      "@openzeppelin/contracts",
      "Noto fonts",
      "Droid Sans Fallback",
      "DejaVu Sans",
    ];
    expect(bundled).toContain("elysia");
    expect([...new Set(named)].sort()).toEqual([...new Set([...bundled, ...beside])].sort());
    for (const licence of new Bun.Glob("assets/fonts/*.txt").scanSync(project))
      expect(text).toContain(JSON.stringify(readFileSync(join(project, licence), "utf8")));
  });
});
