import { afterAll, afterEach, describe, expect, test } from "bun:test";
import {
  type Reaction,
  type ScriptedServer,
  type Stage,
  startScriptedServer,
} from "../../mail/scripted-server.ts";
import { endProcesses, type ServedTill, startServedTill } from "../../support/till/process.ts";
import { invoiceRequest, until } from "../../support/till/till.ts";

const noNode = { rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(endProcesses);

/** Kills a Till while its mail server hangs at `stage`, and starts it again with a server that is well. */
async function killAt(stage: Stage): Promise<{ till: ServedTill; server: ScriptedServer }> {
  const script: Partial<Record<Stage, Reaction>> = { [stage]: "hang" };
  const server = await startScriptedServer(script, []);
  stops.push(server.stop);
  const till = await startServedTill(noNode, {
    TILL_SMTP_URL: `smtp://localhost:${server.port}`,
    TILL_MAIL_FROM: "till@example.com",
    TILL_MAIL_ATTACH_PDF: "false",
  });
  stops.push(till.stop);
  // Nobody is there to answer it.
  const answer = till.api("POST", "/api/invoices", invoiceRequest).catch(() => null);
  const arrived = () =>
    stage === "content" ? server.contents.length > 0 : server.commands.some((line) => line.startsWith(stage));
  await until(arrived, Boolean, 30_000);
  await till.pause("SIGKILL");
  expect(await answer).toBeNull();
  delete script[stage];
  await till.resume();
  return { till, server };
}

/** The first invoice. */
const record = async (till: ServedTill) => (await till.api("GET", "/api/invoices")).body.data.at(-1);

describe("a Till that is killed while it mails an invoice", () => {
  test.each(["MAIL", "DATA"] as const)(
    "before the content leaves (%s) mails it after the start",
    async (stage) => {
      const { till, server } = await killAt(stage);
      const sent = await until(
        () => record(till),
        ({ sent_at }) => sent_at !== null,
        30_000,
      );
      expect(sent.status).toBe("sent");
      expect(server.contents).toHaveLength(1);
    },
  );

  test("while the server has the content does not repeat it, and says so", async () => {
    const { till, server } = await killAt("content");
    await until(till.output, (output) => output.includes("[mail.interrupted]"));
    // What would be repeated would go out before this.
    await till.api("POST", "/api/invoices", invoiceRequest);
    await until(
      () => server.contents,
      (contents) => contents.some((content) => content.includes("INV-0002")),
    );
    expect(server.contents).toHaveLength(2);
    expect(await record(till)).toMatchObject({ status: "draft", sent_at: null });
    const { warnings } = (await till.api("GET", "/health/ready")).body;
    expect(warnings.join("\n")).toMatch(
      /1 mail may or may not have arrived since \S+ \(INV-0001\): .*till send/,
    );
  });
});
