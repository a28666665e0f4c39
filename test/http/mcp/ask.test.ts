import { beforeAll, describe, expect, test } from "bun:test";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import {
  type Age,
  type Agent,
  ages,
  bearer,
  connect,
  overHttp,
  type Said,
  yes,
} from "../../support/mcp/agent.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, linkRequest, startTestTill, until } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };

const till = shared(() => startTestTill(node, { TILL_LIMIT_MAILS_INVOICE: "0" }));
let key: string;
beforeAll(async () => {
  key = createApiKey(till.db, "agent", Date.now(), { scope: "shop" }).key;
});

const agentOf = (age: Age, say?: Parameters<typeof connect>[2]) =>
  connect(overHttp(till.localUrl, key), age, say);
const api = (method: string, path: string, body?: unknown) => till.api(method, path, body, bearer(key));
const made = async (changes: object): Promise<string> =>
  (await api("POST", "/api/invoices", { ...invoiceRequest, ...changes })).body.invoice_id;
const isAsked = (agent: Agent) =>
  until(
    () => agent.asked.length,
    (count) => count > 0,
  );
const draft = () => made({ send_now: false });
const invoice = async (id: string) => (await api("GET", `/api/invoices/${id}`)).body;
const total = async () => (await api("GET", "/api/invoices?limit=100")).body.data.length;

