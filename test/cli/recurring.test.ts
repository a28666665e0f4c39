import { afterAll, expect, test } from "bun:test";
import { shared } from "../support/per-file.ts";
import { endProcesses, program } from "../support/till/process.ts";
import { callTill } from "../support/till/run-till.ts";
import { keys, startTerminal } from "../support/till/terminal.ts";
import { recurringRequest, startTestTill } from "../support/till/till.ts";

// Before Till ends.
afterAll(endProcesses);
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
let id: string;

const run = (...args: string[]) => callTill(["recurring", ...args], { env: { TILL_BASE_URL: till.baseUrl } });
const status = async () => (await till.api("GET", `/api/recurring/${id}`)).body.status;

test("till recurring lists and shows what repeats, for people and for programs", async () => {
  expect(await run("list")).toMatchObject({ exitCode: 0, stdout: "Nothing repeats yet.\n" });
  ({ id } = (await till.api("POST", "/api/recurring", { ...recurringRequest, every: { weeks: 5 } })).body);
  const { stdout } = await run("list");
  expect(stdout).toMatch(/^ID +STATUS +EVERY +NEXT +MADE +CUSTOMER\n/);
  expect(stdout).toMatch(new RegExp(`${id} +active +5 weeks +2090-01-31 +0 +Globex GmbH\n`));
  const [listed, shown] = [await run("list", "--json"), await run("show", id, "--json")];
  const { body } = await till.api("GET", `/api/recurring/${id}`);
  expect(JSON.parse(listed.stdout)).toEqual({ data: [body], has_more: false });
  expect(JSON.parse(shown.stdout)).toEqual(body);
  expect((await run("show", id)).stdout).toMatch(
    /Customer +Globex GmbH\nStatus +active\nEvery +5 weeks\n.*Until +no end\nNext +2090-01-31, 2090-03-07, /s,
  );
});

test("till recurring says that there are more than it lists", async () => {
  await till.api("POST", "/api/recurring", { ...recurringRequest, every: { weeks: 6 } });
  const more = "There are more: --limit COUNT shows that many, --all shows all of them.\n";
  expect((await run("list", "--limit", "1")).stdout).toMatch(
    new RegExp(`6 weeks(?!.*5 weeks).*\n${more}$`, "s"),
  );
  expect((await run("list", "--all")).stdout).toMatch(/6 weeks.*5 weeks.*GmbH\n$/s);
  expect(JSON.parse((await run("list", "--limit", "1", "--json")).stdout)).toMatchObject({ has_more: true });
  expect(await run("show", id, "--all")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("for the list"),
  });
});

test("till recurring pauses, resumes, and ends for good once somebody agrees", async () => {
  expect((await run("pause", id)).stdout).toBe(`${id}, for Globex GmbH, is paused; next: 2090-01-31.\n`);
  expect(await status()).toBe("paused");
  expect(JSON.parse((await run("resume", id, "--json")).stdout)).toMatchObject({ id, status: "active" });
  const unasked = await run("end", id);
  expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("use --yes to end") });
  const terminal = startTerminal([...program, "recurring", "end", id], {
    env: { TILL_BASE_URL: till.baseUrl },
  });
  await terminal.see(`End ${id}, for Globex GmbH, for good?`);
  terminal.type(keys.enter);
  await terminal.see("Nothing was ended.");
  expect(await terminal.exited).toBe(1);
  await terminal.stop();
  expect(await status()).toBe("active");
  expect((await run("end", id, "--yes")).stdout).toBe(`${id}, for Globex GmbH, is ended; next: none.\n`);
  expect(await status()).toBe("ended");
  expect(await run("resume", id)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("has ended"),
  });
});

test("till recurring says what is missing, and what is not there", async () => {
  for (const words of [[], ["list", "x"], ["show"], ["stop", id], ["show", id, "x"]])
    expect(await run(...words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("say what to do"),
    });
  expect(await run("show", "recurring_none")).toMatchObject({
    exitCode: 1,
    stderr: "till recurring: There is no invoice that repeats with this id.\n",
  });
});
