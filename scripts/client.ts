/**
 * Writes what `clients/typescript/` has of the API's description, and builds the package.
 *
 *   bun run client
 */
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { openApiDocument, operations } from "../src/http/docs/openapi.ts";

const home = join(import.meta.dir, "../clients/typescript");

/** Not for this client: payments need a wallet, and checks of health answer 503 with what is no problem document. */
const others = /^\/(x402|health)\//;

type Described = { responses: Record<string, object> };
type Document = {
  paths: Record<string, Record<string, Described>>;
  webhooks?: object;
  components: { responses?: object };
};

/** The files that are made, by their path in the package. */
export async function generated(): Promise<Record<string, string>> {
  const license = readFileSync(join(home, "../../LICENSE"), "utf8");
  return { "src/schema.ts": await schema(), "src/calls.ts": calls(), LICENSE: license };
}

/** Types of what is asked and answered. What is no success is an error of one type, so it is left out. */
async function schema(): Promise<string> {
  const document = openApiDocument("https://till.example", "") as Document;
  delete document.webhooks;
  delete document.components.responses;
  for (const [path, methods] of Object.entries(document.paths)) {
    if (others.test(path)) delete document.paths[path];
    for (const { responses } of Object.values(methods))
      for (const status of Object.keys(responses)) if (!status.startsWith("2")) delete responses[status];
  }
  const types = await openapiTS(JSON.stringify(document), { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return `// Made by bun run client.\n${astToString(types)}`;
}

function calls(): string {
  const once = operations.filter(({ once, path }) => once && !others.test(path));
  const names = once.map(({ method, path }) => `  "${method.toUpperCase()} ${path}",\n`);
  return `// Made by bun run client.\n\n/** The calls that take an Idempotency-Key. */\nexport const takesKey: readonly string[] = [\n${names.join("")}];\n`;
}

/** Makes the package in a directory: `dist/till-client.js`, its types, and what stands beside them. */
export async function buildClient(directory: string): Promise<void> {
  const dist = join(directory, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const built = await Bun.build({
    entrypoints: [join(home, "src/index.ts")],
    outdir: dist,
    naming: "till-client.js",
    format: "esm",
    target: "browser",
    minify: true,
  });
  if (!built.success) throw new Error(built.logs.join("\n"));
  const tsc = join(import.meta.dir, "../node_modules/typescript-native/bin/tsc");
  const typed = Bun.spawn(
    [
      process.execPath,
      tsc,
      "-p",
      home,
      "--rootDir",
      join(home, "src"),
      "--noEmit",
      "false",
      // Else it writes nothing twice, even when it is gone.
      "--incremental",
      "false",
      "--emitDeclarationOnly",
      "--declaration",
      "--outDir",
      dist,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const faults = await new Response(typed.stdout).text();
  if ((await typed.exited) !== 0) throw new Error(faults);
  if (directory !== home)
    for (const file of ["package.json", "README.md", "LICENSE"])
      cpSync(join(home, file), join(directory, file));
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generated())) await Bun.write(join(home, file), text);
  await buildClient(home);
}
