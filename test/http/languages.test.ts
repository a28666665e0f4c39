import { expect, test } from "bun:test";
import { PDFDocument } from "@pdfme/pdf-lib";
import { languageCodes } from "../../src/domain/language.ts";
import { languages } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import * as PersonStore from "../../src/store/tables/desk/person.ts";
import { addPerson, startDesk, visitor } from "../support/desk/desk.ts";
import { shared } from "../support/per-file.ts";
import { invoiceRequest, linkRequest } from "../support/till/till.ts";

const till = shared(() => startDesk({ TILL_LANGUAGE: "en" }));

/** As a browser in French shows it. */
const page = async (url: string) => await (await fetch(url, { headers: { "accept-language": "fr" } })).text();
const at = (url = "") => new URL(new URL(url).pathname + new URL(url).search, till.localUrl).href;

test("an invoice's mail, page and PDF are in its language, and the reader may choose another", async () => {
  for (const language of languageCodes) {
    const vendor_email = `ap-${language}@globex.example`;
    const invoice = await till.createInvoice({ language, vendor_email, send_now: true });
    const { tag, dir } = languages[language];
    const { say } = speak(language);
    const html = await page(at(invoice["invoice_url"]));
    expect(html).toContain(`<html lang="${tag}" dir="${dir}">`);
    const chosen = await page(`${at(invoice["invoice_url"])}?lang=es`);
    expect(chosen).toContain('<html lang="es" dir="ltr">');
    const mails = till.mail.list().filter(({ to }) => to.includes(vendor_email));
    expect(mails.map(({ to }) => to)).toEqual([[vendor_email]]);
    expect(mails[0]?.html).toContain(`lang="${tag}"`);
    const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`);
    expect(body.language).toBe(language);
    if (language !== "ar") continue;
    const pdf = await (await fetch(at(invoice["pdf_url"]))).arrayBuffer();
    expect((await PDFDocument.load(pdf)).getTitle()).toBe(
      say("invoiceNumber", { number: body.invoice_number }),
    );
  }
});

test("without one, the reader's browser and then the installation decide, and no answer has the field", async () => {
  const invoice = await till.createInvoice();
  expect(await page(at(invoice["invoice_url"]))).toContain('lang="fr"');
  expect(invoice).not.toHaveProperty("language");
  const { body } = await till.api("GET", `/api/invoices/${invoice["invoice_id"]}`);
  expect(body).not.toHaveProperty("language");
});

test("a language that Till has not is refused, and says which there are", async () => {
  const { status, body } = await till.api("POST", "/api/invoices", { ...invoiceRequest, language: "tlh" });
  expect(status).toBe(400);
  expect(body.errors).toEqual([{ field: "language", message: `must be one of ${languageCodes.join(", ")}` }]);
});

test("a customer's language is that of their next invoice, and changes none that is there", async () => {
  const vendor_email = "buchhaltung@kunde.example";
  const before = await till.createInvoice({ vendor_email });
  await till.api("PUT", `/api/customers/${vendor_email}`, { language: "de" });
  const saved = await till.api("GET", `/api/customers/${vendor_email}`);
  expect(saved.body).toMatchObject({ language: "de" });
  const after = await till.createInvoice({ vendor_email });
  const other = await till.createInvoice({ vendor_email, language: "pt" });
  const shown = [before, after, other].map((invoice) => page(at(invoice["invoice_url"])));
  const tags = (await Promise.all(shown)).map((html) => /<html lang="([^"]*)"/.exec(html)?.[1]);
  expect(tags).toEqual(["fr", "de", "pt-BR"]);
});

test("a link's page is in its language, and so are the payments of a reusable one", async () => {
  const { body } = await till.api("POST", "/api/links", { ...linkRequest, language: "ja" });
  expect(await page(`${till.localUrl}/pay/${body.slug}`)).toContain('<html lang="ja"');
  const again = await till.api("POST", "/api/links", { ...linkRequest, reusable: true, language: "ar" });
  const begin = await page(`${till.localUrl}/pay/${again.body.slug}`);
  expect(begin).toContain('dir="rtl"');
});

test("everybody's language at the desk goes with them to another device", async () => {
  const id = await addPerson(till, "Mara", "owner");
  const [phone, laptop] = [visitor(till, id), visitor(till, id)];
  const tagOf = async (by: typeof phone) =>
    /<html lang="([^"]*)"/.exec(await (await by.get("/desk", { "accept-language": "fr" })).text())?.[1];
  expect(await tagOf(phone)).toBe("fr");
  await phone.post("/desk/settings/me/language", { language: "zh" });
  expect([await tagOf(phone), await tagOf(laptop)]).toEqual(["zh-Hans", "zh-Hans"]);
  await laptop.post("/desk/settings/me/language", { language: "nonsense" });
  expect(PersonStore.byId(till.db, id)?.language).toBeNull();
  expect(await tagOf(phone)).toBe("fr");
});
