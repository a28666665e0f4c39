import { describe, expect, test } from "bun:test";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { sealedPrefix } from "../../../src/lib/crypto.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import * as ReusableStore from "../../../src/store/tables/invoicing/reusable-link.ts";
import * as ElsewhereStore from "../../../src/store/tables/settle/elsewhere.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { addPerson, visitor } from "../../support/desk/desk.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

const dayMs = 86_400_000;
/** Added to the clock of Till. */
let laterMs = 0;

const chain = shared(startTestChain);
const till = shared(() =>
  startTestTill(
    chain,
    {
      TILL_CLOSE_PAGES: "1",
      TILL_MAIL_RECEIPTS: "true",
      TILL_LIMIT_READS: "100000",
      // No node of another chain: what is known of them stays.
      TILL_ELSEWHERE_RPC_URL: chain.rpcUrl,
    },
    { now: () => Date.now() + laterMs },
  ),
);

const product = "Blue bicycle";
const privates = /Globex|Design|Hosting|bicycle|1,?500|25[.,]00|PAY-7|ap@/;

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(till.baseUrl + path, { headers, redirect: "manual" });
  return { status: answer.status, text: await answer.text() };
}

/** Asks for each path, as a person and as a program do. */
async function expectClosed(paths: readonly string[], statuses: readonly number[]): Promise<void> {
  for (const path of paths)
    for (const accept of ["text/html", "application/json"]) {
      const { status, text } = await get(path, { accept, "accept-encoding": "gzip" });
      expect({ path, status: statuses.includes(status) ? "closed" : status }).toEqual({
        path,
        status: "closed",
      });
      expect({ path, text }).toEqual({ path, text: expect.not.stringMatching(privates) });
    }
}