const byo = { wallet_type: "byo", wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" };

/** What a person must agree to, each with what tells whether it happened. */
const acts = (id: string, sent: string): [string, Record<string, unknown>][] => [
  ["void_invoice", { id, reason: "Twice" }],
  ["send_invoice", { id }],
  ["remind_invoice", { id: sent }],
  ["create_credit_note", { id, reason: "Less" }],
  ["create_invoice", { ...invoiceRequest, send_now: true }],
  ["create_invoice", { ...invoiceRequest, ...byo }],
  ["create_payment_link", { ...linkRequest, ...byo }],
];

async function nothingHappens(agent: Agent, why: RegExp, times: number): Promise<void> {
  const [id, sent] = [await draft(), await made({})];
  const events = async () => (await api("GET", "/api/events?limit=1")).body.data[0].id;
  const newest = await events();
  const [count, links, mails] = [
    await total(),
    (await api("GET", "/api/links")).body.data.length,
    till.mail.list().length,
  ];
  for (const [name, args] of acts(id, sent)) {
    const { isError, text } = await agent.call(name, args);
    expect([name, isError]).toEqual([name, true]);
    expect(text).toMatch(why);
  }
  expect(agent.asked).toHaveLength(times);
  expect(await invoice(id)).toMatchObject({ status: "draft", sent_at: null });
  expect(await events()).toBe(newest);
  expect((await invoice(id)).credited_amount).toBeUndefined();
  expect([await total(), (await api("GET", "/api/links")).body.data.length]).toEqual([count, links]);
  expect(till.mail.list()).toHaveLength(mails);
}

describe.each([...ages])("in the age of %s", (age) => {
  test("a person is told of which invoice and customer it is, whatever an agent says of that", async () => {
    const agent = await agentOf(age, () => ({ action: "decline" }));
    const [id, paid] = [await draft(), await draft()];
    const { deposit_address: at } = await invoice(paid);
    till.db.run("UPDATE receivable SET received_amount = expected_amount + 5000000 WHERE address = ?", [at]);
    const calls = {
      ...{ void_invoice: { id, reason: "Twice" }, send_invoice: { id }, mark_invoice: { id, as: "paid" } },
      ...{ correct_invoice: { id, reference: "x" }, begin_refund: { invoice: paid } },
    };
    for (const [name, args] of Object.entries(calls)) {
      const before = agent.asked.length;
      await agent.call(name, args);
      const message = agent.asked[before]?.message ?? "";
      const { invoice_number: number } = await invoice(name === "begin_refund" ? paid : id);
      expect([name, message]).toEqual([name, expect.stringContaining(number)]);
      expect([name, message]).toEqual([name, expect.stringContaining(invoiceRequest.vendor_email)]);
    }
    expect(agent.asked.at(-1)?.message).toContain("5.00 USDC");
  });

  test("a client that cannot ask mails, voids and credits nothing, and is told what to do", async () => {
    await nothingHappens(
      await agentOf(age),
      /^Nothing was done\. This client cannot ask a person.*desk\/invoices$/,
      0,
    );
  });

  test("what the person agrees to is done, and the question says all of it", async () => {
    const agent = await agentOf(age, () => yes);
    const id = await draft();
    const { invoice_number: number } = await invoice(id);
    expect(
      (await agent.call("void_invoice", { id, reason: "Twice\nAgree to all" })).structuredContent,
    ).toMatchObject({
      status: "void",
    });
    expect(agent.asked[0]?.message).toBe(
      [
        "A program asks Till to void an invoice, for good.",
        `invoice_number: ${number}`,
        "total_amount: 1500.00",
        "vendor_email: ap@globex.example",
        "status: draft",
        "received_amount: 0.00",
        `id: "${id}"`,
        'reason: "Twice\\nAgree to all"',
        "Agree only if this is what you want.",
      ].join("\n"),
    );
    const sent = (await agent.call("create_invoice", { ...invoiceRequest, send_now: true }))
      .structuredContent;
    expect((await invoice(sent.invoice_id)).status).toBe("sent");
    expect(agent.asked[1]?.message).toContain('vendor_email: "ap@globex.example"');
    const link = (await agent.call("create_payment_link", { ...linkRequest, ...byo })).structuredContent;
    expect((await api("GET", `/api/links/${link.slug}`)).body.wallet_address).toBe(byo.wallet_address);
    expect(agent.asked[2]?.message).toContain(byo.wallet_address);
  });
});

describe("a question", () => {
  const age = "2026-07-28";

  const saidNo = /^Nothing was done\. The person did not agree/;

  test("nothing is done when the person declines, whatever it is", async () => {
    await nothingHappens(await agentOf(age, () => ({ action: "decline" })), saidNo, 7);
  });

  test.each<Said>([
    { action: "cancel" },
    { action: "accept", content: { confirm: false } },
    { action: "accept", content: {} },
  ])("nothing is done when the person says %j", async (said) => {
    const agent = await agentOf(age, () => said);
    const id = await draft();
    const { isError, text } = await agent.call("void_invoice", { id, reason: "Twice" });
    expect([isError, text]).toEqual([true, expect.stringMatching(saidNo)]);
    expect((await invoice(id)).status).toBe("draft");
  });

  test("what cannot be done asks nobody", async () => {
    const agent = await agentOf(age, () => yes);
    const [id, sent, ended, old] = [
      await draft(),
      await made({}),
      await draft(),
      await made({ issue_date: "2020-01-01" }),
    ];
    await api("POST", `/api/invoices/${ended}/void`, { reason: "x" });
    await api("POST", `/api/invoices/${sent}/credit-notes`, {
      reason: "x",
      amounts: [{ amount: "1000.00" }],
    });
    PreferenceStore.setClosedThrough(till.db, "2020-12-31", Date.now());
    const reason = { reason: "x" };
    const wrong: [string, Record<string, unknown>, string][] = [
      ["create_invoice", { ...invoiceRequest, send_now: "true" }, '"send_now"'],
      ["create_invoice", { ...invoiceRequest, send_now: true, due_date: "never" }, '"due_date"'],
      ["create_payment_link", { ...linkRequest, ...byo, expected_amount: "0" }, '"expected_amount"'],
      ["create_payment_link", { ...linkRequest, wallet_address: byo.wallet_address }, '"wallet_address"'],
      ["remind_invoice", { id }, "never mailed. Send it first: send_invoice."],
      ["void_invoice", { id }, '"reason"'],
      ["void_invoice", { id, reason: "" }, '"reason"'],
      ["void_invoice", { id: old, ...reason }, "books that are closed"],
      ["create_credit_note", { id: sent }, '"reason"'],
      ["correct_invoice", { id, due_date: "2000-01-01" }, '"due_date"'],
      ["correct_invoice", { id: ended, reference: "x" }, "is void"],
      ["mark_invoice", { id, as: "given" }, '"as"'],
      ["mark_invoice", { id: ended, as: "paid" }, "is void"],
      ["begin_refund", { invoice: id }, "409 "],
      ["begin_refund", { invoice: id, address: "0x" }, '"address"'],
      ["create_credit_note", { id: sent, ...reason, amounts: [{ amount: "500.01" }] }, "at most 500.00"],
      ["create_credit_note", { id: sent, ...reason, lines: [{ line: 9 }] }, '"lines[0].line"'],
      ...["send_invoice", "remind_invoice"].map((name): (typeof wrong)[number] => [
        name,
        { id: ended },
        "409 ",
      ]),
      ...["void_invoice", "create_credit_note"].map((name): (typeof wrong)[number] => [
        name,
        { id: ended, ...reason },
        "is void",
      ]),
    ];
    for (const [name, args, why] of wrong) {
      const { isError, text } = await agent.call(name, args);
      expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/^Nothing was done\. 4/)]);
      expect(text).toContain(why);
    }
    expect(agent.asked).toHaveLength(0);
    PreferenceStore.setClosedThrough(till.db, null, Date.now());
  });

  test("a question has the wallet first, every line with its amounts, the total, and nothing that cannot be seen", async () => {
    const agent = await agentOf(age, () => ({ action: "decline" }));
    const line_items = Array.from({ length: 20 }, (_, at) => ({
      description: `Part ${at} ${"x".repeat(300)}`,
      quantity: 1,
      unit_price: at === 19 ? "999999.00" : "1.00",
    }));
    await agent.call("create_invoice", { notes: "n", ...invoiceRequest, line_items, ...byo, send_now: true });
    const { message = "" } = agent.asked[0] ?? {};
    const [act, total, wallet] = message.split("\n");
    expect(act).toBe(
      "A program asks Till to take the money at a wallet that the agent names, and create an invoice and mail it to the customer.",
    );
    expect([total, wallet]).toEqual(["total: 1000018.00 USDC", `wallet_address: "${byo.wallet_address}"`]);
    expect(message.match(/"unit_price":"1\.00"/g)).toHaveLength(19);
    expect(message).toContain('"unit_price":"999999.00"');
    await agent.call("create_payment_link", {
      ...linkRequest,
      ...byo,
      product_description: "Thanks\u2028total",
    });
    expect(agent.asked[1]?.message).toContain("Thanks\\u{2028}total");
    expect(agent.asked[1]?.message).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  test("a draft needs nobody, also when send_now is null", async () => {
    const agent = await agentOf(age, () => yes);
    for (const send_now of [false, null, undefined]) {
      const made = (await agent.call("create_invoice", { ...invoiceRequest, send_now })).structuredContent;
      expect((await invoice(made.invoice_id)).status).toBe("draft");
    }
    expect(agent.asked).toEqual([]);
  });

  test("nobody is asked about what is not there, or of what the key may not do", async () => {
    const agent = await agentOf(age, () => yes);
    expect((await agent.call("void_invoice", { id: "INV-9999", reason: "x" })).text).toStartWith(
      "404 not_found",
    );
    expect(agent.asked).toEqual([]);
  });
});

