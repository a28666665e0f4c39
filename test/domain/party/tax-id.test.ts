import { describe, expect, test } from "bun:test";
import * as Country from "../../../src/domain/party/country.ts";
import * as Party from "../../../src/domain/party/party.ts";
import { taxId, vatId } from "../../../src/domain/party/tax-id.ts";

describe("vatId", () => {
  test.each([
    ..."ATU13585627 BE0428759497 BG175074752 BG7523169263 CHE107787577MWST CHE107787577 CY10259033P CZ25123891".split(
      " ",
    ),
    ..."CZ7103192745 DE136695976 DK13585628 EE100931558 EL094259216 ESB58378431 ESX2482300W ES54362315K".split(
      " ",
    ),
    ..."FI20774740 FR40303265045 FRK7399859412 GB980780684 GBGD001 XI980780684 HR33392005961 HU12892312".split(
      " ",
    ),
    ..."IE6433435F IE6433435OA IE8D79739I IT00743110157 LT119511515 LT100001919017 LU15027442".split(" "),
    ..."LV40003521600 MT11679112 NL004495445B01 NL001000044B37 NO995525828MVA PL8567346215 PT501964843".split(
      " ",
    ),
    ..."RO18547290 SE123456789701 SI50223054 SK2022749619 AU51824753556".split(" "),
  ])("takes %s", (id) => {
    expect(vatId(id)).toEqual({ ok: true, value: id });
  });

  test.each([
    ["de 136 695 976", "DE136695976"],
    ["CHE-107.787.577 MWST", "CHE107787577MWST"],
    ["BE 0428.759.497", "BE0428759497"],
  ])("takes %s as it is written on letters", (text, id) => {
    expect(vatId(text)).toEqual({ ok: true, value: id });
  });

  test.each([
    // A digit too few.
    ..."ATU1358562 BE042875949 CHE10778757 DE13669597 DK1358562 ESB5837843 FR4030326504 GB98078068 NL004495445B1".split(
      " ",
    ),
    ..."PL856734621 SE1234567897 XIGD01".split(" "),
  ])("shows the right form for %s", (id) => {
    const checked = vatId(id);
    const example = !checked.ok && checked.why.code === "id_form" ? checked.why.values.example : "";
    expect(example).toStartWith(id.slice(0, 2));
    expect(vatId(example).ok).toBe(true);
  });

  test.each(
    // Two digits of a right one in each other's place, or one that is another.
    (
      "ATU13585628 BE0428759479 CHE107787557MWST DE136695967 DK13585682 EE100931585 EL094259261 FI20774704 " +
      "FR40303265054 GB980780648 HR33392005916 HU12892321 IT00743110175 LU15027424 MT11679121 NL004495454B01 " +
      "NO995525882MVA PL8567346251 PT501964834 SE123456798701 SI50223045 XI980780648"
    ).split(" "),
  )("says that the check digits of %s do not fit", (id) => {
    const why = { code: "id_digits", values: { what: `a VAT id of ${id.slice(0, 2)}` } } as const;
    expect(vatId(id)).toEqual({ ok: false, why });
  });

  test("wants the country first, and EL for Greece", () => {
    for (const id of ["136695976", "D136695976", "DE", ""]) expect(vatId(id).ok).toBe(false);
    const why = { code: "vat_id_greek", values: { example: "EL094259216" } } as const;
    expect(vatId("GR094259216")).toEqual({ ok: false, why });
  });
});

describe("taxId", () => {
  test.each([
    ["US", "12-3456789", true],
    ["US", "12-345678", false],
    ["IN", "27AAPFU0939F1ZV", true],
    ["IN", "27AAPFU0939F1ZX", false],
    ["IN", "27AAPFU0939F1Z", false],
    ["AU", "51 824 753 556", true],
    ["AU", "51 824 753 565", false],
    ["CA", "123456782RT0001", true],
    ["CA", "123456783RT0001", false],
    ["DE", "29/815/08150", true],
    [undefined, "whatever it is", true],
  ])("of %s: %s", (country, id, isTaken) => {
    expect(taxId(id, country).ok).toBe(isTaken);
  });
});

describe("the other parts of a party", () => {
  test.each([
    ["country", "DE", true],
    ["country", "de", false],
    ["country", "UK", false],
    ["country", "EU", false],
    ["phone", "+49 (30) 123-45/6", true],
    ["phone", "ask Jo", false],
    ["electronicAddress", "9930:DE136695976", true],
    ["electronicAddress", "EM:jo@initech.example", true],
    ["electronicAddress", "DE136695976", false],
    ["electronicAddress", "99:1", false],
  ] as const)("%s: %s", (field, value, isTaken) => {
    expect(Party.check(field, value, undefined).ok).toBe(isTaken);
  });

  test("know the countries of ISO 3166-1", () => {
    expect(new Set(Country.codes).size).toBe(249);
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    expect(Country.codes.filter((code) => names.of(code) === undefined)).toEqual([]);
  });
});
