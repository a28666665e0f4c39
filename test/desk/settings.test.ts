import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { plainProfile } from "../../src/domain/party/profile.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import * as ApiKeyStore from "../../src/store/tables/installation/api-key.ts";
import * as BackupStore from "../../src/store/tables/installation/backup.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { expectedSignature, type Receiver, startReceiver } from "../support/http/receiver.ts";
import { callTill } from "../support/till/run-till.ts";
import { invoiceRequest, linkRequest, until } from "../support/till/till.ts";

useDesk();
let staff: Visitor;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  staff = visitor(till, await addPerson(till, "Jonas", "staff"));
});
afterAll(() => receiver.stop());

const text = async (response: Response) =>
  (await response.text()).replace(/<[^>]+>/g, " ").replaceAll("&quot;", '"');

describe("the profile", () => {
  const filled = {
    name: "Kestrel <Coffee>",
    email: "billing@kestrel.example",
    address: "Harbour Lane 8\r\n1012 Amsterdam",
    due_days: "30",
    notes: "Thank you",
    payout: "own",
    wallet: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  };

  test("starts from the merchant who billed last, by invoice or link, and so does a new invoice", async () => {
    let laterMs = 0;
    const shop = await startDesk({}, { now: () => Date.now() + laterMs });
    const mara = visitor(shop, await addPerson(shop, "Mara", "owner"));
    const valuesOf = async (path: string) => {
      const html = await (await mara.get(path)).text();
      const typedIn = (id: string) => {
        const [field = ""] = new RegExp(`<(input|textarea)[^>]* id="${id}"[^>]*>[^<]*`).exec(html) ?? [];
        return /value="([^"]*)"/.exec(field)?.[1] ?? field.replace(/^[^>]*>/, "");
      };
      return (names: readonly string[]) => names.map(typedIn);
    };
    const agree = async (expected: readonly string[]) => {
      const form = await valuesOf("/desk/invoices/new");
      expect(form(["merchant_name", "merchant_email", "merchant_address"])).toEqual([...expected]);
      const profile = await valuesOf("/desk/settings/profile");
      expect(profile(["name", "email", "address"])).toEqual([...expected]);
      const rail = /<header class="rail">.*?<bdi>([^<]*)/s.exec(
        await (await mara.get("/desk/invoices")).text(),
      );
      expect(rail?.[1]).toBe(expected[0]);
    };
    await shop.createInvoice({ merchant_address: "1 Main Street" });
    await agree([invoiceRequest.merchant_name, invoiceRequest.merchant_email, "1 Main Street"]);
    laterMs += 1_000;
    expect((await shop.api("POST", "/api/links", linkRequest)).status).toBe(201);
    await agree([linkRequest.business_name, linkRequest.merchant_email, ""]);
    laterMs += 1_000;
    const again = { ...linkRequest, business_name: "Corner Shop", reusable: true };
    expect((await shop.api("POST", "/api/links", again)).status).toBe(201);
    await agree(["Corner Shop", linkRequest.merchant_email, ""]);
    await shop.stop();
  });

  test("is kept, and new invoices start from it", async () => {
    expect(PreferenceStore.profile(till.db)).toEqual(plainProfile);
    // Where the money goes is asked for once more: a stolen session must not change it.
    for (const proof of [{}, { proof: "wrong and long enough" }]) {
      const asked = await owner.post("/desk/settings/profile", { ...filled, ...proof });
      expect(asked.status).toBe(422);
      expect((await text(asked)).replace(/\s+/g, " ")).toContain("0x5aAe b605 3F3E");
    }
    expect(PreferenceStore.profile(till.db)).toEqual(plainProfile);
    const answer = await owner.post("/desk/settings/profile", {
      ...filled,
      told: filled.wallet,
      proof: password,
    });
    expect(answer.headers.get("location")).toBe("/desk/settings/profile?did=SaveShop");
    expect(PreferenceStore.profile(till.db)).toEqual({
      name: "Kestrel <Coffee>",
      email: "billing@kestrel.example",
      address: "Harbour Lane 8\n1012 Amsterdam",
      dueDays: 30,
      notes: "Thank you",
      payoutWallet: filled.wallet as never,
    });
    // Receipts of links and of the counter take the seller's address from there.
    const saved = await till.api("GET", "/api/merchants/billing@kestrel.example");
    expect(saved.body).toMatchObject({ name: "Kestrel <Coffee>", address: "Harbour Lane 8\n1012 Amsterdam" });
    const invoice = await (await owner.get("/desk/invoices/new")).text();
    expect(invoice).toContain("Kestrel &lt;Coffee");
    expect(invoice).toContain("Thank you");
  });

  test("names every fault, keeps what was typed and the profile as it was", async () => {
    const wrong = {
      ...filled,
      name: "x".repeat(201),
      email: "nobody",
      due_days: "soon",
      wallet: filled.wallet.toLowerCase(),
    };
    const answer = await owner.post("/desk/settings/profile", wrong);
    expect(answer.status).toBe(422);
    const page = await text(answer);
    for (const part of [
      "4 entries to correct",
      "up to 200 characters",
      "name@example.com",
      "0 to 365",
      "it contains a mistake",
    ])
      expect(page).toContain(part);
    expect(PreferenceStore.profile(till.db).email).toBe("billing@kestrel.example");
    expect((await staff.post("/desk/settings/profile", filled)).status).toBe(403);
  });

  test("leaves what the environment decides to the health page, by the name of its variable", async () => {
    const pages = await Promise.all(["health", "profile"].map((name) => owner.get(`/desk/settings/${name}`)));
    const [health = "", profile] = await Promise.all(pages.map(text));
    for (const part of ["TILL_CONFIRMATIONS", "TILL_SETTLE", "When you ask for it"])
      expect(health).toContain(part);
    expect(profile).not.toContain("TILL_");
    expect(health).not.toContain(till.config.walletPassphrase);
  });
});