const call = (message: object, headers: Record<string, string> = {}) =>
  fetch(`${till.localUrl}/mcp`, {
    method: "POST",
    headers: {
      ...bearer(key),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });

describe("in the age of 2026-07-28, an answer", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const toolCall = async (name: string, args: object, more: object = {}, auth = key) => {
    const params = { name, arguments: args, ...more, _meta: meta };
    const headers = {
      ...bearer(auth),
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    };
    return (await (await call({ method: "tools/call", params }, headers)).json()) as {
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      result: any;
      error?: { code: number };
    };
  };
  const agreed = { inputResponses: { consent: yes } };

  test("counts only for the question that Till asked, of the same key", async () => {
    const [id, other] = [await draft(), await draft()];
    const reason = { reason: "x" };
    const asked = (await toolCall("void_invoice", { id, ...reason })).result;
    expect(asked).toMatchObject({ resultType: "input_required", inputRequests: { consent: {} } });
    const { requestState } = asked;
    const isAskedAgain = async (name: string, args: object, more: object, auth?: string) =>
      expect((await toolCall(name, args, more, auth)).result.resultType).toBe("input_required");
    await isAskedAgain("void_invoice", { id, ...reason }, agreed);
    await isAskedAgain("void_invoice", { id: other, ...reason }, { ...agreed, requestState });
    await isAskedAgain("void_invoice", { id, reason: "y" }, { ...agreed, requestState });
    await isAskedAgain("send_invoice", { id }, { ...agreed, requestState });
    const second = createApiKey(till.db, "second", Date.now(), { scope: "shop" }).key;
    await isAskedAgain("void_invoice", { id, ...reason }, { ...agreed, requestState }, second);
    const forged = `${requestState.slice(0, -4)}AAAA`;
    expect(
      (await toolCall("void_invoice", { id, ...reason }, { ...agreed, requestState: forged })).error?.code,
    ).toBe(-32602);
    expect([(await invoice(id)).status, (await invoice(other)).status]).toEqual(["draft", "draft"]);
    await toolCall("void_invoice", { id, ...reason }, { ...agreed, requestState });
    expect((await invoice(id)).status).toBe("void");
  });

  test("that says no is no, whatever is said of the same question afterwards", async () => {
    const id = await draft();
    const { requestState } = (await toolCall("void_invoice", { id, reason: "x" })).result;
    const no = { inputResponses: { consent: { action: "decline" } } };
    await toolCall("void_invoice", { id, reason: "x" }, { ...no, requestState });
    const { result } = await toolCall("void_invoice", { id, reason: "x" }, { ...agreed, requestState });
    expect(result.content[0].text).toContain("did not agree");
    expect((await invoice(id)).status).toBe("draft");
  });

  test("counts for what was asked alone: not once the invoice is another", async () => {
    const id = await draft();
    const { requestState } = (await toolCall("void_invoice", { id, reason: "x" })).result;
    expect((await api("POST", `/api/invoices/${id}/send`)).body.ok).toBe(true);
    const { result } = await toolCall("void_invoice", { id, reason: "x" }, { ...agreed, requestState });
    expect(result.resultType).toBe("input_required");
    expect((await invoice(id)).status).toBe("sent");

    const answer = Promise.withResolvers<Said>();
    const agent = await agentOf("2025-11-25", () => answer.promise);
    const other = await draft();
    const voiding = agent.call("void_invoice", { id: other, reason: "x" });
    await isAsked(agent);
    await api("POST", `/api/invoices/${other}/send`);
    answer.resolve(yes);
    expect((await voiding).text).toContain("changed while the person was asked");
    expect((await invoice(other)).status).toBe("sent");
  });

  test("is good for one time", async () => {
    const made = { ...invoiceRequest, send_now: true };
    const { requestState } = (await toolCall("create_invoice", made)).result;
    const before = await total();
    const answers = [];
    for (let time = 0; time < 3; time++)
      answers.push(await toolCall("create_invoice", made, { ...agreed, requestState }));
    expect(new Set(answers.map(({ result }) => result.structuredContent.invoice_id)).size).toBe(1);
    expect(await total()).toBe(before + 1);
  });
});

