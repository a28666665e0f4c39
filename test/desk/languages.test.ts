import { describe, expect, test } from "bun:test";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { parse } from "../pages/dom.ts";
import { startDesk } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { linkRequest, until } from "../support/till/till.ts";

useDesk(() => startDesk({ TILL_OPEN_API: "true" }));

const textOf = async (answer: Promise<Response>) =>
  parse(await (await answer).text()).querySelector("main")?.textContent ?? "";

describe.each(languageCodes)("in %s", (code) => {
  const language = { "accept-language": code };

  test("a fault is told in that language alone", async () => {
    const { say } = speak(code);
    const ofTest = await textOf(
      owner.post("/desk/settings/webhooks/test", { url: "ftp://shop.example/" }, language),
    );
    expect(ofTest).toContain(say("linkFaultWebhook"));
    const link = { ...linkRequest, often: "once", price: "fixed", wallet_type: "elsewhere" };
    const ofLink = await textOf(owner.post("/desk/links/new", link, language));
    expect(ofLink).toContain(say("faultOther", { field: "wallet_type" }));
    const english = /\bmust (be|start|have)\b/;
    if (code !== "en") expect(ofTest + ofLink).not.toMatch(english);
  });

  test("two sentences have between them what the language puts there", async () => {
    const line = { description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "19" };
    const { invoice_number, invoice_url = "" } = await till.createInvoice({
      line_items: [line],
      send_now: false,
    });
    // Its customer has seen it: now a credit note has to take it back.
    await fetch(invoice_url, { headers: { accept: "text/html" } });
    const { say, marks } = speak(code);
    await until(
      () => textOf(owner.get(`/desk/invoices/${invoice_number}/void`, language)),
      (page) => page.includes(`${say("voidUnmailed")}${marks.gap}${say("voidCredits")}`),
    );
    // Till's own wallet is in use, and its recovery phrase was never shown.
    const money = await textOf(owner.get("/desk/money", language));
    const [short, long] = [say("wordsMissingShort"), say("wordsMissingText")];
    expect(money).toContain(`${short}${marks.gap}${long}${marks.gap}${say("wordsBack")}`);
  });
});
