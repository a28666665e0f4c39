import { describe, expect, test } from "bun:test";
import solc from "solc";
import forwarderArtifact from "../../assets/contracts/artifacts/Forwarder.json";
import factoryArtifact from "../../assets/contracts/artifacts/TillFactory.json";
import { artifactDir, compile, evmVersions, standardJson } from "../../scripts/contracts.ts";
import { factory, factoryCodeHash, implementation } from "../../src/domain/wallet/deposit-address.ts";
import { keccak256 } from "../../src/lib/crypto.ts";

const consequence =
  "EVERY DEPOSIT ADDRESS WOULD MOVE: the addresses on invoices that were already sent would no longer be " +
  "derived, and what is paid to them could not be settled. Undo the change of the contracts, the compiler, its " +
  "settings or OpenZeppelin; do not run `bun run contracts` to make this pass.";

const isEvery = process.env["TEST_EVERY"] === "yes";
/** Only a development chain has these; they take longest to compile. */
const ofDevelopment = ["DevUsdc", "Multicall3"];
const sourceOf = (name: string) => new URL(`../${name}.sol`, artifactDir);

/** As the pinned compiler makes them: those that hold money of the standard JSON alone, without any file. */
function compileAgain(): Record<string, object | undefined> {
  const input = standardJson();
  const { contracts } = JSON.parse(solc.compile(input));
  const { outputSelection: _, ...settings } = JSON.parse(input).settings;
  const ofMoney = ["TillFactory", "Forwarder"].map((contractName) => {
    const { abi, evm } = contracts[`${contractName}.sol`][contractName];
    const [bytecode, deployedBytecode] = [evm.bytecode, evm.deployedBytecode].map(
      ({ object }) => `0x${object}`,
    );
    return [
      contractName,
      { contractName, compiler: solc.version(), settings, abi, bytecode, deployedBytecode },
    ];
  });
  const others = Object.entries(evmVersions)
    .filter(([name]) => !ofMoney.some(([known]) => known === name))
    .filter(([name]) => isEvery || !ofDevelopment.includes(name))
    .map(([name, version]) => [name, compile(sourceOf(name), version).get(name)]);
  return Object.fromEntries([...ofMoney, ...others]);
}

const [push1, push32, selfBalance] = [0x60, 0x7f, 0x47];

describe("contract artifacts", () => {
  test("are byte for byte what the pinned compiler makes of the sources", async () => {
    const moved: string[] = [];
    for (const [name, artifact] of Object.entries(compileAgain())) {
      const text = await Bun.file(new URL(`${name}.json`, artifactDir)).text();
      if (text !== `${JSON.stringify(artifact, null, 2)}\n`) moved.push(name);
    }
    if (moved.length > 0)
      throw new Error(`${moved.join(", ")} differs from a fresh compilation. ${consequence}`);
    expect(moved).toEqual([]);
  });

  test("hold the factory's code whose hash the addresses are derived from", () => {
    const hash = Buffer.from(keccak256(Buffer.from(factoryArtifact.bytecode.slice(2), "hex"))).toString(
      "hex",
    );
    if (`0x${hash}` !== factoryCodeHash)
      throw new Error(`The factory's code has another hash. ${consequence}`);
    expect(`0x${hash}`).toBe(factoryCodeHash);
  });

  test("of the contracts that hold money know no caller, keep nothing, and hand nobody their place", () => {
    for (const { deployedBytecode } of [factoryArtifact, forwarderArtifact])
      expect(instructionsIn(deployedBytecode).intersection(forbidden)).toEqual(new Set());
  });

  test("have the addresses and the compiler that SECURITY.md names", async () => {
    const told = await Bun.file(new URL("../../SECURITY.md", import.meta.url)).text();
    const [version] = factoryArtifact.compiler.split("+");
    expect(told.match(/`0x[0-9a-fA-F]{40}`/g)).toEqual([`\`${factory}\``, `\`${implementation}\``]);
    expect(told).toContain(`Solidity ${version}`);
  });

  test("carry nothing of the machine they were made on", async () => {
    for (const name of Object.keys(evmVersions)) {
      const text = await Bun.file(new URL(`${name}.json`, artifactDir)).text();
      expect(text).not.toMatch(/node_modules|file:|\/(home|work|root|Users)\//);
    }
  });
});

/** ORIGIN, CALLER, storage, transient storage, CALLCODE, DELEGATECALL and SELFDESTRUCT; MCOPY and PUSH0 are too new. */
const forbidden = new Set([0x32, 0x33, 0x54, 0x55, 0x5c, 0x5d, 0xf2, 0xf4, 0xff, 0x5e, 0x5f]);
// Everything of the block.
for (let code = 0x40; code <= 0x4a; code++) if (code !== selfBalance) forbidden.add(code);

/** The instructions of a contract's code, without the data that some of them push. */
function instructionsIn(hex: string): Set<number> {
  const code = Buffer.from(hex.slice(2), "hex");
  const found = new Set<number>();
  for (let at = 0; at < code.length; at++) {
    const instruction = code[at] ?? 0;
    found.add(instruction);
    if (instruction >= push1 && instruction <= push32) at += instruction - push1 + 1;
  }
  return found;
}
