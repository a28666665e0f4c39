import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { platforms } from "../../scripts/build.ts";
import { debianPlatforms } from "../../scripts/release/deb.ts";
import { project } from "../support/till/handbook.ts";

type Step = { uses?: string; run?: string; env?: Record<string, string> };
type Job = {
  permissions?: object;
  container?: { image: string };
  environment?: string;
  needs?: string | string[];
  strategy?: { matrix: { include: { file: string }[] } };
  uses?: string;
  steps?: Step[];
};
type Workflow = { permissions: object; jobs: Record<string, Job> };

const workflows = Object.fromEntries(
  [...new Bun.Glob("*.yml").scanSync(join(project, ".github/workflows"))].map((file) => [
    file,
    Bun.YAML.parse(readFileSync(join(project, ".github/workflows", file), "utf8")) as Workflow,
  ]),
);
const jobs = Object.values(workflows).flatMap((workflow) => Object.values(workflow.jobs));
const steps = jobs.flatMap((job) => job.steps ?? []);
const { build, again, images, try: tried, release } = workflows["release.yml"]?.jobs ?? {};
const bun = `npx -y bun@${manifest.engines.bun}`;

/** The pinned names of images in scripts, and in the file that describes the image. */
const texts = ["Dockerfile", "scripts/release/try.sh", "scripts/release/image.sh"].map((file) =>
  readFileSync(join(project, file), "utf8"),
);

describe("the workflows", () => {
  test("call scripts that can be run", () => {
    for (const { run = "" } of steps)
      for (const [file] of run.matchAll(/\S*scripts\/\S+\.sh/g))
        expect(statSync(join(project, file)).mode & 0o111).toBe(0o111);
    for (const [index, file] of texts
      .flatMap((text) => [...text.matchAll(/scripts\/[\w./-]+\.(?:sh|ts)/g)])
      .entries())
      expect([index, existsSync(join(project, file[0]))]).toEqual([index, true]);
  });

  test("may only read, except the jobs that publish", () => {
    expect(Object.keys(workflows).sort()).toEqual(["checks.yml", "publish.yml", "release.yml"]);
    for (const { permissions } of Object.values(workflows)) expect(permissions).toEqual({ contents: "read" });
    const more = jobs.flatMap((job) => (job.permissions === undefined ? [] : [job.permissions]));
    expect(more).toContainAllValues([
      { contents: "read", packages: "write" },
      { contents: "write", "id-token": "write", attestations: "write" },
    ]);
    expect(more).toHaveLength(2);
  });

  test("take the code of others by its hash", () => {
    const used = [...jobs, ...steps].flatMap(({ uses }) => (uses?.startsWith("./") === false ? [uses] : []));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const named = texts.flatMap((text) => [...text.matchAll(/^(?:FROM (?:--\S+ )?|\w+=)(\w+:[\w.-]+\S*)/gm)]);
    expect(named.length).toBe(4);
    const contained = jobs.flatMap(({ container }) => (container === undefined ? [] : [container.image]));
    const all = [...contained, ...named.map(([, image = ""]) => image)];
    expect(all.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  });
});

describe("a release", () => {
  test("is signed once it was built twice and every artifact was tried", () => {
    expect([build?.needs, again?.needs, images?.needs, tried?.needs]).toEqual([
      "checks",
      "build",
      "build",
      ["build", "images"],
    ]);
    expect(release?.needs).toEqual(["build", "again", "images", "try"]);
    const runs = (job: Job | undefined) => job?.steps?.map(({ run }) => run);
    expect(runs(again)).toContain("diff first/release/SHA256SUMS another/place/dist/release/SHA256SUMS");
    expect(runs(release)).toContain(
      'gh release create "$GITHUB_REF_NAME" --draft --verify-tag --notes-file dist/NOTES.md dist/release/*',
    );
    const files = tried?.strategy?.matrix.include.map(({ file }) => file).sort();
    const architectures = Object.values(debianPlatforms);
    expect(files).toEqual(
      [
        ...platforms.map((platform) => `till-${platform}${platform.startsWith("windows") ? ".exe" : ""}`),
        ...architectures.map((architecture) => `till_*_${architecture}.deb`),
        ...architectures.map((architecture) => `till-image-${architecture}.tar.gz`),
      ].sort(),
    );
  });

  test("shows its key to the one command that signs", () => {
    const withKey = steps.filter((step) => JSON.stringify(step).includes("MINISIGN_KEY"));
    expect(withKey.map(({ run }) => run)).toEqual([`${bun} scripts/release.ts --sign`]);
    expect(release?.environment).toBe("release");
  });
});
