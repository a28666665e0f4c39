import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRenderer, RenderError, type Renderer } from "../../src/document/worker/renderer.ts";
import { startServedTill } from "../support/till/process.ts";
import { invoiceRequest, until } from "../support/till/till.ts";
import { pagesOf } from "./poppler.ts";
import { lines, sample } from "./sample.ts";

const { PATH } = process.env;
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

/** In MB, as Linux knows it: `VmRSS` now, `VmHWM` at the most so far. */
async function memoryOf(pid: number, row: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(new RegExp(`^${row}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1_024;
}

test("thirty invoices in Chinese that are asked for at once take less than 250 MB", async () => {
  const limits = { TILL_LIMIT_PDFS: "0", TILL_LIMIT_PDFS_AT_ONCE: "0" };
  const node = { rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" };
  const till = await startServedTill(node, limits);
  try {
    const line = { description: "设计与开发服务，包括网站维护和技术支持", quantity: 1, unit_price: "10.00" };
    const request = {
      ...invoiceRequest,
      vendor_name: "北京客户有限公司",
      notes: "感谢您的惠顾，请于到期日前付款。",
      line_items: Array.from({ length: 20 }, () => line),
      send_now: false,
    };
    const made = [];
    for (let i = 0; i < 30; i++) made.push((await till.api("POST", "/api/invoices", request)).body.pdf_url);
    const before = await memoryOf(till.pid, "VmRSS");
    const pdfs = await Promise.all(made.map(async (url) => (await fetch(url)).bytes()));
    for (const pdf of pdfs) expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe("%PDF-");
    expect((await memoryOf(till.pid, "VmHWM")) - before).toBeLessThan(250);
  } finally {
    await till.stop();
  }
});

describe("createRenderer", () => {
  test("gives each caller its own document when many ask at once", async () => {
    const numbers = ["INV-0001", "INV-0002", "INV-0003", "INV-0004"];
    const order: string[] = [];
    const pdfs = await Promise.all(
      numbers.map(async (number) => {
        const pdf = await shared.render({ ...sample, number });
        order.push(number);
        return pdf;
      }),
    );
    expect(order).toEqual(numbers);
    for (const [index, pdf] of pdfs.entries()) expect((await pagesOf(pdf))[0]).toContain(numbers[index]);
  });

  test("gives equal bytes for an equal document in another worker at another time", async () => {
    const document = { ...sample, lineItems: lines(30) };
    const once = await shared.render(document);
    await shared.render({ ...sample, merchantName: "Another" });
    const twice = await shared.render(structuredClone(document));
    // Time itself: a PDF that said when it was made would say another second.
    await Bun.sleep(1_100);
    const elsewhere = await started().render(structuredClone(document));
    expect(Buffer.compare(once, twice)).toBe(0);
    expect(Buffer.compare(once, elsewhere)).toBe(0);
  });

  test("leaves the caller's thread free while documents are written", async () => {
    await shared.render(sample);
    const [ofAll, own] = [process.cpuUsage(), process.threadCpuUsage()];
    for (let count = 0; count < 5; count++) await shared.render({ ...sample, lineItems: lines(30) });
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
    const renderer = started();
    const all = Array.from({ length: 300 }, () => failureOf(renderer.render(sample)));
    await renderer.stop();
    const reasons = await Promise.all(all);
    expect(reasons.filter((reason) => reason === "busy").length).toBe(300 - 257);
    expect(reasons.filter((reason) => reason === "stopped").length).toBe(257);
  });

  test("stops at once, also when nothing was ever written", async () => {
    const renderer = started();
    await renderer.stop();
    await renderer.stop();
    expect(await failureOf(renderer.render(sample))).toBe("stopped");
  });
});

const program = (renderer: string) => `
  import { createRenderer } from ${JSON.stringify(renderer)};
  const renderer = createRenderer();
  await Bun.write(process.argv[2], await renderer.render(await Bun.file(process.argv[3]).json()));
  if (process.argv[4] === "stop") await renderer.stop();
`;

describe("createRenderer in a program of its own", () => {
  async function runIn(command: string[]): Promise<Uint8Array> {
    const [output, input] = [join(directory, "out.pdf"), join(directory, "document.json")];
    await Bun.write(input, JSON.stringify(sample));
    const empty = join(directory, "empty");
    await mkdir(empty, { recursive: true });
    for (const last of ["stop", "go on"]) {
      const env = { PATH, TZ: "Asia/Tokyo" };
      const child = Bun.spawn([...command, output, input, last], {
        cwd: empty,
        env,
        stderr: "pipe",
      });
      expect(await child.stderr.text()).toBe("");
      expect(await child.exited).toBe(0);
    }
    return Bun.file(output).bytes();
  }

  test("gives the same bytes from source and from an executable, and keeps neither of them running", async () => {
    const main = join(directory, "main.ts");
    const executable = join(directory, "program");
    await Bun.write(main, program(join(sourceDirectory, "document/worker/renderer.ts")));
    const entries = [main, join(sourceDirectory, "document/worker/pdf-worker.ts")];
    const build = ["build", "--compile", "--root", sourceDirectory, ...entries, "--outfile", executable];
    const compiler = Bun.spawn([process.execPath, ...build], {
      stdout: "ignore",
      stderr: "pipe",
    });
    const complaints = await compiler.stderr.text();
    expect([await compiler.exited, complaints]).toEqual([0, expect.any(String)]);

    const fromExecutable = await runIn([executable]);
    const fromSource = await runIn([process.execPath, main]);
    const here = await started().render(sample);
    expect(Buffer.compare(fromExecutable, fromSource)).toBe(0);
    expect(Buffer.compare(fromExecutable, here)).toBe(0);
  });
});
