import { describe, expect, test } from "bun:test";
import { partyFault } from "../../src/desk/parts/form/party-fields.tsx";
import { plainTrade } from "../../src/domain/bill/invoice.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import { billedOf } from "../../src/language/bill-currency.ts";
import { speak } from "../../src/language/locale.ts";
import { addressOf, partiesOf } from "../../src/language/parties.ts";

const written = (party: object, code: "en" | "ja" | "de" = "en") =>
  addressOf(party, speak(code))?.split("\n");

describe("an address in parts", () => {
  test.each([
    [
      { street: "1 Main Street", postalCode: "10115", city: "Berlin", country: "DE" },
      ["1 Main Street", "10115 Berlin", "Germany"],
    ],
    [
      { street: "1 Main Street", postalCode: "62704", city: "Springfield", region: "IL", country: "US" },
      ["1 Main Street", "Springfield, IL 62704", "United States"],
    ],
    [
      { street: "1 High Street", addition: "Flat 2", postalCode: "SW1A 1AA", city: "London", country: "GB" },
      ["1 High Street", "Flat 2", "London", "SW1A 1AA", "United Kingdom"],
    ],
    [
      { street: "Via Roma 1", postalCode: "00184", city: "Roma", region: "RM", country: "IT" },
      ["Via Roma 1", "00184 Roma, RM", "Italy"],
    ],
    [{ city: "Paris" }, ["Paris"]],
  ])("is written as in its country: %j", (party, lines) => {
    expect(written(party)).toEqual(lines);
  });

  test("begins with the largest in Chinese characters, and names the country in the reader's language", () => {
    const tokyo = {
      street: "丸の内1-1",
      city: "千代田区",
      region: "東京都",
      postalCode: "100-0005",
      country: "JP",
    };
    expect(written(tokyo, "ja")).toEqual(["〒100-0005", "東京都千代田区丸の内1-1", "日本"]);
    const latin = {
      street: "1-1 Marunouchi",
      city: "Chiyoda",
      region: "Tokyo",
      postalCode: "100-0005",
      country: "JP",
    };
    expect(written(latin, "de")).toEqual(["1-1 Marunouchi", "Chiyoda, Tokyo 100-0005", "Japan"]);
  });

  test("stands instead of the free text, which stays where neither street nor city is known", () => {
    const invoice = { ...plainTrade, merchantAddress: "1 Main Street", vendorAddress: null };
    const details = { city: "Berlin", vatId: "DE136695976", taxId: "29/815" };
    const parties = partiesOf(
      { ...invoice, merchantDetails: details, vendorDetails: { country: "US", taxId: "12-3456789" } },
      speak("de"),
    );
    expect(parties).toEqual({
      merchantAddress: "Berlin",
      vendorAddress: null,
      merchantNumbers: [
        { label: "USt-IdNr.", value: "DE136695976" },
        { label: "Steuernummer", value: "29/815" },
      ],
      merchantContact: [],
      vendorNumbers: [{ label: "EIN", value: "12-3456789" }],
      vendorContact: [],
      tradeFacts: [],
    });
    expect(partiesOf(invoice, speak("de")).merchantAddress).toBe("1 Main Street");
  });
});

describe("what is read from the left", () => {
  const trade = { ...plainTrade, merchantDetails: { phone: "+49 30 1234567" } };
  const phone = (code: "ar" | "de") =>
    partiesOf({ merchantAddress: "", vendorAddress: null, ...trade }, speak(code)).merchantContact[0]?.value;
  const rate = (code: "ar" | "de") => {
    const currency = { code: "EUR", total: Usdc.zero, rate: "0.8607", source: "kraken, coinbase" };
    return billedOf({ currency: { ...currency, fetchedAt: 0 } }, speak(code)).billed?.rate;
  };

  test("stays so between words of Arabic, whose line begins with a word of it", () => {
    expect(phone("ar")).toBe("\u2066+49 30 1234567\u2069");
    expect(rate("ar")).toMatch(/^[^A-Za-z]*\p{sc=Arab}.* · \u20661 USDC = 0\.8607 EUR\u2069$/u);
  });

  test("stays so in what the desk says of a fault", () => {
    const said = (field: string) =>
      partyFault({ field: `merchant_details.${field}`, code: "blank" }, speak("ar"))?.message;
    expect(said("phone")).toContain("\u2066+49 30 1234567\u2069");
    expect(said("electronic_address")).toContain("\u20669930:DE136695976\u2069");
  });

  test("stands as it is elsewhere", () => {
    expect(phone("de")).toBe("+49 30 1234567");
    expect(rate("de")).toMatch(/^1 USDC = 0,8607 EUR · Kraken und Coinbase · /);
  });
});