describe("in the older age, an answer", () => {
  test("is waited for beyond the silence that ends a connection, and one question at a time", async () => {
    const other = await startTestTill(node, {}, { idleSecondsMax: 10 });
    const answer = Promise.withResolvers<Said>();
    // No connection is used again: it may end just then.
    const transport = new StreamableHTTPClientTransport(new URL(`${other.localUrl}/mcp`), {
      requestInit: { keepalive: false },
    });
    const agent = await connect(transport, "2025-11-25", () => answer.promise);
    const { invoice_id: id = "" } = await other.createInvoice();
    const first = agent.call("void_invoice", { id, reason: "x" });
    await isAsked(agent);
    expect((await agent.call("send_invoice", { id })).text).toContain("Another question");
    // Time itself: longer than a connection may be silent.
    await Bun.sleep(12_000);
    expect(InvoiceStore.byId(other.db, id)?.status).toBe("draft");
    answer.resolve(yes);
    expect((await first).structuredContent.status).toBe("void");
    await other.stop();
  });

  test("of another session, or of another key, is none", async () => {
    const answer = Promise.withResolvers<Said>();
    const agent = await agentOf("2025-11-25", () => answer.promise);
    const id = await draft();
    const first = agent.call("void_invoice", { id, reason: "x" });
    await isAsked(agent);
    const second = createApiKey(till.db, "third", Date.now(), { scope: "shop" }).key;
    const session = (agent.client.transport as { sessionId?: string }).sessionId ?? "";
    expect(session).toMatch(/^asks-/);
    const said = { id: 0, result: yes };
    for (const headers of [
      { "mcp-session-id": `asks-${"A".repeat(43)}` },
      { ...bearer(second), "mcp-session-id": session },
      {},
    ])
      expect((await call(said, headers)).status).toBe(202);
    expect((await invoice(id)).status).toBe("draft");
    answer.resolve({ action: "decline" });
    expect((await first).isError).toBe(true);
  });

  test("comes too late once the agent gave up", async () => {
    const answer = Promise.withResolvers<Said>();
    const agent = await agentOf("2025-11-25", () => answer.promise);
    const id = await draft();
    const gaveUp = new AbortController();
    const call = { name: "void_invoice", arguments: { id, reason: "x" } };
    const first = agent.client.callTool(call, { signal: gaveUp.signal }).catch(() => "given up");
    await isAsked(agent);
    gaveUp.abort();
    expect(await first).toBe("given up");
    answer.resolve(yes);
    // What the agent asks after its answer is answered after it.
    const seen = await agent.call("get_invoice", { id });
    expect(seen.structuredContent.status).toBe("draft");
    expect((await agent.call("void_invoice", { id, reason: "x" })).structuredContent.status).toBe("void");
  });

  test("that never comes does not keep Till from stopping", async () => {
    const other = await startTestTill(node);
    const agent = await connect(
      overHttp(other.localUrl, null),
      "2025-11-25",
      () => new Promise<Said>(() => {}),
    );
    const made = await other.createInvoice({ send_now: false });
    const waiting = agent.call("void_invoice", { id: made["invoice_id"], reason: "x" }).catch(() => null);
    await isAsked(agent);
    await other.stop();
    await waiting;
  });
});
