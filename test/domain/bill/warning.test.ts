import { describe, expect, test } from "bun:test";
import type * as Tax from "../../../src/domain/bill/tax.ts";
import { warningsOf } from "../../../src/domain/bill/warning.ts";
import { sayFault } from "../../../src/language/faults.ts";
import { buyer, line, seller, subject } from "../einvoice/samples.ts";

const today = "2026-11-22";
const delivery = { kind: "day", day: today } as const;
type Changes = Parameters<typeof subject>[1];
function found(changes: Changes = {}, items = [line()], closed: string | null = null): string[] {
  const bill = subject(items, { dueDate: "2026-12-06", delivery, ...changes });
  return warningsOf({ ...bill, dueDate: bill.dueDate ?? "" }, today, closed).map(({ code }) => code);
}
const of = (category: Tax.Category) => [line({ category, reason: "x" })];

describe("an invoice is", () => {
  test("fine as it should be, and with no word of tax", () => {
    expect(found()).toEqual([]);
    expect(
      found({ totals: null, merchantDetails: null, delivery: null }, [{ ...line(), tax: null }]),
    ).toEqual([]);
  });

  test("told of a seller without a number, but not in the United States or outside the scope", () => {
    const bare = { country: "DE" };
    expect(found({ merchantDetails: null })).toEqual(["no_tax_id"]);
    expect(found({ merchantDetails: bare })).toEqual(["no_tax_id"]);
    expect(found({ merchantDetails: { ...bare, taxId: "12/345/67890" } })).toEqual([]);
    expect(found({ merchantDetails: { country: "US" } })).toEqual([]);
    expect(found({ merchantDetails: bare }, of("outside_scope"))).toEqual([]);
  });

  test("told of a buyer without one, where the buyer accounts for the tax", () => {
    for (const category of ["reverse_charge", "intra_community"] as const) {
      expect(found({ vendorDetails: { country: "FR" } }, of(category))).toEqual(["no_buyer_tax_id"]);
      expect(found({ vendorDetails: buyer }, of(category))).toEqual([]);
    }
    expect(found({ vendorDetails: null }, of("export"))).toEqual([]);
    const registered = { vendorDetails: { country: "FR", registration: "303265045" } };
    expect(found(registered, of("reverse_charge"))).toEqual([]);
    expect(found(registered, of("intra_community"))).toEqual(["no_buyer_tax_id"]);
  });

  test("told of the day of delivery, where the law wants it", () => {
    expect(found({ delivery: null })).toEqual(["no_delivery_date"]);
    expect(found({ delivery: null, merchantDetails: { ...seller, country: "JP" } })).toEqual([]);
    for (const details of [{ ...seller, country: "CH" }, { vatId: "DE136695976" }])
      expect(found({ delivery: null, merchantDetails: details })).toEqual(["no_delivery_date"]);
    expect(found({ delivery: { kind: "period", from: "2025-11-20", to: today } })).toEqual(["delivery_far"]);
    expect(found({ delivery: { kind: "day", day: "2027-11-24" } })).toEqual(["delivery_far"]);
  });

  test("told of what France asks for besides, when both are there", () => {
    const french = { ...seller, country: "FR" };
    expect(found({ merchantDetails: french })).toEqual(["french_rules"]);
    expect(found({ merchantDetails: french, vendorDetails: { country: "DE" } })).toEqual([]);
    expect(found({ merchantDetails: french }, of("outside_scope"))).toEqual([]);
  });

  test("told of days far away, to the day", () => {
    expect(found({ issueDate: "2026-10-22" })).toEqual([]);
    expect(found({ issueDate: "2026-10-21" })).toEqual(["issue_back"]);
    expect(found({ issueDate: "2026-11-29" })).toEqual([]);
    expect(found({ issueDate: "2026-11-30" })).toEqual(["issue_ahead"]);
    expect(found({ dueDate: "2026-11-21", issueDate: "2026-11-20" })).toEqual(["due_past"]);
    expect(found({ dueDate: today })).toEqual([]);
    expect(found({ dueDate: "2031-11-26" })).toEqual([]);
    expect(found({ dueDate: "2031-11-27" })).toEqual(["due_far"]);
  });

  test("told of a delivery on closed days, where its tax still counts", () => {
    const period = { delivery: { kind: "period", from: "2026-10-20", to: "2026-11-02" } } as const;
    expect(found(period, [line()], "2026-11-01")).toEqual([]);
    expect(found(period, [line()], "2026-11-02")).toEqual(["earlier_period"]);
    expect(found(period, of("outside_scope"), "2026-11-02")).toEqual([]);
    expect(found(period)).toEqual([]);
    const bill = { ...subject([line()], period), dueDate: "2026-12-06" };
    expect(warningsOf(bill, today, "2026-11-03").map(sayFault)).toEqual([
      {
        field: "delivery_to",
        message:
          "is in books that are closed, through 2026-11-03: the tax belongs to that period, whose return needs a correction",
      },
    ]);
  });

  test("told when nobody knew the rate of its tax", () => {
    expect(found({ currency: null })).toEqual(["no_tax_rate_known"]);
    expect(found({ currency: null }, of("export"))).toEqual([]);
    // Before it is made, nobody was asked.
    const { taxInCurrency: _, ...before } = subject([line()], { currency: null, delivery });
    expect(warningsOf({ ...before, dueDate: "2026-12-06" }, today, null)).toEqual([]);
  });

  test("told what its tax is when each line is rounded", () => {
    const within = { pricesIncludeTax: true };
    const three = Array.from({ length: 3 }, () => line({ price: "0.99" }));
    const bill = subject(three, { ...within, delivery });
    const [warning] = warningsOf({ ...bill, dueDate: "2026-12-06" }, today, null);
    expect(warning && sayFault(warning)).toEqual({
      field: "prices_include_tax",
      message:
        "is true: the tax is 0.47, computed for each rate. Rounded line by line, as many receipts do, it would be 0.48",
    });
    expect(found(within, [line({ price: "119.00" })])).toEqual([]);
    expect(found({ pricesIncludeTax: false }, three)).toEqual([]);
  });
});
