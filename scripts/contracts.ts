/**
 * Compiles assets/contracts/*.sol and writes the artifacts that Till uses: `bun run contracts`. With `--standard-json` it
 * prints what a block explorer needs to verify the factory and the forwarder.
 *
 * The version of the compiler and the settings are part of every deposit address: they are never changed. No
 * hash of metadata is appended to the code, so that comments, paths and the order of files leave no trace in it.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import solc from "solc";

const sourceDir = new URL("../assets/contracts/", import.meta.url);
export const artifactDir = new URL("artifacts/", sourceDir);

/**
 * The contracts that hold money are compiled for the EVM as it was before Shanghai, because the factory should
 * work on every chain where somebody sends money by mistake; so is what is only simulated there. The others only ever
 * run on a development chain, and OpenZeppelin's need Cancun.
 */
export const evmVersions = {
  TillFactory: "paris",
  Forwarder: "paris",
  TraceFinder: "paris",
  Holdings: "paris",
  DevUsdc: "cancun",
  Multicall3: "cancun",
} as const;

interface Compiled {
  readonly abi: readonly unknown[];
  readonly evm: Readonly<Record<"bytecode" | "deployedBytecode", { readonly object: string }>>;
}

interface Output {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
}

/** What `assets/contracts/artifacts/<contractName>.json` holds. */
export interface Artifact {
  readonly contractName: string;
  readonly compiler: string;
  readonly settings: object;
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  readonly deployedBytecode: `0x${string}`;
}

/**
 * Compiles the contracts that have an artifact. Returns the text of each artifact by its file name.
 * Throws what `compile` throws.
 */
function compileAll(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, evmVersion] of Object.entries(evmVersions)) {
    const artifact = compile(new URL(`${name}.sol`, sourceDir), evmVersion).get(name);
    texts.set(`${name}.json`, `${JSON.stringify(artifact, null, 2)}\n`);
  }
  return texts;
}

const compiled = new Map<string, ReadonlyMap<string, Artifact>>();

/**
 * Compiles one file, once in a process: it takes up to a second. Returns each contract in it by its name.
 * Throws an Error in the compiler's own words on any error or warning.
 */
export function compile(file: URL, evmVersion: string): ReadonlyMap<string, Artifact> {
  const key = `${evmVersion} ${file.href}`;
  const known = compiled.get(key) ?? compileAnew(file, evmVersion);
  compiled.set(key, known);
  return known;
}

const settingsFor = (evmVersion: string) => ({
  evmVersion,
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
});
const outputs = { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] };

function compileAnew(file: URL, evmVersion: string): ReadonlyMap<string, Artifact> {
  const settings = settingsFor(evmVersion);
  const source = basename(file.pathname);
  const input = {
    language: "Solidity",
    sources: { [source]: { content: readFileSync(file, "utf8") } },
    settings: { ...settings, outputSelection: { [source]: outputs } },
  };
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  if (output.errors?.length) throw new Error(output.errors.map((fault) => fault.formattedMessage).join("\n"));
  return new Map(
    Object.entries(output.contracts?.[source] ?? {}).map(([contractName, { abi, evm }]) => [
      contractName,
      {
        contractName,
        compiler: solc.version(),
        settings,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
      },
    ]),
  );
}

/** The compiler's whole input for the factory and the forwarder, with every file that they import. */
export function standardJson(): string {
  const language = "Solidity";
  const source = "TillFactory.sol";
  const sources = { [source]: { content: readFileSync(new URL(source, sourceDir), "utf8") } };
  const files = new Map(Object.entries(sources));
  function readOnce(path: string) {
    const found = readImport(path);
    if ("contents" in found) files.set(path, { content: found.contents });
    return found;
  }
  solc.compile(JSON.stringify({ language, sources }), { import: readOnce });
  const outputSelection = { [source]: outputs, "Forwarder.sol": outputs };
  const settings = { ...settingsFor(evmVersions.TillFactory), outputSelection };
  return JSON.stringify({ language, sources: Object.fromEntries(files), settings }, null, 2);
}

/** Finds what a contract imports: a contract beside it, or a file of a package. */
function readImport(path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith("@")
      ? createRequire(import.meta.url).resolve(path)
      : new URL(path, sourceDir);
    return { contents: readFileSync(file, "utf8") };
  } catch (error) {
    return { error: String(error) };
  }
}

if (import.meta.main && process.argv.includes("--standard-json")) {
  console.log(standardJson());
} else if (import.meta.main) {
  for (const [file, text] of compileAll()) {
    await Bun.write(new URL(file, artifactDir), text);
    console.log(`assets/contracts/artifacts/${file}`);
  }
}
