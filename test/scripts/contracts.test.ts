import { describe, expect, test } from "bun:test";
import factoryArtifact from "../../assets/contracts/artifacts/TillFactory.json";
import { artifactDir, compileAll } from "../../scripts/contracts.ts";
import { factoryCodeHash } from "../../src/domain/wallet/deposit-address.ts";
import { keccak256 } from "../../src/lib/crypto.ts";

const consequence =
  "EVERY DEPOSIT ADDRESS WOULD MOVE: the addresses on invoices that were already sent would no longer be " +
  "derived, and what is paid to them could not be settled. Undo the change of the contracts, the compiler, its " +
  "settings or OpenZeppelin; do not run `bun run contracts` to make this pass.";

describe("contract artifacts", () => {
  test("are byte for byte what the pinned compiler makes of the sources", async () => {
    const moved: string[] = [];
    for (const [file, text] of compileAll()) {
      if ((await Bun.file(new URL(file, artifactDir)).text()) !== text) moved.push(file);
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

  test("carry nothing of the machine they were made on", async () => {
    for (const file of compileAll().keys()) {
      expect(await Bun.file(new URL(file, artifactDir)).text()).not.toMatch(
        /node_modules|file:|\/(home|work|root|Users)\//,
      );
    }
  });
});
