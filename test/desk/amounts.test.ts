import { afterAll, beforeAll, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { pagesOf } from "../document/poppler.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";

/** In a shop that sells for thousands, no figure that people read is without its groups; what is copied is bare. */

let chain: TestChain;
let till: TestTill;

beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain, { TILL_RPC_WS_URL: chain.wsUrl, TILL_MAIL_RECEIPTS: "true" });
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

/** What is typed or pasted somewhere else is marked as no word of any language. */
const bare = /<bdi class="amount" translate="no">[^<]*<\/bdi>/g;

const wordsIn = (html: string) =>
  html
    .replaceAll(/<(style|script|svg|pre)\b.*?<\/\1>/gs, "")
    .replaceAll(bare, "")
    .replaceAll(/<[^>]*>/g, " ");

/** Four digits and cents: 1738.80 or 1738,80. */
const ungrouped = (text: string) => text.match(/(?<![\d.,/:-])\d{4,}[.,]\d{2}(?!\d|[.-])/g) ?? [];

async function read(path: string, language: string): Promise<string> {
  const headers = { accept: "text/html", "accept-language": language };
  const answer = await fetch(`${till.baseUrl}${path}`, { headers });
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return answer.text();
}

test("amounts are grouped on every page, in the PDFs and in the mails", async () => {
  const invoice = await till.createInvoice({
    line_items: [
      { description: "House blend", quantity: 1200, unit_price: "1000.50" },
      { description: "Service", quantity: 1, unit_price: "1738.80" },
    ],
    send_now: true,
  });
  const make = async (fields: object) =>
    (await till.api("POST", "/api/links", { ...linkRequest, ...fields })).body;
  const link = await make({ expected_amount: "1738.80", product_description: "Grinder" });
  const paid = await make({ expected_amount: "2000.00", product_description: "Machine" });
  const each = await make({ expected_amount: "1250.00", reusable: true, quantity_max: 5 });
  const tips = await make({
    expected_amount: undefined,
    amount_min: "1000.00",
    amount_max: "5000.00",
    reusable: true,
  });
  await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), "1234.56");
  await chain.pay(link.deposit_address, "1000.00");
  await fetch(`${till.baseUrl}/pay/${paid.slug}/receipt`, {
    method: "POST",
    headers: { origin: till.baseUrl, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email: "payer@mail.example" }),
  });
  await chain.pay(paid.deposit_address, "3456.78");
  await until(
    async () => (await till.api("GET", `/api/payments/status/${paid.slug}`)).body.status,
    (status) => status === "excess",
  );

  const pages = [
    `/i/${invoice["slug"]}`,
    `/pay/${link.slug}`,
    `/pay/${paid.slug}`,
    `/pay/${each.slug}`,
    `/pay/${tips.slug}`,
    "/desk",
    "/desk/invoices",
    `/desk/invoices/${invoice["invoice_number"]}`,
    "/desk/links",
    `/desk/links/${link.slug}`,
    `/desk/links/${paid.slug}`,
    `/desk/links/${each.slug}`,
    `/desk/links/${tips.slug}/print`,
    `/desk/links/preview?often=once&expected_amount=1738.80`,
    "/desk/counter?digits=173880",
    "/desk/money",
    "/desk/customers",
  ];
  for (const path of pages)
    for (const language of ["en", "de"]) {
      const text = wordsIn(await read(path, language));
      expect({ path, language, ungrouped: ungrouped(text) }).toEqual({ path, language, ungrouped: [] });
    }
  // Where it is copied it is bare, in every language.
  for (const language of ["en", "de"]) {
    const page = await read(`/pay/${link.slug}`, language);
    expect(page).toContain('data-copy="738.80"');
    expect(await read(`/pay/${tips.slug}`, language)).toContain(language === "en" ? "1,000.00" : "1.000,00");
  }
  const invoicePage = await read(`/i/${invoice["slug"]}`, "de");
  expect(invoicePage).toContain("1.202.338,80");
  expect(invoicePage).toContain('data-copy="1201104.24"');

  for (const path of [`/api/invoices/${invoice["invoice_id"]}/pdf`, `/api/links/${paid.slug}/receipt`]) {
    const pdf = new Uint8Array(await (await fetch(`${till.baseUrl}${path}`)).arrayBuffer());
    const text = (await pagesOf(pdf)).join("\n");
    expect(text).toMatch(/\d,\d{3}\.\d{2}/);
    expect({ path, ungrouped: ungrouped(text) }).toEqual({ path, ungrouped: [] });
  }

  // The invoice, the notices of what came, and the receipt.
  const mails = await until(till.mail.list, (caught) => caught.length >= 5);
  for (const { subject, text, html } of mails) {
    const said = `${subject}\n${text}\n${wordsIn(html)}`;
    expect({ subject, ungrouped: ungrouped(said) }).toEqual({ subject, ungrouped: [] });
  }
  expect(mails.map(({ subject }) => subject).join("\n")).toContain("1,202,338.80 USDC");
});
