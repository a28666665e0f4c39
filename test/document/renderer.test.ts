import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRenderer, RenderError, type Renderer } from "../../src/document/worker/renderer.ts";
import { startServedTill } from "../support/till/process.ts";
import { invoiceRequest, startTestTill, until } from "../support/till/till.ts";
import { lines, sample } from "./sample.ts";

const unsteadyWorker = new URL("./fixtures/unsteady-worker.ts", import.meta.url).href;
const slowWorker = new URL("./fixtures/slow-worker.ts", import.meta.url).href;
const sourceDirectory = join(import.meta.dir, "../../src");

/** Of the tests that leave it well: its worker takes half a second to load. */
const shared = createRenderer();
afterAll(() => shared.stop());

const running: Renderer[] = [];
function started(...options: Parameters<typeof createRenderer>): Renderer {
  const renderer = createRenderer(...options);
  running.push(renderer);
  return renderer;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((renderer) => renderer.stop()));
});

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "till-document-"));
});
afterAll(() => rm(directory, { recursive: true }));

function failureOf(rendering: Promise<Uint8Array>) {
  return rendering.then(
    () => "rendered",
    (error) => (error instanceof RenderError ? error.failure.reason : error),
  );
}

describe("createRenderer", () => {
  test("gives each caller its own document when many ask at once", async () => {
    const renderer = started({ workerUrl: unsteadyWorker });
    const numbers = ["INV-0001", "INV-0002", "INV-0003", "INV-0004"];
    const order: string[] = [];
    const answers = await Promise.all(
      numbers.map(async (number) => {
        const bytes = await renderer.render({ ...sample, number });
        order.push(number);
        return new TextDecoder().decode(bytes);
      }),
    );
    expect([order, answers]).toEqual([numbers, numbers]);
  });

  test("leaves the caller's thread free while documents are written", async () => {
    await shared.render(sample);
    const [ofAll, own] = [process.cpuUsage(), process.threadCpuUsage()];
    for (let count = 0; count < 2; count++) await shared.render({ ...sample, lineItems: lines(30) });
    const worked = ({ user, system }: NodeJS.CpuUsage) => user + system;
    expect(worked(process.threadCpuUsage(own))).toBeLessThan(worked(process.cpuUsage(ofAll)) / 2);
  });

  test("fails for a document that cannot be written, and writes the next one", async () => {
    const tooLong = failureOf(shared.render({ ...sample, paymentUri: "x".repeat(5_000) }));
    const next = failureOf(shared.render(sample));
    expect(await tooLong).toBe("failed");
    expect(await next).toBe("rendered");
  });

  test("replaces a worker that crashes, and writes the document after all", async () => {
    const renderer = started({ workerUrl: unsteadyWorker });
    const document = { ...sample, number: "CRASH ONCE", notes: join(directory, "crashed") };
    const [crashed, next] = [failureOf(renderer.render(document)), failureOf(renderer.render(sample))];
    expect(await crashed).toBe("rendered");
    expect(await next).toBe("rendered");
    expect(await Bun.file(document.notes).exists()).toBe(true);
  });

  test.each(["CRASH", "EXIT"])(
    "gives up a document on which the worker crashes again: %s",
    async (number) => {
      const renderer = started({ workerUrl: unsteadyWorker });
      const [crashed, next] = [
        failureOf(renderer.render({ ...sample, number })),
        failureOf(renderer.render(sample)),
      ];
      expect(await crashed).toBe("crashed");
      expect(await next).toBe("rendered");
    },
  );

  test("replaces a worker that hangs", async () => {
    const renderer = started({ workerUrl: unsteadyWorker, timeLimitMs: 3_000 });
    const [hung, next] = [
      failureOf(renderer.render({ ...sample, number: "HANG" })),
      failureOf(renderer.render(sample)),
    ];
    expect(await hung).toBe("timed out");
    expect(await next).toBe("rendered");
  });

  test("does not count the time that a worker takes to load as the document's", async () => {
    const renderer = started({ workerUrl: slowWorker, timeLimitMs: 1_900 });
    expect(await failureOf(renderer.render(sample))).toBe("rendered");
  });

  test("gives up when no worker comes up in time", async () => {
    const renderer = started({ workerUrl: slowWorker, loadLimitMs: 200 });
    expect(await failureOf(renderer.render(sample))).toBe("timed out");
  });

  test("ends a worker that has nothing to do, and starts another when there is something again", async () => {
    const whoIn = (renderer: Renderer) => async () =>
      new TextDecoder().decode(await renderer.render({ ...sample, number: "WHO" }));
    const lasting = whoIn(started({ workerUrl: unsteadyWorker, idleMs: 600_000 }));
    expect(await lasting()).toBe(await lasting());
    const who = whoIn(started({ workerUrl: unsteadyWorker, idleMs: 1 }));
    const first = await who();
    await until(who, (next) => next !== first);
  });

  test("fails when the worker's file is missing", async () => {
    const renderer = started({ workerUrl: new URL("./fixtures/no-such-worker.ts", import.meta.url).href });
    expect(await failureOf(renderer.render(sample))).toBe("crashed");
  });

  test("refuses work when too much is waiting", async () => {
    const renderer = started({ workerUrl: unsteadyWorker });
    const all = Array.from({ length: 300 }, () => failureOf(renderer.render(sample)));
    await renderer.stop();
    const reasons = await Promise.all(all);
    expect(reasons.filter((reason) => reason === "busy").length).toBe(300 - 257);
    expect(reasons.filter((reason) => reason === "stopped").length).toBe(257);
  });

  test("stops at once, also when nothing was ever written", async () => {
    const renderer = started({ workerUrl: unsteadyWorker });
    await renderer.stop();
    await renderer.stop();
    expect(await failureOf(renderer.render(sample))).toBe("stopped");
  });
});

