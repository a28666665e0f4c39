import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";

const file = `${import.meta.dir}/../../src/lib/priority.ts`;

/** The niceness of each thread of this process. */
const nicenesses = () =>
  readdirSync("/proc/self/task").map((thread) =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(") ")[1]?.split(" ")[16]),
  );

test("a thread goes after the others, which stay as they are", async () => {
  const source = `
    import { goAfterOtherThreads } from ${JSON.stringify(file)};
    goAfterOtherThreads();
    postMessage("done");`;
  const before = Math.max(...nicenesses());
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  await new Promise((resolve, reject) => {
    worker.addEventListener("message", resolve);
    worker.addEventListener("error", reject);
  });
  expect(nicenesses().filter((niceness) => niceness > before)).toHaveLength(1);
  worker.terminate();
});
