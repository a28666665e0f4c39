import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameHere } from "../../src/update/machine.ts";
import { look, update } from "../../src/update/update.ts";
import { hurry } from "../support/hurry.ts";
import { endProcesses, startProcess } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";
import { fakeTill, makeStand, quiet, type Stand } from "./stand.ts";

hurry();

let stand: Stand;
afterEach(async () => {
  await endProcesses();
  stand.remove();
});

/** Updates in a process of its own, which says each step and ends at this one, as if it were killed. */
function victim(step: number, from: string) {
  const file = join(stand.dir, "victim.ts");
  const source = (name: string) => join(import.meta.dir, "../../src/update", name);
  writeFileSync(
    file,
    `import { look, update } from "${source("update.ts")}";
     import { serviceOf } from "${source("machine.ts")}";
     import { dataDirAt } from "${source("owner.ts")}";
     import { readKeys } from "${source("minisign.ts")}";
     const wish = { from: "${from}", version: null, releases: null, keys: readKeys("${stand.signer.publicKey}") };
     const [file, systemctl] = ["${stand.file}", "${stand.systemctl}"];
     const target = { file, version: "1.0.0", data: dataDirAt("${stand.dataDir}"), systemctl, waitMs: 400,
       service: serviceOf(file, systemctl) };
     let steps = 0;
     await update(target, await look("1.0.0", wish), (text) => {
       console.log(text);
       if (steps++ === ${step}) process.kill(process.pid, "SIGKILL");
     });`,
  );
  return startProcess([process.execPath, file]);
}

/** One of the two is in place and runs, and the next update leaves nothing of the one before. */
async function isWhole(): Promise<string> {
  const found = stand.installed();
  expect(["1.0.0", "1.2.3"]).toContain(found);
  stand.start();
  await until(stand.answers, (version) => version === found);
  stand.publish({ version: "1.2.4", executable: fakeTill({ version: "1.2.4" }) });
  const target = { ...stand.target({ served: true }), version: found };
  expect(await update(target, await look(found, stand.wish()), quiet)).toMatchObject({ kind: "runs" });
  expect(stand.beside().filter((name) => !name.startsWith(".till.update-lock"))).toEqual([
    "till",
    "till.before-update",
  ]);
  expect(stand.copies().every((name) => /^till\.db\.before-update-1\.2\.[34]$/.test(name))).toBe(true);
  return found;
}

/** What an update to a version that is not well says before it does it. */
const steps = [
  ...["Downloading", "Asking", "Copying", "Replacing", "Restarting", "is not well", "Stopping"],
  "Putting",
];

test.each(steps.map((text, at) => [text, at] as const))(
  "killed at '%s', the old or the new version runs afterwards",
  async (text, at) => {
    stand = makeStand();
    stand.start();
    await until(stand.answers, (version) => version === "1.0.0");
    // The new one is well, but too late: its process is slow.
    stand.publish({
      version: "1.2.3",
      executable: fakeTill({ version: "1.2.3", does: "Bun.sleepSync(1500)" }),
    });
    const child = victim(at, stand.releaseDir);
    await child.exited;
    const said = child.stdout().trim().split("\n");
    expect([said.length, said.at(-1)]).toEqual([at + 1, expect.stringContaining(text)]);
    Bun.spawnSync([stand.systemctl, "stop"]);
    expect(await isWhole()).toBe(at <= 3 ? "1.0.0" : "1.2.3");
  },
);

test("killed in the middle of the download, the old version runs afterwards", async () => {
  stand = makeStand();
  stand.publish({ version: "1.2.3", executable: fakeTill({ version: "1.2.3" }) });
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      if (name !== nameHere()) return new Response(Bun.file(join(stand.releaseDir, name)));
      const beginning = new Uint8Array(100_000);
      return new Response(
        new ReadableStream({
          pull(controller) {
            controller.enqueue(beginning);
            return new Promise(() => {});
          },
        }),
      );
    },
  });
  const child = victim(-1, server.url.href);
  await until(
    async () => stand.beside(),
    (names) => names.some((name) => /^\.till\.update-\w{8}$/.test(name)),
  );
  await child.end("SIGKILL");
  expect(await isWhole()).toBe("1.0.0");
});
