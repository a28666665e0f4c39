import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import * as PartyStore from "../../src/store/tables/invoicing/party.ts";
import { solidTextOf } from "../document/poppler.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { linkRequest, startTestTill, type TestTill } from "../support/till/till.ts";

/** A payer says who they are, without a script, and the receipt names them for good. */

let till: TestTill;
let browser: Browser;
beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await till.stop();
});

const asked = {
  tax_rate: "19",
  product_description: "Tee",
  collect: ["name", "address", "tax_id", "phone"],
  questions: ["Which size?", "<b>Color?</b>"],
};
const make = async (changes: object = {}) =>
  (await till.api("POST", "/api/links", { ...linkRequest, ...asked, ...changes })).body;
/** As in the merchant's list. */
const detailsOf = async ({ slug }: { slug: string }) =>
  (await till.api("GET", "/api/links?limit=100")).body.data.find(
    (link: { slug: string }) => link.slug === slug,
  ).payer_details;

test("with the form of the checkout, which shows to nobody what was typed before", async () => {
  const seller = {
    name: "Tee GmbH",
    address: null,
    details: null,
    paymentTerms: null,
    usdParity: false,
    language: null,
  };
  PartyStore.save(till.db, "merchant", linkRequest.merchant_email, seller, Date.now());
  const link = await make();
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "de-DE" });
  const page = await context.newPage();
  await page.goto(link.payment_link);
  await page.click("text=Ich brauche eine Rechnung auf meinen Namen");
  await page.fill("#name", "Jo Müller");
  await page.fill("#address", "Hauptstraße 1\n10115 Berlin");
  await page.fill("#q0", "L");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/pay\/[^/]+\?/);
  const said = {
    name: "Jo Müller",
    address: "Hauptstraße 1\n10115 Berlin",
    answers: [{ question: "Which size?", answer: "L" }],
  };
  expect(await detailsOf(link)).toEqual(said);
  const seen = await (await fetch(link.payment_link.replace("/pay/", "/api/links/"))).text();
  expect(seen).not.toContain("Müller");

  await page.click("text=Ich brauche eine Rechnung auf meinen Namen");
  expect(await page.inputValue("#name")).toBe("");
  expect(await page.textContent("main")).toContain("Ihre Angaben sind gespeichert");
  expect(await page.textContent("main")).toContain("<b>Color?</b>");
  await page.fill("#name", "Jo\u202eMüller");
  await page.click("button");
  expect(await page.getAttribute("#name", "aria-invalid")).toBe("true");
  expect(await page.title()).toMatch(/^Bitte kürzen Sie dies .* · Ich brauche/);
  expect(await page.evaluate("document.activeElement.id")).toBe("name");
  expect(await detailsOf(link)).toEqual(said);

  const { receipt_number: number } = (await till.api("POST", `/api/links/${link.slug}/mark`, { as: "paid" }))
    .body;
  await page.goto(link.payment_link.replace(link.slug, `${link.slug}/details`));
  expect(await page.textContent("main")).toContain("nicht mehr");
  const pdf = await fetch(`${link.payment_link.replace("/pay/", "/api/links/")}/receipt`);
  const text = await solidTextOf(new Uint8Array(await pdf.arrayBuffer()));
  for (const part of [number, "JoMüller", "10115Berlin", "TeeGmbH"]) expect(text).toContain(part);
  await context.close();
});

test.each([
  [{ name: "x".repeat(201) }, 422],
  [{ name: "a\nb" }, 422],
  [{ address: "a\u0000b" }, 422],
  [{ address: "a\n\u202eb" }, 422],
  [{ q0: "y".repeat(301) }, 422],
  [{ iban: "DE1", q9: "z" }, 303],
  [{ name: "" }, 303],
  [{ address: "中".repeat(500) }, 303],
])("a form with %j is answered with %d", async (form, status) => {
  const link = await make();
  const answer = await fetch(`${link.payment_link}/details`, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "manual",
  });
  expect(answer.status).toBe(status);
  expect(Object.keys((await detailsOf(link)) ?? {})).toEqual(
    status === 303 && "address" in form ? ["address"] : [],
  );
});

test("nobody is asked where the link asks nothing, or is paid", async () => {
  const silent = await make({ collect: undefined, questions: undefined });
  expect((await fetch(`${silent.payment_link}/details`)).status).toBe(404);
  expect(await (await fetch(silent.payment_link)).text()).not.toContain(`${silent.slug}/details`);
  const paid = await make();
  await till.api("POST", `/api/links/${paid.slug}/mark`, { as: "paid" });
  const body = new URLSearchParams({ name: "Late" });
  const late = await fetch(`${paid.payment_link}/details`, { method: "POST", body, redirect: "manual" });
  expect([late.status, await detailsOf(paid)]).toEqual([200, undefined]);
});