describe("the list of settings", () => {
  const listed = async (who: Visitor) => {
    const html = await (await who.get("/desk/settings")).text();
    return [...html.matchAll(/<section><h2>([^<]*)|href="\/desk\/settings\/(\w+)"/g)].map(
      ([, group, to]) => group ?? `/${to}`,
    );
  };

  test("has groups, and of each what its reader may open", async () => {
    expect(await listed(owner)).toEqual([
      ...["Shop", "/profile", "/look", "/documents", "/rates", "/mail", "/books"],
      ...["Who works here", "/me", "/people"],
      ...["Other programs", "/shops", "/keys", "/endpoints", "/webhooks"],
      ...["This Till", "/health", "/audit"],
    ]);
    expect(await listed(staff)).toEqual(["Who works here", "/me", "This Till", "/health"]);
  });
});

describe("API keys", () => {
  const make = (fields: Record<string, string>) =>
    owner.post("/desk/settings/keys/new", { proof: password, ...fields });
  const newest = () => ApiKeyStore.list(till.db).at(-1);

  test("are made for a scope, a merchant and until a day, and the list says so", async () => {
    const form = await (await owner.get("/desk/settings/keys/new")).text();
    expect(/<input type="radio" name="scope" value="(\w+)" checked/.exec(form)?.[1]).toBe("shop");
    const fields = {
      name: "market",
      scope: "read",
      merchant_email: "Jo@Shop.example",
      expires_at: "2031-06-30",
    };
    const shown = await make(fields);
    expect(shown.status).toBe(200);
    const [key = ""] = /till_[\w-]{43}/.exec(await shown.text()) ?? [];
    expect(newest()).toMatchObject({
      name: "market",
      scope: "read",
      merchant: "jo@shop.example",
      expiresAt: Date.parse("2031-07-01T00:00:00Z"),
    });
    const list = await text(await owner.get("/desk/settings/keys"));
    for (const part of [
      "market",
      "Read only",
      "Only for jo@shop.example",
      "Works until: 30 Jun 2031",
      "Never used",
    ])
      expect(list).toContain(part);
    expect(list).not.toContain(key);
    expect((await make({ name: "plain" })).status).toBe(200);
    expect(newest()).toMatchObject({ scope: "shop", merchant: null, expiresAt: null });
    expect(await text(await owner.get("/desk/settings/audit"))).toMatch(/Created an API key\s+market/);
  });

  test("are refused with every fault, and what was typed stays", async () => {
    const before = newest()?.id;
    const wrong = { name: "a/b", scope: "full", merchant_email: "jo@shop.example", expires_at: "2020-01-01" };
    const answer = await make(wrong);
    expect(answer.status).toBe(422);
    const html = await answer.text();
    for (const part of [
      "3 entries to correct",
      "Use up to 100 letters",
      "Only the first two choices work for one merchant",
      "Choose a day from today on",
      'value="full" checked',
      'value="jo@shop.example"',
      'value="2020-01-01"',
    ])
      expect(html).toContain(part);
    expect(newest()?.id).toBe(before ?? 0);
    expect((await staff.get("/desk/settings/keys")).status).toBe(403);
    expect((await staff.post("/desk/settings/keys/new", { name: "x", proof: password })).status).toBe(403);
  });
});