test("a program ends by itself, though its worker would take more documents for an hour", async () => {
  const main = join(directory, "main.ts");
  const source = `
    import { createRenderer } from ${JSON.stringify(join(sourceDirectory, "document/worker/renderer.ts"))};
    const renderer = createRenderer({ workerUrl: ${JSON.stringify(unsteadyWorker)}, idleMs: 3_600_000 });
    console.log(new TextDecoder().decode(await renderer.render({ number: "INV-0001" })));
  `;
  await Bun.write(main, source);
  const child = Bun.spawn([process.execPath, main], { stdout: "pipe", stderr: "inherit", timeout: 60_000 });
  expect(await child.stdout.text()).toBe("INV-0001\n");
  expect(await child.exited).toBe(0);
});

/** In MB, as Linux knows it: `VmRSS` now, `VmHWM` at the most so far. */
async function memoryOf(pid: number, row: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(new RegExp(`^${row}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1_024;
}

test("thirty invoices in Chinese at once take less than 250 MB, and are the same bytes from executable and source", async () => {
  const settings = { TILL_LIMIT_PDFS: "0", TILL_LIMIT_PDFS_AT_ONCE: "0", TZ: "Asia/Tokyo" };
  const node = { rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" };
  await using till = await startServedTill(node, settings);
  const line = { description: "设计与开发服务，包括网站维护和技术支持", quantity: 1, unit_price: "10.00" };
  const request = {
    ...invoiceRequest,
    vendor_name: "北京客户有限公司",
    notes: "感谢您的惠顾，请于到期日前付款。",
    line_items: Array.from({ length: 20 }, () => line),
    send_now: false,
  };
  const made: string[] = [];
  for (let i = 0; i < 30; i++) made.push((await till.api("POST", "/api/invoices", request)).body.pdf_url);
  const bytesOf = async (url = "") => Buffer.from(await (await fetch(url)).bytes());
  const before = await memoryOf(till.pid, "VmRSS");
  const pdfs = await Promise.all(made.map(bytesOf));
  for (const pdf of pdfs) expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect((await memoryOf(till.pid, "VmHWM")) - before).toBeLessThan(250);

  await till.pause("SIGTERM");
  const same = { TILL_DATA_DIR: till.dataDir, TILL_PORT: new URL(made[0] ?? "").port };
  await using fromSource = await startTestTill(node, same, { isDev: false });
  expect(fromSource.baseUrl).toBe(new URL(made[0] ?? "").origin);
  expect(Buffer.compare(await bytesOf(made.at(-1)), pdfs.at(-1) ?? Buffer.of())).toBe(0);
});
