import { afterAll, describe, expect, test } from "bun:test";
import { certificateWarnings } from "../../src/doctor/mail-findings.ts";
import { createProxyWatch } from "../../src/http/access/guard.ts";
import { parseIpRanges } from "../../src/lib/net/host.ts";
import { clockWarning, initialHealth, reduce } from "../../src/watch/node-health.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { makeCertificates } from "../support/http/certificates.ts";
import { startSmtpServer } from "../support/mail/smtp-server.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { endProcesses, startServedTill } from "../support/till/process.ts";
import { runTill } from "../support/till/run-till.ts";
import { type Answer, invoiceRequest, startTestTill, until } from "../support/till/till.ts";

afterAll(endProcesses);

const noNode = { rpcUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" };
type Asked = { api(method: string, path: string): Promise<Answer> };

/** What the report of health says of it. */
async function said(till: Asked, about: RegExp) {
  const { warnings = [] } = (await till.api("GET", "/health/ready")).body as { warnings?: string[] };
  return warnings.filter((warning) => about.test(warning));
}
const titles = (html: string) => [...html.matchAll(/<h3[^>]*>([^<]*)</g)].map(([, title]) => title);

describe("a mail server's certificate that ends soon", () => {
  test("is told of by health and by the doctor, whether TLS begins at once or later", async () => {
    using certificates = { ...makeCertificates(), [Symbol.dispose]: () => certificates.remove() };
    const old = certificates.issueOld("localhost", 50);
    const servers = await Promise.all([false, true].map((secure) => startSmtpServer({ ...old, secure })));
    const [later, atOnce] = servers.map(({ port }) => port);
    const mail = (url: string) => ({
      TILL_SMTP_URL: url,
      TILL_MAIL_FROM: "till@example.com",
      NODE_EXTRA_CA_CERTS: certificates.caFile,
    });
    const till = await startServedTill(noNode, mail(`smtp://localhost:${later}`));
    try {
      await till.api("POST", "/api/invoices", invoiceRequest);
      const warnings = await until(
        () => said(till, /certificate/),
        (found) => found.length > 0,
      );
      expect(warnings).toEqual([
        expect.stringMatching(/^the mail server's certificate ends at 20\S+Z; renew it/),
      ]);
      const env = {
        TILL_CHAIN: "anvil",
        TILL_RPC_URL: noNode.rpcUrl,
        TILL_DATA_DIR: till.dataDir,
        TILL_WALLET_PASSPHRASE: passphrase,
        ...mail(`smtps://localhost:${atOnce}`),
      };
      const { stdout } = await runTill(["doctor", "--json"], { env });
      const findings = JSON.parse(stdout).findings as { check: string; level: string; message: string }[];
      expect(findings.filter(({ message }) => message.includes("certificate"))).toEqual([
        expect.objectContaining({ check: "mail", level: "warning" }),
      ]);
    } finally {
      await till.stop();
      for (const server of servers) await server.stop();
    }
  });

  test("is one with less than 14 days, or a sixth of its time, to go", () => {
    const day = 86_400_000;
    const isTold = (days: number, left: number) =>
      certificateWarnings({ from: 0, to: days * day }, (days - left) * day).length > 0;
    expect([isTold(90, 15), isTold(90, 13), isTold(365, 15), isTold(365, 13)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([isTold(6, 2), isTold(6, 0.9), isTold(6, -1)]).toEqual([false, true, true]);
    expect(certificateWarnings(null, 0)).toEqual([]);
  });
});

describe("a wrong clock", () => {
  test("that is behind is told of by a running Till, in health and on Home", async () => {
    const chain = await startTestChain();
    const till = await startTestTill(chain, {}, { now: () => Date.now() - 120_000 });
    try {
      await till.createInvoice();
      const warnings = await until(
        () => said(till, /clock/),
        (found) => found.length > 0,
      );
      expect(warnings).toEqual([
        expect.stringMatching(/^this machine's clock is \d+ s behind the newest block/),
      ]);
      expect(titles((await till.api("GET", "/desk")).body)).toContain("The machine’s clock seems wrong");
    } finally {
      await till.stop();
      await chain.stop();
    }
  });

  /** What is said after blocks that were read every ten seconds, each so old. */
  const after = (agesMs: number[], waitMs = 0) => {
    let state = initialHealth(0);
    for (const [index, headAgeMs] of agesMs.entries())
      state = reduce(state, { kind: "reached", headAgeMs }, index * 10_000);
    return clockWarning(state, (agesMs.length - 1) * 10_000 + waitMs);
  };
  test("that is ahead shows in new blocks that are all as old, and not in a chain that stands still", () => {
    const tens = Array.from({ length: 10 }, (_, index) => index);
    expect(after(tens.map(() => 2_000))).toBeNull();
    expect(after(tens.map(() => 300_000))).toContain("always 300 s old: this machine's clock is ahead");
    expect(after(tens.slice(0, 3).map(() => 300_000))).toBeNull();
    expect(after(tens.map((index) => 300_000 + index * 10_000))).toBeNull();
    expect(after(tens.map((index) => 900_000 - index * 60_000))).toBeNull();
  });

  test("is told of no longer once it was set, or when nothing has been read for a while", () => {
    expect(after([-60_000])).toContain("60 s behind");
    expect(after([-60_000, 2_000])).toBeNull();
    expect(after([-60_000], 600_000)).toBeNull();
    expect(after([-20_000])).toBeNull();
  });
});

describe("a proxy that TILL_TRUST_PROXY does not name", () => {
  const forwarded = { "x-forwarded-for": "198.51.100.1" };

  test("is told of when every request comes through it, and another one is named", async () => {
    const till = await startTestTill(noNode, { TILL_TRUST_PROXY: "10.0.0.0/8" });
    const ask = async (times: number) => {
      for (let time = 0; time < times; time++) await till.api("GET", "/desk", undefined, forwarded);
    };
    try {
      await till.createInvoice();
      await ask(19);
      expect(await said(till, /X-Forwarded-For/)).toEqual([]);
      // What comes without it is the machine's own.
      await till.api("GET", "/metrics");
      await ask(1);
      expect(await said(till, /X-Forwarded-For/)).toEqual([
        expect.stringMatching(/the last one from 127\.0\.0\.1: .*name it in TILL_TRUST_PROXY/),
      ]);
      const { body } = await till.api("GET", "/desk");
      expect(titles(body)).toContain("Till cannot tell visitors apart");
    } finally {
      await till.stop();
    }
  });

  test("is not told of once it is named, nor for one visitor among others who makes the header up", () => {
    const request = new Request("http://till.example/i/1");
    const named = createProxyWatch({ trustProxy: parseIpRanges("127.0.0.1") ?? null });
    for (let time = 0; time < 100; time++) named.saw("127.0.0.1", "198.51.100.1", request);
    expect(named.warnings()).toEqual([]);
    const open = createProxyWatch({ trustProxy: null });
    for (let time = 0; time < 100; time++)
      open.saw("203.0.113.7", time % 10 === 0 ? null : "198.51.100.1", request);
    expect(open.warnings()).toEqual([]);
  });
});
