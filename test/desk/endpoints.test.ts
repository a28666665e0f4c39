import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import * as EndpointStore from "../../src/store/tables/outbox/endpoint.ts";
import { addPerson, password, visitor } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { until } from "../support/till/till.ts";

useDesk();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const list = "/desk/settings/endpoints";
const text = async (response: Response) =>
  (await response.text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const secretIn = (page: string) => /whsec_[A-Za-z0-9+/=]+/.exec(page)?.[0] ?? "";
const the = () => {
  const [endpoint, ...more] = EndpointStore.list(till.db);
  if (endpoint === undefined || more.length > 0) throw new Error("not one endpoint");
  return endpoint;
};
const page = async (path = "") => text(await owner.get(`${list}/${the().id}${path}`));
const act = (deed: string, fields: Record<string, string> = {}) =>
  owner.post(`${list}/${the().id}/${deed}`, fields);

async function happen(): Promise<void> {
  const { invoice_id } = await till.createInvoice();
  const { status } = await till.api("POST", `/api/invoices/${invoice_id}/void`, { reason: "Billed twice" });
  expect(status).toBe(200);
}

describe("webhook endpoints at the desk", () => {
  test("are made with a proof, and show their secret once", async () => {
    expect(await text(await owner.get(list))).toContain("Keep your other programs informed");
    const wish = { url: receiver.url, description: "Webshop <1>", types: "invoice.voided" };
    const unproven = await owner.post(`${list}/new`, wish);
    expect(unproven.status).toBe(422);
    expect(EndpointStore.list(till.db)).toEqual([]);
    const made = await owner.post(`${list}/new`, { ...wish, proof: password });
    const shown = await text(made);
    expect(shown).toContain(`Secret for ${new URL(receiver.url).host}`);
    expect(the()).toMatchObject({ url: receiver.url, description: "Webshop <1>", types: ["invoice.voided"] });
    const all = await text(await owner.get(list));
    for (const part of ["Webshop &lt;1&gt;", receiver.url, "Active", "Nothing has been sent there yet."])
      expect(all).toContain(part);
    for (const path of [list, `${list}/${the().id}`, `${list}/${the().id}/edit`])
      expect(await text(await owner.get(path))).not.toContain("whsec_");
    await happen();
    await until(page, (html) => html.includes("Accepted"));
    const [post] = receiver.received;
    if (post === undefined) throw new Error("nothing came");
    expect(new Webhook(secretIn(shown)).verify(post.raw.toString(), post.headers)).toMatchObject({
      type: "invoice.voided",
    });
  });

  test("name what is wrong with the form, and keep what was typed", async () => {
    for (const url of ["", "shop.example", "ftp://shop.example/"]) {
      const answer = await owner.post(`${list}/new`, { url, description: "Kept", proof: password });
      const html = await answer.text();
      expect(answer.status).toBe(422);
      expect(html).toContain("Enter a complete web address");
      expect(html).toContain('value="Kept"');
    }
  });

  test("send a test and show what came back, and send again what was sent", async () => {
    receiver.answerWith(503, 200);
    const tested = await text(await act("test"));
    for (const part of ["Not accepted", "Your program answered 503"]) expect(tested).toContain(part);
    const html = await (await owner.get(`${list}/${the().id}`)).text();
    const event = /name="event" value="(evt_\w+)"/.exec(html)?.[1] ?? "";
    const before = receiver.received.length;
    expect((await act("redeliver", { event })).status).toBe(303);
    await until(
      () => receiver.received.length,
      (count) => count === before + 1,
    );
    expect((await act("redeliver", { event: "evt_nothing" })).status).toBe(404);
  });

  test("are changed and paused with a proof, and resumed by a button", async () => {
    const form = await (await owner.get(`${list}/${the().id}/edit`)).text();
    expect(form).toContain(`value="${receiver.url}"`);
    expect(form).toMatch(/value="invoice.voided" checked/);
    const moved = `${receiver.url}?v=2`;
    expect((await act("edit", { url: moved })).status).toBe(422);
    expect(the().url).toBe(receiver.url);
    expect((await act("edit", { url: moved, proof: password })).status).toBe(303);
    expect(the()).toMatchObject({ url: moved, types: null, description: null });
    expect((await act("pause")).status).toBe(422);
    expect(the().pausedAt).toBeNull();
    expect((await act("pause", { proof: password })).headers.get("location")).toBe(
      `${list}/${the().id}?did=PauseEndpoint`,
    );
    const paused = await page();
    for (const part of ["Paused", "Resume", "GET /api/events"]) expect(paused).toContain(part);
    expect((await act("resume")).status).toBe(303);
    expect(await page()).toContain("Active");
  });

  test("are on Home and the health page when Till has paused them", async () => {
    receiver.answerWith(410, 200);
    await happen();
    await until(
      () => the().pauseCause,
      (cause) => cause === "gone",
    );
    for (const path of ["/desk", "/desk/settings/health"]) {
      const html = await text(await owner.get(path));
      expect(html).toContain("A webhook endpoint is paused");
      expect(html).toContain("Show endpoints");
    }
    const told = await page();
    expect(told).toContain("Till paused it because it answered 410 Gone");
    // It waits for the merchant, and not for the next try.
    expect(told).not.toContain("Next try");
    await act("resume");
    expect(await text(await owner.get("/desk"))).not.toContain("A webhook endpoint is paused");
  });

  test("get a new secret and are deleted, each after a question, and the log keeps what was", async () => {
    expect(await page("/rotate")).toContain("another 24 hours");
    for (const deed of ["rotate", "delete"]) expect((await act(deed)).status).toBe(422);
    const rotated = await text(await act("rotate", { proof: password }));
    expect(secretIn(rotated)).not.toBe("");
    await happen();
    const { id } = the();
    expect(await page("/delete")).toContain("What waits for it is never sent.");
    expect((await act("delete", { proof: password })).headers.get("location")).toBe(
      `${list}?did=DeleteEndpoint`,
    );
    expect(EndpointStore.list(till.db)).toEqual([]);
    for (const path of ["", "/edit", "/rotate", "/delete"])
      expect((await owner.get(`${list}/${id}${path}`)).status).toBe(404);
    expect(await text(await owner.get("/desk/settings/webhooks"))).toContain("invoice.voided");
    const audit = await text(await owner.get("/desk/settings/audit"));
    for (const deed of ["Added", "Changed", "Paused", "Resumed", "Deleted"])
      expect(audit).toContain(`${deed} a webhook endpoint`);
    expect(audit).not.toContain("whsec_");
    // Each of it, but for what changed nothing of who is told, is one more reason to wait.
    const told = "SELECT DISTINCT kind, created_by FROM told_change";
    expect(till.db.query(told).all()).toEqual([{ kind: "endpoint", created_by: "Mara" }]);
  });

  test("may be a chat, whose address is typed once, never shown, and kept unless another is typed", async () => {
    const address = `${new URL(receiver.url).origin}/services/T0/B0/hush`;
    const wish = { format: "discord", url: address, description: "Team", proof: password };
    const refused = await (await owner.post(`${list}/new`, wish)).text();
    expect(refused).toContain("not the whole address that this chat gives");
    const made = await owner.post(`${list}/new`, { ...wish, format: "slack" });
    expect(made.headers.get("location")).toBe(`${list}/${the().id}?did=SaveEndpoint`);
    receiver.answerWith(200);
    const tested = await text(await act("test"));
    expect(tested).toContain("Accepted");
    expect(receiver.received.at(-1)?.raw.toString()).toContain("This is a test.");
    const form = await (await owner.get(`${list}/${the().id}/edit`)).text();
    expect(form).toContain("Leave this empty to keep it as it is.");
    expect(form).not.toContain('value="discord"');
    const sealed = () => EndpointStore.secretsOf(till.db, the().id)?.secret;
    const before = sealed();
    const types = "invoice.paid";
    expect((await act("edit", { url: "", description: "Sales", types, proof: password })).status).toBe(303);
    expect([the().description, sealed()]).toEqual(["Sales", before]);
    expect((await act("edit", { url: `${address}2`, proof: password })).status).toBe(303);
    expect(sealed()).not.toBe(before);
    expect((await owner.get(`${list}/${the().id}/rotate`)).status).toBe(404);
    const shown = await Promise.all(
      [list, `${list}/${the().id}`, "/desk/settings/audit", "/desk/settings/webhooks"].map(async (at) =>
        (await owner.get(at)).text(),
      ),
    );
    expect(shown.join("")).toContain("/…");
    expect([...shown, tested, form].join("")).not.toContain("hush");
    await act("delete", { proof: password });
  });

  test("are the owner's alone", async () => {
    for (const role of ["staff", "accountant"] as const) {
      const other = visitor(till, await addPerson(till, role, role));
      for (const path of [list, `${list}/new`]) expect((await other.get(path)).status).toBe(403);
      expect((await other.post(`${list}/new`, { url: receiver.url, proof: password })).status).toBe(403);
      expect(await text(await other.get("/desk/settings"))).not.toContain("Webhook endpoints");
    }
    expect(EndpointStore.list(till.db)).toEqual([]);
  });
});
