import { expect, test } from "bun:test";
import { sleepsIn } from "../../scripts/sleeps.ts";

/** In two parts, as this file is checked too. */
const sleep = `await ${["Bun", "sleep"].join(".")}(500);`;
const timer = `await ${["new Promise((resolve) => set", "Timeout(resolve, 500))"].join("")};`;

test("a test that sleeps is found, unless it says why on that line or the one above", () => {
  for (const [text, lines] of [
    [`wake();\n${sleep}\nexpect(woken).toBe(true);`, [2]],
    [`${timer}\n${sleep}`, [1, 2]],
    [`look().catch(() => ${sleep})`, [1]],
    [`// Time itself: the lock is held so long.\n${sleep}`, []],
    [`${sleep} // Time itself: the lock is held so long.`, []],
    [`isHeld\n? // Time itself: the lock is held so long.\n${sleep}\n: null`, []],
    // For which of them, or no reason at all.
    [`// Time itself: the lock is held so long.\n\n${sleep}`, [3]],
    [`// Time itself: the lock is held so long.\n${sleep}\n${sleep}`, [3]],
    [`// Time itself:\n${sleep}`, [2]],
    [`// It needs a moment.\n${sleep}`, [2]],
    ["until(() => woken, Boolean);\nBun.sleepSync(5);", []],
  ] as const)
    expect([text, sleepsIn(text)]).toEqual([text, lines] as never);
});
