import { expect, test } from "bun:test";
import { rulesKnown } from "../../src/cli/commands/issue/fields.ts";
import { formFaults as ofInvoice } from "../../src/desk/invoices/form/form-faults.ts";
import { formFaults as ofLink } from "../../src/desk/links/fields.ts";
import { formOfShop, readProfile } from "../../src/desk/shop/profile-form.ts";
import { nothingSaved } from "../../src/domain/party/party.ts";
import { plainProfile } from "../../src/domain/party/profile.ts";
import { parseInvoiceRequest } from "../../src/invoicing/request/invoice.ts";
import { parseLinkRequest } from "../../src/invoicing/request/link/link.ts";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { invoiceRequest, linkRequest } from "../support/till/till.ts";

test.each(languageCodes)("a wallet that is missing is asked for, and a wrong one explained: %s", (code) => {
  const locale = speak(code);
  for (const [wallet_address, text] of [
    [undefined, "faultWalletMissing"],
    ["0x1", "faultWallet"],
    ["0x000000000000000000000000000000000000dEaD", "faultWallet"],
  ] as const) {
    const byo = { wallet_type: "byo", ...(wallet_address && { wallet_address }) };
    const invoice = parseInvoiceRequest({ ...invoiceRequest, ...byo }, rulesKnown);
    const link = parseLinkRequest({ ...linkRequest, ...byo }, rulesKnown);
    const shop = {
      ...formOfShop("", plainProfile, nothingSaved),
      payout: "own",
      wallet: wallet_address ?? "",
    } as const;
    const message = locale.say(text);
    const fault = { field: "wallet_address", message };
    expect([
      invoice.ok || ofInvoice(invoice.faults, [0], locale),
      link.ok || ofLink(link.faults, "USDC", locale),
      readProfile(shop, locale, rulesKnown),
    ]).toEqual([[fault], [fault], [{ field: "wallet", message }]]);
  }
});

test("of each field one thing is said, in the order of the form, whatever the API calls it", () => {
  const asked = {
    ...linkRequest,
    success_url: "x",
    reusable: true,
    embed_origins: ["a", "b"],
    expires_at: "x",
  };
  const parsed = parseLinkRequest(asked, rulesKnown);
  if (parsed.ok) throw new Error("It has faults.");
  expect(parsed.faults.map(({ field }) => field)).toContain("embed_origins[1]");
  const said = ofLink(parsed.faults, "USDC", speak("en"));
  expect(said.map(({ field }) => field)).toEqual(["expires_on", "success_url", "embed_origins"]);
});

test.each([
  ["JPY", "42", "1,000,000,000"],
  ["EUR", "42.20", "1,000,000,000.00"],
  ["KWD", "42.200", "1,000,000,000.000"],
])("the amount that is advised is one that the currency can have: %s", (currency, example, most) => {
  const { expected_amount: _, ...link } = { ...linkRequest, reusable: true, currency, rate: "100" };
  const [once, chosen] = [{ amount: "x" }, { amount_min: "x", amount_max: "x" }].map((price) => {
    const parsed = parseLinkRequest({ ...link, ...price }, rulesKnown);
    return parsed.ok || ofLink(parsed.faults, currency, speak("en")).map(({ message }) => message);
  });
  const wrong = `Enter an amount such as ${example}, above 0 and at most ${most}.`;
  expect(once).toEqual([wrong]);
  expect(chosen).toEqual([
    wrong,
    `Enter an amount such as ${example}, no less than the first and at most ${most}.`,
  ]);
});

test("a line that comes to too much is told so, not that its price is none", () => {
  const line = { description: "Screws", quantity: 1_000_000, unit_price: "1000000000.00" };
  const parsed = parseInvoiceRequest({ ...invoiceRequest, line_items: [line] }, rulesKnown);
  expect(parsed.ok || ofInvoice(parsed.faults, [3], speak("en"))).toEqual([
    {
      field: "unit_price-3",
      message: "The lines must come to more than 0.00 and at most 1,000,000,000.00 USDC.",
    },
  ]);
});
