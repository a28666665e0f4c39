import { describe, expect, test } from "bun:test";
import { createTransport } from "nodemailer";
import { parse } from "../../pages/dom.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, startTestTill, type TestTill } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, { TILL_MAIL_ATTACH_PDF: "true" }));
const browser = shared(startBrowser);

test("where its chain is, is told without the key that a node of somebody else has in its URL", async () => {
  const chainOf = async (of: TestTill) => (await of.api("GET", "/dev/chain")).body;
  expect(await chainOf(till)).toEqual({ rpc_url: chain.rpcUrl });
  await using remote = await startTestTill({ rpcUrl: "http://127.0.0.1:9/v2/s3cret" });
  expect(await chainOf(remote)).toEqual({ rpc_url: null });
});

const html = { accept: "text/html" };

describe("the start page of development", () => {
  test("has a first request to copy while there is nothing, and what it makes appears by itself", async () => {
    const page = await browser.newPage();
    try {
      await page.goto(till.baseUrl);
      expect(await page.textContent("#newest")).toContain("No invoice yet");
      const command = await page.getAttribute("#copy-command", "data-copy");
      const { stdout } = Bun.spawn(["sh", "-c", `${command} -s`]);
      const { invoice_url, deposit_address } = JSON.parse(await new Response(stdout).text());
      await page.waitForSelector("[data-payment=open]");
      expect(await page.textContent("#newest pre")).toBe(`till pay ${invoice_url}`);
      expect(await page.isVisible("#copy-pay")).toBe(true);
      await page.focus("#copy-pay");

      await chain.pay(deposit_address, "100.00");
      await page.waitForSelector("[data-payment=partial]");
      expect(await page.textContent("[data-part=money]")).toContain("1,400.00");
      // What did not change was not touched.
      expect(await page.evaluate("document.activeElement.id")).toBe("copy-pay");

      await chain.pay(deposit_address, "1400.00");
      await page.waitForSelector("[data-payment=paid]");
      expect(await page.textContent("#announcement")).toContain("INV-0001");
      expect(await page.isVisible("#copy-pay")).toBe(false);
    } finally {
      await page.close();
    }
  });

  test("is right without JavaScript, links to everything, and shows a hostile name as text", async () => {
    const attack = `<img src=x onerror=alert(1)>"'`;
    const made = await till.createInvoice({ vendor_name: attack });
    const page = parse((await till.api("GET", "/", undefined, html)).body);
    expect(page.querySelector("#newest h2")?.textContent).toBe(made["invoice_number"] ?? "");
    expect(page.querySelector("#newest bdi")?.textContent).toBe(attack);
    expect(page.querySelector("#newest img")).toBeNull();
    for (const href of ["/docs", "/dev/mail", "/openapi.json", made["invoice_url"], made["pdf_url"]]) {
      expect(page.querySelector(`a[href='${href}']`)).not.toBeNull();
    }
    expect((await till.api("GET", "/dev/newest-invoice")).headers.get("etag")).not.toBeNull();
  });

  test("is only there in development", async () => {
    await using production = await startTestTill(chain, {}, { isDev: false });
    const { invoice_number = "" } = await production.createInvoice();
    expect((await production.api("GET", "/", undefined, html)).body).not.toContain(invoice_number);
    for (const path of ["/dev/newest-invoice", "/dev/mail", "/dev/mail/1/attachments/0"]) {
      expect((await production.api("GET", path)).status).toBe(404);
    }
  });
});

describe("the mail catcher", () => {
  test("lists the PDF of an invoice and opens it in the browser", async () => {
    await till.api("POST", "/api/invoices", { ...invoiceRequest, vendor_email: "pdf@globex.example" });
    const { body } = await till.api("GET", "/dev/mail");
    const [listed] = body.data.find(({ to }: { to: string[] }) =>
      to.includes("pdf@globex.example"),
    ).attachments;
    expect(listed.media_type).toBe("application/pdf");
    expect(listed.name).toMatch(/^INV-\d{4}\.pdf$/);
    const page = parse((await till.api("GET", "/dev/mail", undefined, html)).body);
    const links = [...page.querySelectorAll(".attachments a")];
    const link = links.find((each) => each.getAttribute("href") === listed.url);
    expect(link?.textContent ?? "").toContain(listed.name);
    const answer = await fetch(listed.url);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("content-disposition")).toBe(`inline; filename*=UTF-8''${listed.name}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect([bytes.byteLength, new TextDecoder().decode(bytes.subarray(0, 5))]).toEqual([
      listed.size_bytes,
      "%PDF-",
    ]);
  });

  test("lets nothing that is attached run as a page of Till", async () => {
    const script = "<script>document.title = 'pwned'; parent.document.title = 'pwned'</script>";
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`;
    const attachments = [
      { filename: "bill.html", content: script, contentType: "text/html" },
      { filename: "bill.svg", content: svg, contentType: "image/svg+xml" },
      { filename: "bill.pdf", content: script, contentType: "application/pdf" },
      { filename: `"\r\nx-evil: 1\r\n<b>'*ü.xhtml`, content: svg, contentType: "application/xhtml+xml" },
    ];
    const mail = { from: "a@b.example", to: "c@d.example", subject: "Attached", text: "x", attachments };
    await createTransport(till.mail.smtpUrl).sendMail(mail);
    const { body } = await till.api("GET", "/dev/mail");
    const { attachments: caught } = body.data.find(
      ({ subject }: { subject: string }) => subject === "Attached",
    );
    expect(caught).toHaveLength(4);
    for (const { url } of caught) {
      const { headers } = await fetch(url);
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toStartWith("attachment; filename*=UTF-8''");
      expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-evil")).toBeNull();
    }
    const [{ url }] = caught;
    await using page = await browser.newPage();
    await page.goto(`${till.baseUrl}/dev/mail`);
    const download = page.waitForEvent("download");
    await page.evaluate(`location.assign(${JSON.stringify(url)})`);
    expect((await download).url()).toBe(url);
    expect(await page.title()).toBe("Caught mail · Till");
  });

  test("has no other attachment", async () => {
    const [mail] = till.mail.list();
    for (const path of [
      `${mail?.id}/attachments/4`,
      `${mail?.id}/attachments/-1`,
      `${mail?.id}/attachments/length`,
      "x/attachments/0",
    ]) {
      expect((await till.api("GET", `/dev/mail/${path}`)).status).toBe(404);
    }
  });
});
