import { expect, test } from "bun:test";
import { environment } from "../support/till/process.ts";

const module = `${import.meta.dir}/../../src/lib/memory.ts`;

/** Makes compiled code that nobody needs any more, and prints how many MB of it are resident some seconds later. */
const program = `
  const before = process.memoryUsage.rss();
  for (let i = 0; i < 6_000; i++) {
    const work = new Function("a", "let s = " + i + "; for (let j = 0; j < 40; j++) s += a * j + " + i + "; return [s, String(s)]");
    for (let run = 0; run < 30; run++) work(run);
  }
  const busy = process.memoryUsage.rss() - before;
  const deadline = performance.now() + 90_000;
  // Time itself: it must be idle.
  while (process.memoryUsage.rss() - before > busy / 2 && performance.now() < deadline) await Bun.sleep(100);
  console.log(process.memoryUsage.rss() - before <= busy / 2 ? "given back" : "kept");
`;

test("memory that a busy process took is given back when it is idle", async () => {
  // What is still being compiled on a busy machine is not given back, and there is no second time for it.
  const source = `import { giveBackMemoryWhenIdle } from ${JSON.stringify(module)};
    giveBackMemoryWhenIdle({ lookMs: 1_000 });${program}`;
  const child = Bun.spawn([process.execPath, "-e", source], {
    // Tests themselves collect garbage later.
    env: environment,
    stdout: "pipe",
    stderr: "inherit",
  });
  expect(await child.stdout.text()).toBe("given back\n");
  expect(await child.exited).toBe(0);
});

test("a process that may open no more files looks again later", async () => {
  const source = `
    import { openSync } from "node:fs";
    import { giveBackMemoryWhenIdle } from ${JSON.stringify(module)};
    giveBackMemoryWhenIdle({ lookMs: 100 });
    try { for (;;) openSync("/dev/null"); } catch {}
    // Time itself: in it there are some looks.
    await Bun.sleep(1_000);
    process.exit(0);`;
  const child = Bun.spawn(["sh", "-c", 'ulimit -n 64; exec "$@"', "sh", process.execPath, "-e", source], {
    stdout: "inherit",
    stderr: "pipe",
  });
  expect(await child.stderr.text()).toBe("");
  expect(await child.exited).toBe(0);
});
