/**
 * Keeps the OpenAPI document of the version that this is, as `compatible.test.ts` compares it with those of later ones:
 * without what only people read. Once a version is released, its file stays.
 */
import { join } from "node:path";
import manifest from "../../../package.json";
import { entryOf } from "../../../scripts/release/changelog.ts";
import { openApiDocument } from "../../../src/http/docs/openapi.ts";
import { project } from "../../support/till/handbook.ts";

const forPeople = [
  "description",
  "summary",
  "example",
  "examples",
  "tags",
  "info",
  "servers",
  "x-payment-info",
];

/** Beside the names of fields, which may be the same words. */
export function withoutProse(node: unknown, areNames = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutProse(item));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => areNames || !forPeople.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, withoutProse(value, !areNames && name === "properties")]),
  );
}

export const documentNow = () => withoutProse(openApiDocument("https://pay.example", manifest.version));

if (import.meta.main) {
  const entry = entryOf(await Bun.file(join(project, "CHANGELOG.md")).text(), manifest.version);
  if (entry?.date) throw new Error(`${manifest.version} is released: what it promised stays as it is.`);
  const minor = manifest.version.split(".").slice(0, 2).join(".");
  const text = JSON.stringify(documentNow());
  await Bun.write(join(import.meta.dir, "kept", `${minor}.json.gz`), Bun.gzipSync(text, { level: 9 }));
}
