import { beforeAll, describe, expect, test } from "bun:test";
import { plainProfile } from "../../../src/domain/party/profile.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as RecurringStore from "../../../src/store/tables/invoicing/recurring.ts";
import { addPerson, password, type Visitor, visitor } from "../../support/desk/desk.ts";
import { owner, till, useDesk } from "../../support/desk/setup.ts";

const own = Address.checksum(`0x${"ab".repeat(20)}`);

useDesk();
let staff: Visitor;
beforeAll(async () => {
  staff = visitor(till, await addPerson(till, "Sam", "staff"));
});

const shop = { business_name: "Mine", merchant_email: "mine@shop.example" };
const wallet = { wallet_type: "byo", wallet_address: own };
const link = { ...shop, ...wallet, often: "once", expected_amount: "5.00" };
const invoice = {
  ...wallet,
  as: "make",
  vendor_name: "Globex",
  vendor_email: "ap@globex.example",
  due_date: "2030-01-31",
  merchant_name: "Mine",
  merchant_email: "mine@shop.example",
  merchant_address: "1 Main Street",
  description: "Design",
  quantity: "1",
  unit_price: "5.00",
};

const send = async (who: Visitor, path: string, fields: Record<string, string>) =>
  (await who.post(path, { ...fields, once: crypto.randomUUID() })).status;

describe("a wallet to which nothing was ever paid", () => {
  test("is taken from no form that bills, so that no session pays itself", async () => {
    for (const who of [staff, owner]) {
      expect(await send(who, "/desk/links/new", link)).toBe(422);
      expect(await send(who, "/desk/invoices/new", invoice)).toBe(422);
    }
    expect(DepositStore.any(till.db)).toBe(false);
  });

  test("is taken into the settings from an owner who shows that it is them", async () => {
    const profile = { name: "Shop", email: "a@shop.example", due_days: "14", payout: "own", wallet: own };
    const save = (fields: Record<string, string>) => owner.post("/desk/settings/profile", fields);
    const asked = await save(profile);
    expect(asked.status).toBe(422);
    expect(await asked.text()).toContain('name="proof"');
    expect((await save({ ...profile, told: own, proof: "wrong" })).status).toBe(422);
    expect(PreferenceStore.profile(till.db).payoutWallet).toBeNull();
    expect((await save({ ...profile, told: own, proof: password })).status).toBe(303);
    expect(PreferenceStore.profile(till.db).payoutWallet).toBe(own);
    // What stays as it is needs none.
    expect((await save({ ...profile, name: "Other" })).status).toBe(303);
    PreferenceStore.setProfile(till.db, plainProfile, 0);
  });

  test("is taken once the settings name it", async () => {
    PreferenceStore.setProfile(till.db, { ...plainProfile, name: "Shop", payoutWallet: own }, 0);
    expect(await send(staff, "/desk/links/new", link)).toBe(303);
    PreferenceStore.setProfile(till.db, plainProfile, 0);
    // Money is directed there already.
    expect(await send(staff, "/desk/invoices/new", invoice)).toBe(303);
  });
});

describe("a wallet that the owner has replaced", () => {
  const newer = Address.checksum(`0x${"cd".repeat(20)}`);
  const other = "another wallet than your settings name";
  const setWallet = (payoutWallet: Address.Address | null) =>
    PreferenceStore.setProfile(
      till.db,
      { ...plainProfile, name: "Mine", email: "mine@shop.example", payoutWallet },
      0,
    );
  const placeOf = (answer: Response) => new URL(answer.headers.get("location") ?? "", till.baseUrl);
  const show = async (path: string) => (await staff.get(path)).text();

  test("is paid by no copy of what the shop billed, and named where a draft still pays it", async () => {
    setWallet(own);
    const billed = placeOf(await staff.post("/desk/invoices/new", invoice))
      .pathname.split("/")
      .at(-1);
    const reusable = { ...link, often: "again", price: "fixed", once: crypto.randomUUID() };
    const linked = placeOf(await staff.post("/desk/links/new", reusable)).pathname;
    const kept = placeOf(await staff.post("/desk/invoices/new", { ...invoice, as: "draft" })).search;
    const copies = [`/desk/invoices/new?like=${billed}`, `/desk/links/new?like=${linked.split("/").at(-1)}`];
    const draft = `/desk/invoices/new${kept.split("&")[0]}`;
    const dates = { starts_on: "2030-01-01", due_days: "14", every: "months 1", how: "send" };
    const repeat = async () =>
      placeOf(await staff.post("/desk/recurring/new", { ...dates, like: billed ?? "" })).pathname;
    const old = [await repeat(), linked, draft];
    const listed = async () => {
      const html = await (await owner.get("/desk/settings/profile")).text();
      return [...html.matchAll(/<li>\w+: <a href="([^"]*)"/g)].map(([, href]) => href);
    };
    expect(await listed()).toEqual([]);
    for (const path of [...copies, draft]) expect(await show(path)).not.toContain(other);

    setWallet(newer);
    for (const path of copies) {
      const html = await show(path);
      expect(html).toContain(`name="wallet_address" value="${newer}"`);
      expect(html).not.toContain(own);
      expect(html).not.toContain(other);
    }
    expect(await show(draft)).toContain(other);
    expect(await show(draft)).toContain(`name="wallet_address" value="${own}"`);
    expect(await listed()).toEqual(old);
    await repeat();
    expect(await listed()).toEqual(old);
    const [series] = RecurringStore.list(till.db, { limit: 1 }).rows;
    expect(series?.invoice["wallet_address"]).toBe(newer);

    setWallet(null);
    for (const path of copies) {
      const html = await show(path);
      expect(html).not.toContain(own);
      expect(html).not.toContain(newer);
      expect(html).toMatch(/value="managed"[^>]* checked/);
    }
    // Another seller of the same Till has a wallet of their own.
    PreferenceStore.setProfile(till.db, { ...plainProfile, name: "Shop", email: "shop@shop.example" }, 0);
    for (const path of copies) {
      expect(await show(path)).toContain(`name="wallet_address" value="${own}"`);
      expect(await show(path)).toContain(other);
    }
  });
});