describe("a test webhook", () => {
  test("reaches the receiver, signed with the secret that is shown, and tells what it answered", async () => {
    receiver.answerWith(200);
    const page = await text(await owner.post("/desk/settings/webhooks/test", { url: receiver.url }));
    expect(page).toContain("Your program answered 200");
    const [got] = receiver.received;
    if (!got) throw new Error("nothing was received");
    const [secret = ""] = /whsec_[A-Za-z0-9+/=]+/.exec(page) ?? [];
    expect(got.headers["x-service-signature"]).toBe(expectedSignature(secret, got.raw));
    expect(JSON.parse(got.raw.toString())).toMatchObject({ event: "invoice.paid", invoice_number: "TEST" });

    receiver.answerWith(503);
    const failed = await text(await owner.post("/desk/settings/webhooks/test", { url: receiver.url }));
    expect(failed).toContain("Not accepted");
    expect(failed).toContain("Your program answered 503");
  });

  test("goes nowhere that a webhook may not go", async () => {
    const answer = await owner.post("/desk/settings/webhooks/test", { url: "ftp://shop.example/" });
    expect(answer.status).toBe(422);
    expect((await staff.post("/desk/settings/webhooks/test", { url: receiver.url })).status).toBe(403);
  });
});

describe("health", () => {
  test("sends a test mail, and says when the newest backup was made", async () => {
    const answer = await owner.post("/desk/settings/mail/test", { to: "mara@kestrel.example" });
    expect(answer.headers.get("location")).toBe("/desk/settings/mail?did=MailTest");
    // Owners are told by mail of what was done before, at about the same time.
    const mail = await until(
      () => till.mail.list().find(({ subject }) => subject === "A test email from Till"),
      (found) => found !== undefined,
    );
    expect(mail?.to).toEqual(["mara@kestrel.example"]);
    expect((await owner.post("/desk/settings/mail/test", { to: "nobody" })).status).toBe(422);

    expect(await text(await owner.get("/desk/settings/health"))).toContain("None known");
    const file = `${till.config.dataDir}.backup.db`;
    const { exitCode } = await callTill(["backup", file], { env: { TILL_DATA_DIR: till.config.dataDir } });
    expect(exitCode).toBe(0);
    expect(BackupStore.newest(till.db)?.madeAt).toBeGreaterThan(0);
    const page = await text(await owner.get("/desk/settings/health"));
    expect(page).not.toContain("None known");
    // Nobody listens at the node, and its URL is not told beyond its host.
    expect(page).toContain("Payments show up late");
    expect(page).toContain("127.0.0.1:9");
  });
});
