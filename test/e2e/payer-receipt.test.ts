import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Frame, Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import { parse } from "../pages/dom.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";

const payer = "jo@initech.example";
const merchant = linkRequest.merchant_email;

let chain: TestChain;
let till: TestTill;
let browser: Browser;

beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await chain.stop();
});

type Created = {
  slug: string;
  deposit_address: string;
  payment_link: string;
  iframe_snippet: string;
} & Record<string, string>;

async function create(changes: Record<string, unknown> = {}): Promise<Created> {
  const made = await till.api("POST", "/api/links", { ...linkRequest, expected_amount: "25.00", ...changes });
  expect(made.status).toBe(201);
  return made.body;
}

async function pay(link: Created, amount: string, status: string): Promise<void> {
  await chain.pay(Address.checksum(link.deposit_address), amount);
  await until(
    async () => (await till.api("GET", `/api/payments/status/${link.slug}`)).body.status,
    (found) => found === status,
  );
}

const mailsTo = (address: string, link: Created) =>
  till.mail.list().filter(({ to, text }) => to.includes(address) && text.includes(link.slug));
const mailTo = async (address: string, link: Created) =>
  (
    await until(
      () => mailsTo(address, link),
      ({ length }) => length === 1,
    )
  )[0];

/** Leaves an address as a payer does, and waits until the checkout is back. */
async function leave(page: Page | Frame, email: string): Promise<void> {
  await page.click(".receipt-link a");
  await page.fill("#email", email);
  await page.click("button[type=submit]");
  await page.waitForSelector("[data-payment]");
}

const post = (slug: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${till.baseUrl}/pay/${slug}/receipt`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body,
  });

const leaveByPost = ({ slug }: Created, email: string) =>
  post(slug, new URLSearchParams({ email }).toString());

describe("a payer who leaves an address", () => {
  test("gets one receipt when all is paid, without JavaScript, and the merchant a notice to answer", async () => {
    const link = await create();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${link.payment_link}?lang=en`);
    await leave(page, payer);
    expect(new URL(page.url()).pathname).toBe(`/pay/${link.slug}`);
    expect(await page.textContent(".receipt-link")).toContain("Receipt by email to j•••@initech.example");
    expect(await page.content()).not.toContain(payer);
    await pay(link, "10.00", "partial");
    expect(mailsTo(payer, link)).toEqual([]);
    await pay(link, "15.00", "confirmed");
    const receipt = await mailTo(payer, link);
    expect(receipt?.subject).toBe(`Receipt from ${linkRequest.business_name}: 25.00 USDC paid`);
    // The payer learns nothing of the merchant but the name.
    expect(`${receipt?.text}${receipt?.html}${receipt?.replyTo}`).not.toContain(merchant);
    expect(receipt?.text).not.toContain(link.deposit_address);
    const notices = await until(
      () => mailsTo(merchant, link),
      ({ length }) => length === 2,
    );
    expect(notices.map(({ subject }) => subject).sort()).toEqual([
      `Paid: Payment link ${link.slug}, 25.00 USDC`,
      `Partially paid: Payment link ${link.slug} (10.00 of 25.00 USDC received)`,
    ]);
    expect(notices[0]?.replyTo).toBe(payer);

    await pay(link, "1.00", "excess");
    await until(
      () => mailsTo(merchant, link),
      ({ length }) => length === 3,
    );
    expect(mailsTo(payer, link)).toHaveLength(1);
    await page.goto(`${link.payment_link}/receipt?lang=en`);
    expect(await page.textContent("main")).toContain("The receipt was sent to j•••@initech.example.");
    expect(await page.locator("form").count()).toBe(0);
    await context.close();
  });

  test("may correct it until the mail goes out, and not after that", async () => {
    const link = await create();
    const form = parse(await (await fetch(`${link.payment_link}/receipt`)).text());
    expect(form.querySelector("#email")?.hasAttribute("autofocus")).toBe(true);
    for (const email of ["stranger@initech.example", payer])
      expect((await leaveByPost(link, email)).headers.get("location")).toStartWith(`/pay/${link.slug}?`);
    await pay(link, "25.00", "confirmed");
    await mailTo(payer, link);
    const late = await leaveByPost(link, "late@initech.example");
    expect(late.headers.get("location")).toStartWith(`/pay/${link.slug}/receipt?`);
    const { body } = await till.api("GET", `/api/links?slug=${link.slug}`);
    expect(body.data[0].payer_email).toBe(payer);
    expect(mailsTo("stranger@initech.example", link)).toEqual([]);
  });

  test("gets the receipt at once when it is paid already", async () => {
    const link = await create();
    await pay(link, "25.00", "confirmed");
    await leaveByPost(link, payer);
    await mailTo(payer, link);
  });

  test("may do so in the shop's page", async () => {
    const link = await create();
    const headers = { "content-type": "text/html" };
    const body = `<!doctype html><title>Shop</title>${link["js_widget_snippet"]}`;
    await using shop = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(body, { headers }),
    });
    await using page = await browser.newPage();
    await page.goto(`http://localhost:${shop.port}/`);
    const frame = await until(
      () => page.frames().find((each) => each.url().includes(link.slug)),
      (found) => found !== undefined,
    );
    if (!frame) throw new Error("no frame");
    await frame.waitForSelector(".receipt-link");
    const before = new URL(frame.url()).searchParams.get("embed");
    await leave(frame, payer);
    expect(await frame.textContent(".receipt-link")).toContain("j•••@initech.example");
    expect(new URL(frame.url()).searchParams.get("embed")).toBe(before);
  });

  test("is told when it is no address, and can mend what was typed", async () => {
    const link = await create();
    for (const email of ["nobody", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example", ""]) {
      const answer = await leaveByPost(link, email);
      expect([email, answer.status]).toEqual([email, 422]);
      const page = parse(await answer.text());
      expect(page.title).toStartWith("Please check the email address.");
      expect(page.querySelector("input")?.getAttribute("value")).toBe(email);
    }
    expect((await till.api("GET", `/api/links?slug=${link.slug}`)).body.data[0]).not.toHaveProperty(
      "payer_email",
    );
  });
});

describe("the form", () => {
  test("is refused from another site, in another form, and when it is too long", async () => {
    const { slug } = await create();
    const email = "email=jo%40initech.example";
    for (const site of ["cross-site", "same-site", "none"])
      expect((await post(slug, email, { "sec-fetch-site": site })).status).toBe(403);
    expect((await post(slug, email, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(slug, email, { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(slug, '{"email":"a@b.example"}', { "content-type": "application/json" })).status).toBe(
      415,
    );
    expect((await post(slug, `email=${"a".repeat(5_000)}`)).status).toBe(413);
    expect((await post("nothing", email)).status).toBe(404);
    expect((await till.api("GET", `/api/links?slug=${slug}`)).body.data[0]).not.toHaveProperty("payer_email");
    // Old browsers say nothing; and no page of ours says where it is.
    expect((await post(slug, email, { origin: "null" })).status).toBe(303);
    expect((await post(slug, email, { origin: till.baseUrl })).status).toBe(303);
  });

  test("is sent by no page but its own", async () => {
    const { payment_link } = await create();
    const policy = async (url: string) => (await fetch(url)).headers.get("content-security-policy");
    expect(await policy(`${payment_link}/receipt`)).toContain("form-action 'self';");
    expect(await policy(payment_link)).toContain("form-action 'none';");
  });
});
