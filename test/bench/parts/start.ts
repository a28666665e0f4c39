/** From exec of the built executable to its first answer, and to "ready", which waits until the wallet is open. */
import { join } from "node:path";
import { startTestChain } from "../../support/chain/chain.ts";
import { ownPort } from "../../support/http/port.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { startProcess } from "../../support/till/process.ts";
import { storeInvoices } from "../fill.ts";
import { report, tillAtMost } from "../line.ts";
import { alternate, median } from "../rounds.ts";
import { buildPeer, buildTill, makeData, tillEnvironment } from "../server.ts";

const invoices = 100_000;
const rounds = 7;
const port = String(ownPort());
const answerMsMax = 30_000;

const dir = makeDataDir();
const hello = buildPeer("hello.ts", join(dir.path, "hello"));
const executable = buildTill();
const chain = await startTestChain();
const dataDir = join(dir.path, "data");
await makeData(dataDir, (db) => void storeInvoices(db, invoices));
const env = { ...tillEnvironment(chain, dataDir), TILL_PORT: port };

/** Until the first answer of any kind, in ms. */
async function firstAnswer(startedAt: number): Promise<number> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null);
    const took = performance.now() - startedAt;
    if (answer) return took;
    if (took > answerMsMax) throw new Error("no answer");
    await Bun.sleep(1);
  }
}

const answered: number[] = [];
async function startTill(): Promise<number> {
  const startedAt = performance.now();
  const till = startProcess([executable, "serve"], { env });
  answered.push(await firstAnswer(startedAt));
  await till.line((line) => line.includes("[ready]"));
  const ready = performance.now() - startedAt;
  await till.end();
  return ready;
}
async function startHello(): Promise<number> {
  const startedAt = performance.now();
  const bare = startProcess([hello], { env: { PORT: port } });
  const took = await firstAnswer(startedAt);
  await bare.end("SIGKILL");
  return took;
}

const measured = await alternate(rounds, { till: startTill, hello: startHello });
const beside = { name: "an executable of Bun that only answers", value: measured.hello };
const size = `with ${invoices.toLocaleString("en")} invoices`;
report({
  id: "start/ready",
  what: `exec to ready ${size}`,
  unit: "ms",
  till: measured.till,
  beside,
  // scrypt takes 350 ms of it on purpose: so long takes each guess at the passphrase.
  targets: [tillAtMost(600)],
});
report({
  id: "start/answer",
  what: `exec to the first answer ${size}`,
  unit: "ms",
  till: median(answered.slice(1)),
  beside,
  targets: [],
});
await chain.stop();
dir.remove();
