/**
 * Compiles assets/contracts/*.sol and writes the artifacts that Till uses: `bun run contracts`.
 *
 * The settings below and the version of the compiler are part of every deposit address. They are not tuned, and
 * they are not changed: the pre-Shanghai EVM is chosen so that the factory works on every chain where somebody
 * may have sent money by mistake, and no hash of metadata is appended, so that comments and paths leave no trace.
 */

import { createRequire } from "node:module";
import solc from "solc";

const sourceDir = new URL("../assets/contracts/", import.meta.url);
const artifactDir = new URL("artifacts/", sourceDir);

const contractNames = ["DevUsdc", "Forwarder", "Multicall3", "TillFactory"] as const;

const settings = {
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
};

interface Compiled {
  readonly abi: readonly unknown[];
  readonly evm: { readonly bytecode: { readonly object: string }; readonly deployedBytecode: { readonly object: string } };
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
}

/**
 * Compiles all contracts. Returns the text of each artifact by the name of its file.
 * Throws an Error with the compiler's own words on any error or warning.
 */
export async function compile(): Promise<ReadonlyMap<string, string>> {
  const sources: Record<string, { content: string }> = {};
  for (const name of contractNames) {
    sources[`${name}.sol`] = { content: await Bun.file(new URL(`${name}.sol`, sourceDir)).text() };
  }
  const outputSelection = { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } };
  const input = { language: "Solidity", sources, settings: { ...settings, outputSelection } };
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  if (output.errors?.length) throw new Error(output.errors.map((fault) => fault.formattedMessage).join("\n"));

  return new Map(contractNames.map((name) => [`${name}.json`, artifact(name, output)]));
}

function artifact(contractName: string, output: Output): string {
  const compiled = output.contracts?.[`${contractName}.sol`]?.[contractName];
  if (!compiled) throw new Error(`The compiler returned no ${contractName}`);
  const content = {
    contractName,
    compiler: solc.version(),
    settings,
    abi: compiled.abi,
    bytecode: `0x${compiled.evm.bytecode.object}`,
    deployedBytecode: `0x${compiled.evm.deployedBytecode.object}`,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Imported libraries are named by their package, never by where that package happens to lie on this machine. */
function readImport(path: string): { contents: string } | { error: string } {
  try {
    const file = createRequire(import.meta.url).resolve(path);
    return { contents: require("node:fs").readFileSync(file, "utf8") };
  } catch (error) {
    return { error: String(error) };
  }
}

if (import.meta.main) {
  for (const [file, text] of await compile()) {
    await Bun.write(new URL(file, artifactDir), text);
    console.log(`assets/contracts/artifacts/${file}`);
  }
}
