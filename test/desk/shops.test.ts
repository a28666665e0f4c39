import { describe, expect, test } from "bun:test";
import * as ApiKeyStore from "../../src/store/tables/installation/api-key.ts";
import * as StoreStore from "../../src/store/tables/invoicing/store.ts";
import * as EndpointStore from "../../src/store/tables/outbox/endpoint.ts";
import { addPerson, password, visitor } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";

/** Connecting a shop whose plugin speaks the Greenfield API. */

useDesk();

const required = ["canviewinvoices", "cancreateinvoice", "canviewstoresettings", "canmodifyinvoices"].map(
  (name) => `btcpay.store.${name}`,
);
const optional = ["btcpay.store.cancreatenonapprovedpullpayments", "btcpay.store.webhooks.canmodifywebhooks"];

/** As the PHP client writes it. */
function authorize(
  changes: { permissions?: string[]; redirect?: string; applicationName?: string } = {},
): string {
  const asked = {
    permissions: [...required, ...optional],
    applicationName: "Tea Shop",
    redirect: "https://shop.example/?btcpay-settings-callback",
    ...changes,
  };
  const query = new URLSearchParams({ applicationName: asked.applicationName, strict: "true" });
  for (const permission of asked.permissions) query.append("permissions", permission);
  query.set("redirect", asked.redirect);
  return `/api-keys/authorize?${query}`;
}
const connectOf = (path: string) => path.replace("/api-keys/authorize", "/desk/settings/shops/connect");
const textOf = async (response: Response) =>
  (await response.text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

const typed = { name: "Tea Shop", merchant_email: "tea@shop.example", payout: "managed", wallet: "" };
const form = { ...typed, currency: "", proof: password };
const fieldsIn = (html: string) =>
  [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);

describe("a shop", () => {
  test("is connected by an owner who has signed in, and takes its key in a form", async () => {
    const sent = await fetch(`${till.localUrl}${authorize()}`, { redirect: "manual" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, connectOf(authorize())]);
    const stranger = await fetch(`${till.localUrl}${connectOf(authorize())}`, { redirect: "manual" });
    expect(stranger.headers.get("location")).toStartWith("/desk/sign-in?to=");

    const asked = await textOf(await owner.get(connectOf(authorize())));
    for (const part of [
      "Connect Tea Shop?",
      "The key goes to: shop.example",
      "It cannot move money",
      "Void its payment links",
      "Set up its webhooks",
    ])
      expect(asked).toContain(part);
    const less = await textOf(await owner.get(connectOf(authorize({ permissions: required }))));
    expect(less).not.toContain("Set up its webhooks");
    const unproven = await owner.post(connectOf(authorize()), { ...form, proof: "" });
    expect([unproven.status, ApiKeyStore.list(till.db)]).toEqual([422, []]);

    const made = await owner.post(connectOf(authorize()), form);
    expect(made.headers.get("content-security-policy")).toContain("form-action 'self' https:;");
    expect(made.headers.get("cache-control")).toBe("no-store");
    const html = await made.text();
    expect(html).toContain('action="https://shop.example/?btcpay-settings-callback"');
    const [store] = StoreStore.list(till.db);
    expect(store).toMatchObject({ name: "Tea Shop", merchantEmail: "tea@shop.example", wallet: null });
    const fields = fieldsIn(html);
    // Plugins compare: what was asked for, without the refunds that Till does not have.
    expect(fields.filter(([name]) => name === "permissions[]").map(([, value]) => value)).toEqual(
      [...required, "btcpay.store.webhooks.canmodifywebhooks"].map((name) => `${name}:${store?.id}`),
    );
    const key = fields.find(([name]) => name === "apiKey")?.[1] ?? "";
    const answer = await fetch(`${till.localUrl}/api/v1/stores`, {
      headers: { authorization: `token ${key}` },
    });
    expect(await answer.json()).toMatchObject([{ id: store?.id, name: "Tea Shop" }]);
    const list = await textOf(await owner.get("/desk/settings/shops"));
    for (const part of ["Tea Shop", `Store ID: ${store?.id}`, "USDC"]) expect(list).toContain(part);
    expect(list).not.toContain(key);
  });

  test("may have a second plugin, which disconnects alone", async () => {
    const html = await (await owner.post("/desk/settings/shops/connect", form)).text();
    expect(html).toContain(StoreStore.list(till.db)[0]?.id ?? "no store");
    expect(StoreStore.list(till.db)).toHaveLength(1);
    const [first] = ApiKeyStore.list(till.db);
    const path = `/desk/settings/shops/${first?.id}/disconnect`;
    expect(await textOf(await owner.get(path))).toContain("Disconnect Tea Shop?");
    expect((await owner.post(path, {})).status).toBe(422);
    expect((await owner.post(path, { proof: password })).status).toBe(303);
    expect(ApiKeyStore.list(till.db).map(({ revokedAt }) => revokedAt === null)).toEqual([false, true]);
  });

  test("that connects again takes another key in the place of its own; with the last one its webhooks end", async () => {
    const connect = async (redirect: string) => {
      const html = await (await owner.post(connectOf(authorize({ redirect })), form)).text();
      return fieldsIn(html).find(([name]) => name === "apiKey")?.[1] ?? "";
    };
    for (const { id } of ApiKeyStore.list(till.db)) ApiKeyStore.revoke(till.db, id, Date.now());
    const [old, other] = [await connect("https://a.example/"), await connect("https://b.example/")];
    const key = await connect("https://a.example/");
    const inFolder = await connect("https://a.example/de/?callback");
    const call = (method: string, path: string, token: string, body?: object) =>
      fetch(`${till.localUrl}/api/v1/${path}`, {
        method,
        headers: { authorization: `token ${token}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    // It may never have come to the shop.
    expect((await call("GET", "stores", old)).status).toBe(200);
    for (const each of [inFolder, key]) expect((await call("GET", "stores", each)).status).toBe(200);
    expect((await call("GET", "stores", old)).status).toBe(401);
    expect((await call("DELETE", "api-keys/current", inFolder)).status).toBe(200);
    const open = ApiKeyStore.list(till.db).filter(({ revokedAt }) => revokedAt === null);
    expect(open.map(({ name }) => name)).toEqual(["Tea Shop · b.example", "Tea Shop · a.example"]);
    const hooks = `stores/${StoreStore.list(till.db)[0]?.id}/webhooks`;
    expect((await call("POST", hooks, key, { url: "https://a.example/hook" })).status).toBe(200);
    expect((await call("DELETE", "api-keys/current", key)).status).toBe(200);
    expect(EndpointStore.list(till.db)).toHaveLength(1);
    const [{ id = 0 } = {}] = open;
    expect((await owner.post(`/desk/settings/keys/${id}/revoke`, { proof: password })).status).toBe(303);
    expect(EndpointStore.list(till.db)).toEqual([]);
    expect((await call("GET", "stores", other)).status).toBe(401);
    expect(await textOf(await owner.get("/desk/settings/audit"))).toContain("API key Tea Shop · a.example");
  });

  test("is not connected with faults, nor by somebody who may not", async () => {
    const before = ApiKeyStore.list(till.db).length;
    const wrong = await owner.post(connectOf(authorize()), {
      ...form,
      ...{ name: "", merchant_email: "nobody", payout: "own", wallet: "0x1" },
    });
    const text = await textOf(wrong);
    expect(wrong.status).toBe(422);
    for (const part of ["Enter the name that your customers know.", "it contains a mistake"])
      expect(text).toContain(part);
    const staff = visitor(till, await addPerson(till, "Sam", "staff"));
    expect((await staff.get(connectOf(authorize()))).status).toBe(403);
    expect((await staff.post(connectOf(authorize()), form)).status).toBe(403);
    expect(ApiKeyStore.list(till.db)).toHaveLength(before);
  });

  test.each([
    ["javascript:alert(1)"],
    ["data:text/html,x"],
    ["ftp://shop.example/"],
    ["https://owner:secret@shop.example/"],
    ["https://"],
    [`https://shop.example/${"x".repeat(2_048)}`],
  ])("does not get its key at %s", async (redirect) => {
    const path = connectOf(authorize({ redirect }));
    expect(await textOf(await owner.get(path))).toContain("Nothing was connected");
    const before = ApiKeyStore.list(till.db).length;
    expect((await owner.post(path, form)).status).toBe(422);
    expect(ApiKeyStore.list(till.db)).toHaveLength(before);
  });

  test("that needs more than Till offers, or nothing of it, is told before anything exists", async () => {
    const nothing = connectOf(authorize({ permissions: ["btcpay.store.cancreatepullpayments"] }));
    expect((await owner.post(nothing, form)).status).toBe(422);
    const path = connectOf(
      authorize({ permissions: [...required, "btcpay.server.canuseinternallightningnode"] }),
    );
    const text = await textOf(await owner.get(path));
    expect(text).toContain("canuseinternallightningnode");
    expect((await owner.post(path, form)).status).toBe(422);
    const hostile = authorize({ applicationName: "<b>\u202eShop</b>".repeat(50) });
    const html = await (await owner.get(connectOf(hostile))).text();
    expect(html).not.toContain("\u202e");
    expect(html).not.toContain("<b>");
  });

  test("is connected with word to the owners, as any key that can act is made", async () => {
    const told = () =>
      till.db
        .query<{ kind: string; subject: string; created_by: string }, []>(
          "SELECT kind, subject, created_by FROM told_change",
        )
        .all();
    const before = told();
    await owner.post(connectOf(authorize({ redirect: "https://thief.example/" })), { ...form, proof: "" });
    expect(told()).toEqual(before);
    await owner.post(connectOf(authorize({ redirect: "https://thief.example/" })), form);
    const news = { kind: "key", subject: "Tea Shop · thief.example", created_by: "Mara" };
    expect(told().slice(before.length)).toEqual([news]);
    ApiKeyStore.revoke(till.db, ApiKeyStore.list(till.db).at(-1)?.id ?? 0, Date.now());
  });
});
