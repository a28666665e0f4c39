import { afterAll, describe, expect, test } from "bun:test";
import { type Reaction, type Stage, startScriptedServer } from "../../mail/scripted-server.ts";
import { shared } from "../../support/per-file.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, until } from "../../support/till/till.ts";

const noNode = { rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" };

/** Where the mail server falls silent; it knows none of the extensions. */
const script: Partial<Record<Stage, Reaction>> = {};
const server = shared(() => startScriptedServer(script, []));
const till = shared(() =>
  startServedTill(noNode, {
    TILL_SMTP_URL: `smtp://localhost:${server.port}`,
    TILL_MAIL_FROM: "till@example.com",
    TILL_MAIL_ATTACH_PDF: "false",
  }),
);
afterAll(endProcesses);

/** Kills Till while its mail server hangs at `stage` with an invoice, and starts it again with a server that is well. */
async function killAt(stage: Stage): Promise<void> {
  script[stage] = "hang";
  const arrived = () =>
    stage === "content"
      ? server.contents.length
      : server.commands.filter((line) => line.startsWith(stage)).length;
  const before = arrived();
  // Nobody is there to answer it.
  const answer = till.api("POST", "/api/invoices", invoiceRequest).catch(() => null);
  await until(arrived, (count) => count > before, 30_000);
  await till.pause("SIGKILL");
  expect(await answer).toBeNull();
  delete script[stage];
  await till.resume();
}

const record = async (number: string) =>
  (await till.api("GET", "/api/invoices")).body.data.find(
    (each: Record<string, string>) => each["invoice_number"] === number,
  );
const mailsOf = (number: string) => server.contents.filter((content) => content.includes(number)).length;

describe("a Till that is killed while it mails an invoice", () => {
  test.each([
    ["MAIL", "INV-0001"],
    ["DATA", "INV-0002"],
  ] as const)("before the content leaves (%s) mails it after the start", async (stage, number) => {
    await killAt(stage);
    const sent = await until(
      () => record(number),
      ({ sent_at }) => sent_at !== null,
      30_000,
    );
    expect(sent.status).toBe("sent");
    expect(mailsOf(number)).toBe(1);
  });

  test("while the server has the content does not repeat it, and says so", async () => {
    await killAt("content");
    await until(till.output, (output) => output.includes("[mail.interrupted]"));
    // What would be repeated would go out before this.
    await till.api("POST", "/api/invoices", invoiceRequest);
    await until(() => mailsOf("INV-0004"), Boolean);
    expect(mailsOf("INV-0003")).toBe(1);
    expect(await record("INV-0003")).toMatchObject({ status: "draft", sent_at: null });
    const { warnings } = (await till.api("GET", "/health/ready")).body;
    expect(warnings.join("\n")).toMatch(
      /1 mail may or may not have arrived since \S+ \(INV-0003\): .*till send/,
    );
  });
});
