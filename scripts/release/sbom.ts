import { readFileSync } from "node:fs";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import manifest from "../../package.json";

type Component = { "bom-ref": string; type: string; name: string; version?: string; purl?: string };
type Bom = {
  metadata: { timestamp?: string; component: Component };
  components: object[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};

const licensed = (id: string, file?: string) => [
  {
    license: {
      id,
      acknowledgement: "declared",
      ...(file === undefined ? {} : { text: { content: readFileSync(file, "utf8") } }),
    },
  },
];

/**
 * What is inside the executable and in no import: the runtime, what the browser's scripts are made of, the fonts, and
 * what the contracts were compiled with.
 */
const beside = [
  {
    type: "platform",
    name: "bun",
    version: Bun.version,
    purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}`,
    licenses: licensed("MIT"),
  },
  {
    type: "library",
    name: "@openzeppelin/contracts",
    version: manifest.devDependencies["@openzeppelin/contracts"],
    purl: `pkg:npm/%40openzeppelin/contracts@${manifest.devDependencies["@openzeppelin/contracts"]}`,
    licenses: licensed("MIT"),
  },
  {
    type: "library",
    name: "@simplewebauthn/browser",
    version: manifest.dependencies["@simplewebauthn/browser"],
    purl: `pkg:npm/%40simplewebauthn/browser@${manifest.dependencies["@simplewebauthn/browser"]}`,
    licenses: licensed("MIT", "node_modules/@simplewebauthn/browser/LICENSE.md"),
  },
  { type: "file", name: "Noto fonts", licenses: licensed("OFL-1.1", "assets/fonts/OFL.txt") },
  {
    type: "file",
    name: "Droid Sans Fallback",
    licenses: licensed("Apache-2.0", "assets/fonts/Apache-2.0.txt"),
  },
  { type: "file", name: "DejaVu Sans", licenses: licensed("Bitstream-Vera", "assets/fonts/DejaVu.txt") },
].map((component) => ({ "bom-ref": component.name, ...component }));

/**
 * The bill of materials of an executable, in CycloneDX JSON: every package that went into it, out of the metafile of its
 * build. The same metafile and time give the same text. Throws when the text does not fit CycloneDX's schema.
 */
export async function sbomOf(metafile: string, timestamp: string): Promise<string> {
  const made = Bun.spawnSync(
    [
      ...[process.execPath, "--bun", "cyclonedx-esbuild", "--output-reproducible", "--gather-license-texts"],
      ...["--spec-version=1.6", metafile],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  if (!made.success) throw new Error("cyclonedx-esbuild failed");
  const bom = JSON.parse(made.stdout.toString()) as Bom;
  bom.metadata.timestamp = timestamp;
  // Another package has this name among those of npm.
  delete bom.metadata.component.purl;
  bom.components.push(...beside);
  const self = bom.dependencies.find(({ ref }) => ref === bom.metadata.component["bom-ref"]);
  self?.dependsOn?.push(...beside.map((component) => component["bom-ref"]));
  bom.dependencies.push(...beside.map((component) => ({ ref: component["bom-ref"] })));
  const text = `${JSON.stringify(bom, null, 2)}\n`;
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (faults !== null) throw new Error(`The bill of materials is not valid: ${JSON.stringify(faults)}`);
  return text;
}
