import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import manifest from "../../package.json";
import { build, commitOfBuild, platforms } from "../build.ts";
import { debianPlatforms, packageOf } from "./deb.ts";
import { sbomOf } from "./sbom.ts";
import { sumsFile, sumsOf } from "./sums.ts";

/**
 * Makes all files of a release in a directory but for the images and the signature, and returns what the executable says
 * that it is. The time is that of the commit, not of today: the same commit gives the same files.
 */
export async function makeFiles(directory: string, commitTime: string): Promise<string> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const metafile = "dist/metafile.json";
  const executable = await build({ metafile });
  const printed = Bun.spawnSync([executable, "--version"]).stdout.toString().trim();
  if (printed !== `till ${manifest.version} (${commitOfBuild()})`)
    throw new Error(`the executable says that it is "${printed}".`);

  await Bun.write(`${directory}/till.cdx.json`, await sbomOf(metafile, commitTime));
  for (const platform of platforms) await build({ platform, directory });
  for (const [platform, architecture] of Object.entries(debianPlatforms)) {
    const deb = await packageOf(`${directory}/till-${platform}`, architecture, Date.parse(commitTime) / 1000);
    await Bun.write(`${directory}/till_${manifest.version}_${architecture}.deb`, deb);
  }
  copyFileSync("LICENSE", `${directory}/LICENSE`);
  await Bun.write(`${directory}/${sumsFile}`, await sumsOf(directory));
  return printed;
}
