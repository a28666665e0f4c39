import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReusableStore from "../../../src/store/tables/invoicing/reusable-link.ts";
import { holds, later } from "../../support/browser/browser.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { desktop } from "../../support/browser/stage.ts";
import { walk } from "../../support/desk/walk.ts";
import { storeLink } from "../../support/till/records.ts";
import { linkRequest, startTestTill, until } from "../../support/till/till.ts";
import { begin, slugIn } from "../../support/till/visitor.ts";

useTillOnChain((chain) => startTestTill(chain, { TILL_RPC_WS_URL: chain.wsUrl }));

const kestrel = { business_name: "Kestrel Coffee", merchant_email: "owner@kestrel.example" };
const slugOf = (path: string) => path.split("?")[0]?.split("/").at(-1) ?? "";
const linkAt = (path: string) => LinkStore.bySlug(till.db, slugOf(path));
async function open(path: string) {
  const desk = walk(till);
  await desk.open(`/desk/links${path}`);
  return desk;
}
const preview = (page: Page) => page.frameLocator("#preview").locator("body").textContent().then(String);

test("with a script, a link is seen as its payer sees it while it is typed, and again as money comes; its code is printed alone", async () => {
  const context = await browser.newContext({ viewport: desktop });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A form that is refused, and a frame in which no script is to run.
    if (message.type() === "error" && !/422|sandboxed/.test(message.text())) errors.push(message.text());
  });
  await page.goto(`${till.baseUrl}/desk/links/new`);
  await page.fill("#product_description", "Workshop <deposit>");
  await page.fill("#expected_amount", "1.250");
  await page.fill("#business_name", kestrel.business_name);
  await page.fill("#merchant_email", kestrel.merchant_email);
  await page.click("text=Create the link");
  await page.waitForSelector("#expected_amount-fault");
  await page.fill("#expected_amount", "1250.00");
  await until(
    () => preview(page),
    (text) => text.includes("1,250.00") && text.includes("Workshop <deposit>"),
  );
  await page.clock.install();
  await page.click("text=Create the link");
  await page.waitForSelector("text=The link was created.");
  const link = linkAt(new URL(page.url()).pathname);
  if (!link) throw new Error("no link");
  await until(
    () => preview(page),
    (text) => text.includes("1,250.00"),
  );
  await chain.pay(link.deposit.address, "1000.00");
  await later(page, () => page.isVisible("#standing:has-text('1,000.00 of')"));
  await page.click(".menu summary");
  await page.click("text=Print the code");
  await page.waitForSelector(".poster .qr");
  await page.emulateMedia({ media: "print" });
  expect(await page.isVisible(".poster-actions")).toBe(false);
  await holds(page, "document.querySelector('.poster .qr svg').getBoundingClientRect().width > 400");
  expect(errors).toEqual([]);
  await context.close();
});

test("without one, a link is made, shown as its payer sees it, paid, and marked", async () => {
  const desk = await open("/new");
  desk.fill({
    ...{ product_description: "Workshop <deposit>", expected_amount: "1.250", reference: "ORD-77" },
    ...{ ...kestrel, merchant_email: "owner" },
    ...{ success_url: "kestrel", embed_origins: "https://shop.example/page" },
  });
  await desk.press("Create the link");
  // Every fault beside its field, and what was typed is kept.
  expect(desk.texts("#faults a")).toHaveLength(4);
  for (const field of ["expected_amount", "merchant_email", "success_url", "embed_origins"])
    expect(desk.text(`#${field}-fault`)).not.toBe("");
  expect(desk.value("product_description")).toBe("Workshop <deposit>");
  desk.fill({
    ...{ expected_amount: "1250.00", merchant_email: kestrel.merchant_email },
    ...{ success_url: "https://shop.example/thanks", embed_origins: "https://shop.example" },
  });
  await desk.choose("as", "preview");
  const typed = (await desk.frame("preview")).text("body");
  for (const part of ["1,250.00", "Workshop <deposit>"]) expect(typed).toContain(part);
  await desk.press("Create the link");
  expect(desk.text()).toContain("The link was created.");
  const slug = slugOf(desk.path);
  const link = linkAt(desk.path);
  if (!link) throw new Error("no link");
  expect(link).toMatchObject({
    businessName: "Kestrel Coffee",
    reference: "ORD-77",
    successUrl: "https://shop.example/thanks",
    embedOrigins: ["https://shop.example"],
    walletType: "managed",
  });
  expect(desk.value("url")).toBe(`${till.baseUrl}/pay/${slug}`);
  const seen = await open(`/${slug}/preview`);
  expect(seen.text("body")).toContain("1,250.00");
  // Who looks at it here is no payer.
  const { body } = await till.api("GET", `/api/links/${slug}/timeline`);
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(["created"]);
  desk.fill({ note: "By phone with R. Okafor." });
  await desk.press("Add the note");
  expect(desk.text("blockquote")).toContain("By phone with R. Okafor.");

  await chain.pay(link.deposit.address, "1000.00");
  await until(
    () => desk.open(`/desk/links/${slug}`).then(() => desk.text("#standing")),
    (text) => text.includes("1,000.00 of 1,250.00 USDC received"),
  );
  expect(desk.text("#payments")).toContain("Confirmed");
  // What has come cannot be voided, but the rest can be paid in cash.
  expect(desk.text(".menu-list")).not.toContain("Void");
  await desk.press("Paid elsewhere…");
  desk.fill({ how: "The rest in cash" });
  await desk.press("Mark as paid");
  expect(desk.text()).toContain("The link is marked as paid elsewhere.");
  expect(linkAt(slug)?.status).toBe("confirmed");
});