describe("with TILL_CLOSE_PAGES", () => {
  test("the page of a void invoice, and all that leads from it, closes to strangers after that time", async () => {
    const made = await till.createInvoice({ reference: "PAY-7", send_now: true });
    const slug = String(made["slug"]);
    const number = String(made["invoice_number"]);
    const one = `/api/invoices/${made["invoice_id"]}`;
    await till.api("POST", `${one}/void`, { reason: "Billed twice" });
    const deposit = till.db
      .query<{ deposit_index: bigint }, [string]>("SELECT deposit_index FROM receivable WHERE address = ?")
      .get(String(made["deposit_address"]));
    const came = { index: Number(deposit?.deposit_index), balance: Usdc.fromMicro(25_000_000n) };
    ElsewhereStore.note(till.db, 31338, [came], Date.now());
    expect((await get(`/look/${slug}`)).text).toContain("25.00");
    const before = await get(`/i/${slug}`);
    expect([before.status, before.text]).toEqual([200, expect.stringMatching(/Globex/)]);
    const { id, key } = createApiKey(till.db, "books", Date.now(), { scope: "read" });
    expect((await get(`${one}/pdf`)).status).toBe(200);
    const issued = /href="(\/api\/originals\/[0-9a-f]{64})"/.exec((await get(`/i/${slug}`)).text);
    const original = issued?.[1] ?? "";
    expect((await get(original)).status).toBe(200);
    const documents = [`${one}/pdf`, original, `${one}/receipt`, `${one}/receipt.json`];

    laterMs = 32 * dayMs;
    await expectClosed(
      [`/i/${slug}`, `/i/${slug}?lang=de`, `/i/${slug}/payment`, `/look/${slug}`],
      [410, 404],
    );
    await expectClosed([`/i/${slug}/told`, `/i/${slug}/wallet.png`, `/x402/${slug}`], [404, 409]);
    await expectClosed(documents, [404]);
    const { status, text } = await get(`/i/${slug}`);
    expect([status, text]).toEqual([410, expect.stringContaining("This invoice is closed")]);
    expect(text).toContain("contact Acme Ltd");
    expect(text).toContain("mailto:billing@acme.example");
    expect(text).not.toContain(number);

    // The merchant still has all of it: with a key, and at the desk.
    const known = { authorization: `Bearer ${key}` };
    for (const path of documents.slice(0, 2)) {
      expect((await get(path, known)).status).toBe(200);
      for (const made of ["made-up", `${sealedPrefix}made-up`])
        expect([401, 404]).toContain((await get(path, { authorization: `Bearer ${made}` })).status);
    }
    expect((await get(one, known)).text).toContain("Globex");
    ApiKeyStore.revoke(till.db, id, Date.now());
    laterMs = 0;
  });

  test("whoever is signed in at the desk still reads the documents that it links", async () => {
    // Whoever signs in does so now.
    laterMs = -40 * dayMs;
    const made = await till.createInvoice();
    const pdf = `/api/invoices/${made["invoice_id"]}/pdf`;
    await till.api("POST", `/api/invoices/${made["invoice_id"]}/mark`, { as: "paid" });
    const { id } = createApiKey(till.db, "other", Date.now(), { scope: "read" });
    laterMs = 0;
    const staff = visitor(till, await addPerson(till, "Mara", "staff"));
    expect((await get(pdf)).status).toBe(404);
    expect((await get(`/i/${made["slug"]}`)).text).toContain("This invoice is settled");
    expect((await staff.get(pdf)).status).toBe(200);
    ApiKeyStore.revoke(till.db, id, Date.now());
  });

  test("a page is open again while something is owed again, and closes anew", async () => {
    const made = await till.createInvoice();
    const one = `/api/invoices/${made["invoice_id"]}`;
    await till.api("POST", `${one}/mark`, { as: "paid" });
    laterMs = 40 * dayMs;
    expect((await get(`/i/${made["slug"]}`)).status).toBe(410);
    await till.api("POST", `${one}/mark`, { as: "unpaid" });
    expect((await get(`/i/${made["slug"]}`)).text).toContain("Globex");
    await till.api("POST", `${one}/mark`, { as: "paid" });
    expect((await get(`/i/${made["slug"]}`)).status).toBe(200);
    laterMs = 80 * dayMs;
    expect((await get(`/i/${made["slug"]}`)).status).toBe(410);
    laterMs = 0;
  });

  test("a paid link closes with its forms and its public JSON, and a late payment counts and opens nothing", async () => {
    const { body: link } = await till.api("POST", "/api/links", {
      ...linkRequest,
      product_description: product,
      reference: "PAY-7",
      collect: ["name"],
    });
    const pay = `/pay/${link.slug}`;
    const address = Address.checksum(link.deposit_address);
    const publicView = `/api/links/${link.slug}`;
    await chain.pay(address, "25.00");
    await untilIs(async () => (await till.api("GET", publicView)).body.status, "confirmed");
    expect((await get(pay)).text).toContain(product);
    const { id, key } = createApiKey(till.db, "books", Date.now(), { scope: "shop" });
    const known = { authorization: `Bearer ${key}` };

    laterMs = 32 * dayMs;
    const pages = [pay, `${pay}?embed=1&origin=https%3A%2F%2Fshop.example`, `${pay}/payment`];
    for (const path of pages) {
      const { status, text } = await get(path, { accept: "text/html" });
      expect([path, status, text]).toEqual([path, 410, expect.stringContaining("This payment is settled")]);
      expect(text).not.toMatch(privates);
      expect(text).toContain("Corner Shop");
    }
    const forms = [`${pay}/receipt`, `${pay}/details`, `/refund/ask/${link.slug}`];
    await expectClosed([...forms, `${pay}/told`, `${pay}/wallet.png`, `/x402/${link.slug}`], [404, 409]);
    await expectClosed([`${publicView}/receipt`, `${publicView}/receipt.json`], [404]);
    // Nobody has the receipt sent to themselves.
    const asks = await fetch(`${till.baseUrl}${pay}/receipt`, {
      method: "POST",
      body: new URLSearchParams({ email: "stranger@example.com" }),
      redirect: "manual",
    });
    expect(asks.status).toBe(404);
    const left = {
      slug: link.slug,
      business_name: "Corner Shop",
      expected_amount: "25.00",
      status: "confirmed",
      deposit_address: link.deposit_address,
      product_description: null,
    };
    expect((await till.api("GET", publicView)).body).toEqual(left);
    // A program that could pay it here is told that there is nothing.
    expect((await till.api("GET", pay, undefined, { accept: "application/json" })).status).toBe(404);
    const whole = await till.api("GET", publicView, undefined, known);
    expect(whole.body).toMatchObject({ product_description: product, reference: "PAY-7" });

    await chain.pay(address, "5.00");
    await until(
      () => till.api("GET", publicView, undefined, known),
      ({ body }) => body.status === "excess" && body.received_amount === "30.00",
    );
    for (const path of [pay, `/refund/ask/${link.slug}`])
      expect([path, (await get(path)).status]).toEqual([path, path === pay ? 410 : 404]);

    // Money that is still to go back has its page, until that is long ago as well.
    const asked = { link: link.slug, ask: true, email: "ap@globex.example" };
    const { body: refund } = await till.api("POST", "/api/refunds", asked, known);
    const [mail] = await until(
      () => till.mail.list().filter(({ subject }) => subject.includes("owes you")),
      (all) => all.length > 0,
    );
    const [claim = ""] = /\/refund\/[\w-]{43}/.exec(mail?.text ?? "") ?? [];
    expect((await get(claim)).text).toContain("5.00");
    await till.api("POST", `/api/refunds/${refund.id}/cancel`, undefined, known);
    expect((await get(claim)).text).toContain("5.00");
    laterMs += 32 * dayMs;
    const over = await get(claim);
    expect([over.status, over.text]).toEqual([410, expect.stringContaining("cancelled this refund")]);
    expect(over.text).not.toContain("5.00");
    ApiKeyStore.revoke(till.db, id, Date.now());
    laterMs = 0;
  });

  test("a payment that made room for another at its reusable link closes, though nobody was told that it expired", async () => {
    const { body: reusable } = await till.api("POST", "/api/links", { ...linkRequest, reusable: true });
    const begun = await fetch(`${till.baseUrl}/pay/${reusable.slug}`, {
      method: "POST",
      body: new URLSearchParams({ token: "t".repeat(22) }),
      redirect: "manual",
    });
    const { pathname } = new URL(begun.headers.get("location") ?? "", till.baseUrl);
    const id = ReusableStore.bySlug(till.db, reusable.slug)?.id ?? 0;
    ReusableStore.expireOldest(till.db, id, 0, Date.now());
    expect((await get(pathname)).status).toBe(200);
    laterMs = 32 * dayMs;
    expect((await get(pathname)).status).toBe(410);
    laterMs = 0;
  });
});

test("without it, a page stays open", async () => {
  let later = 0;
  await using open = await startTestTill(
    { rpcUrl: "http://127.0.0.1:9" },
    {},
    { now: () => Date.now() + later },
  );
  const made = await open.createInvoice();
  await open.api("POST", `/api/invoices/${made["invoice_id"]}/void`, { reason: "Billed twice" });
  later = 4_000 * dayMs;
  expect((await open.api("GET", `/i/${made["slug"]}`)).body).toContain("Globex");
});
