import { afterEach, describe, expect, test } from "bun:test";
import { sleep } from "../../src/lib/loop.ts";
import { enter, world } from "../../src/lib/world.ts";

/** The command line has a terminal, and browsers have a world of their own. */
const elsewhere = /^src\/(cli\/|pages\/client\/|lib\/world\.ts$)/;

/** Ways to the clock, to chance, to the network, to the disk and to threads that go round the world. */
const ways = [
  /(?<![\w.])(Date\.now|new Date\(\)|performance\.now|Bun\.(sleep|nanoseconds)\b)/,
  /(?<![\w.])(set|clear)(Timeout|Interval|Immediate)\b|AbortSignal\.timeout/,
  /Math\.random|(?<![\w.])(randomBytes|randomInt|randomUUID|getRandomValues)\b|(?<!world)\.(getRandomValues|randomUUID)\(/,
  /(?<![\w.] )(?<![\w.])(fetch\((?!request)|new (WebSocket|Worker)\b|Bun\.(serve|connect|listen|dns|udpSocket)\b)/,
  /import (?!type )[^;]*\b(request|connect|createServer|lookup|resolve\w*|Worker|setTimeout)\b[^;]* from "node:(http|https|dns|net|worker_threads|timers)(\/promises)?"/,
  /(?<![\w.])(fdatasync|scrypt|pbkdf2)\(/,
];

describe("the world", () => {
  const system = { ...world };
  afterEach(() => enter(system));

  test("is the only way to what is outside of Till", async () => {
    const found: string[] = [];
    for await (const file of new Bun.Glob("src/**/*.{ts,tsx}").scan()) {
      if (elsewhere.test(file)) continue;
      const lines = (await Bun.file(file).text()).split("\n");
      for (const [at, line] of lines.entries()) {
        const code = line.replace(/^\s*(\/\*\*|\*|\/\/).*/, "");
        if (ways.some((way) => way.test(code))) found.push(`${file}:${at + 1}: ${line.trim()}`);
      }
    }
    expect(found).toEqual([]);
  });

  test("can be another one, to all who have imported it", async () => {
    const asked: number[] = [];
    enter({
      ...system,
      setTimeout(run, ms) {
        asked.push(ms);
        queueMicrotask(run);
        return { unref() {} };
      },
    });
    await sleep(3_600_000);
    expect(asked).toEqual([3_600_000]);
  });
});