test("a link that is paid again and again lists what was paid, and is ended with a reason", async () => {
  const desk = await open("/new");
  desk.fill({ ...kestrel, product_description: "Tip jar", often: "again", price: "chosen" });
  desk.fill({ amount_min: "1", amount_max: "5000" });
  await desk.press("Create the link");
  expect(desk.text()).toContain("The link was created.");
  const slug = slugOf(desk.path);
  const pay = `${till.baseUrl}/pay/${slug}`;
  const paid = LinkStore.bySlug(till.db, slugIn(await begin(pay, { amount: "1234.50" })));
  for (let i = 0; i < 2; i++) await begin(pay, { amount: "2" });
  if (!paid) throw new Error("nothing was begun");
  await chain.pay(paid.deposit.address, "1234.50");
  await until(
    () => ReusableStore.bySlugWithTotals(till.db, slug)?.totals.paid,
    (count) => count === 1,
  );
  await desk.open(`/desk/links/${slug}`);
  // Those that were begun and left do not flood it.
  expect(desk.texts("#links tbody tr")).toEqual([expect.stringContaining("1,234.50")]);
  expect(desk.text("#totals")).toBe("Paid: 1, 1,234.50 USDC");
  expect(desk.text(".begun")).toContain("2");
  expect((await open(`/${slug}/preview`)).text("body")).toContain("Continue to payment");
  await desk.press("End this link…");
  await desk.press("End the link");
  expect(desk.text("#reason-fault")).not.toBe("");
  desk.fill({ reason: "The fair is over." });
  await desk.press("End the link");
  expect(desk.text()).toContain("The link has ended.");
  expect(desk.text()).toContain("Void: The fair is over.");
  await desk.open(`/pay/${slug}`);
  expect(desk.html).toContain("The fair is over.");
});

test("links are narrowed, searched and paged, without the payments of others", async () => {
  const make = (fields: object) => till.api("POST", "/api/links", { ...linkRequest, ...fields });
  const { body: cafe } = await make({ product_description: "Café crème", reference: "NR-2026/17" });
  const { body: gone } = await make({ product_description: "Old offer" });
  await till.api("POST", `/api/links/${gone.slug}/void`, { reason: "Sold out" });
  for (let i = 0; i < 51; i++) storeLink(till.db);
  const desk = walk(till);
  const titles = async (query: string) => {
    await desk.open(`/desk/links${query}`);
    return desk.texts("a.name");
  };
  for (const typed of [
    ...["cafe cr", "nr-2026/1", cafe.payment_link],
    ...[cafe.deposit_address.toLowerCase(), cafe.deposit_address.toUpperCase()],
  ])
    expect([typed, await titles(`?q=${encodeURIComponent(typed)}`)]).toEqual([typed, ["Café crème"]]);
  expect(await titles("?q=%22*+AND")).toEqual([]);
  const { txHash } = await chain.pay(cafe.deposit_address, "3.00");
  const typed = txHash.slice(0, 14).toUpperCase().replace("0X", "0x");
  await until(
    () => titles(`?q=${typed}`),
    (names) => names.length === 1 && names[0] === "Café crème",
  );
  expect(await titles("?kind=ended")).toContain("Old offer");
  expect(await titles("?kind=open")).not.toContain("Old offer");

  const hrefs = () => [...desk.html.matchAll(/class="name" href="([^"]*)"/g)].map(([, href]) => href);
  expect(await titles("")).toHaveLength(50);
  const first = hrefs();
  await desk.press("Older");
  const second = hrefs();
  expect(new Set([...first, ...second]).size).toBe(first.length + second.length);
  expect(desk.texts("a.name")).toContain("Café crème");
});

test("an empty list says what a link is for, and a link that is not there is not found", async () => {
  await using empty = await startTestTill(chain);
  const desk = walk(empty);
  await desk.open("/desk/links");
  expect(desk.text()).toContain("Get paid by a link");
  await desk.open("/desk/counter");
  expect(desk.html).toContain("Your shop’s details are missing");
  for (const path of ["nothing", "nothing/void", "nothing/print", "nothing/preview"]) {
    await desk.open(`/desk/links/${path}`);
    expect(desk.status).toBe(404);
  }
});

test("a link says which tax is in its price and what its payer is asked for, and so does its copy", async () => {
  const desk = await open("/new");
  desk.fill({ ...kestrel, expected_amount: "11.90", tax_rate: "19,5,5" });
  desk.fill({ collect_name: "on", questions: "Size?\n\nGround or whole?" });
  await desk.press("Create the link");
  expect(desk.text("#tax_rate-fault")).not.toBe("");
  desk.fill({ tax_rate: "19" });
  await desk.press("Create the link");
  expect(linkAt(desk.path)).toMatchObject({
    bill: { totals: { tax: 1_900_000n, total: 11_900_000n }, pricesIncludeTax: true },
    collect: { fields: ["name"], questions: ["Size?", "Ground or whole?"] },
  });
  expect(desk.text(".link-facts")).toContain("1.90 (19%)");
  await desk.open(`/desk/links/new?like=${slugOf(desk.path)}`);
  expect(["tax_rate", "questions", "collect_name"].map(desk.value)).toEqual([
    "19",
    "Size?\nGround or whole?",
    "on",
  ]);
  desk.fill({ tax_category: "exempt", tax_rate: "", tax_reason: "§ 19 UStG" });
  await desk.press("Create the link");
  expect(linkAt(desk.path)?.bill?.totals.rows).toMatchObject([{ category: "exempt", reason: "§ 19 UStG" }]);
});
