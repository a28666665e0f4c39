import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const contractsDir = join(import.meta.dir, "../../../assets/contracts");

/** Everything by which a contract hands control to another one, or creates one. */
const leaves =
  /\.(?:call|delegatecall|staticcall|transfer|send|safeTransfer\w*|callNoReturn|balanceOf|cloneDeterministic\w*)\b|\b(?:call|delegatecall|staticcall|create2?)\(|\bnew [A-Z]/;
const comment = /^\s*\/\/ /;
/** A comment may stand above an assembly block or an `if` around the call. */
const linesAboveMax = 8;

/** The lines with an external call, each with the comment above it; null where there is none. */
function externalCalls(name: string): { at: string; code: string; why: string | null }[] {
  const lines = readFileSync(join(contractsDir, name), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (/^\s*(?:\/\/|\*)/.test(line) || !leaves.test(line)) return [];
    const above = lines.slice(Math.max(0, index - linesAboveMax), index).reverse();
    const first = above.findIndex((text) => comment.test(text));
    const block = first === -1 ? [] : above.slice(first);
    const end = block.findIndex((text) => !comment.test(text));
    const words = block.slice(0, end === -1 ? block.length : end).reverse();
    const why = words.map((text) => text.trim().slice(3)).join(" ");
    return [{ at: `${name}:${index + 1}`, code: line.trim(), why: /^External/.test(why) ? why : null }];
  });
}

test("every call that leaves the contracts says why it is safe", () => {
  const calls = ["TillFactory.sol", "Forwarder.sol"].flatMap(externalCalls);
  for (const { at, code, why } of calls) console.log(`${at}  ${code}\n    ${why}`);
  expect(calls.map(({ at }) => at.split(":")[0])).toEqual([
    "TillFactory.sol",
    "TillFactory.sol",
    "TillFactory.sol",
    "Forwarder.sol",
    "Forwarder.sol",
    "Forwarder.sol",
  ]);
  expect(calls.filter(({ why }) => why === null)).toEqual([]);
});
