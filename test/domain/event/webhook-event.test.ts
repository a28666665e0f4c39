import { describe, expect, test } from "bun:test";
import { invoiceBody, linkBody } from "../../../src/domain/event/webhook-event.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

/** What nearly every request leaves out. */
const nothing = { reference: null, metadata: null };

describe("invoiceBody", () => {
  const invoiceId = "3f0c9f0e-6a3b-4f0e-9a55-0d4f7a8d3c11";

  test("has the five documented fields in their order, and nothing else", () => {
    const total = Usdc.fromMicro(1_500_000_000n);
    expect(invoiceBody({ invoiceId, invoiceNumber: "INV-7", total, status: "partial", ...nothing })).toBe(
      `{"event":"invoice.paid","invoice_id":"${invoiceId}","invoice_number":"INV-7","total_amount":"1500.00","status":"partial"}`,
    );
  });

  test("has what was given of the merchant's own after them", () => {
    const given = { reference: "PO-4711", metadata: JSON.parse('{"__proto__":"x","cart":"17"}') };
    const body = invoiceBody({
      invoiceId,
      invoiceNumber: "INV-7",
      total: Usdc.zero,
      status: "paid",
      ...given,
    });
    expect(body).toEndWith('"status":"paid","reference":"PO-4711","metadata":{"__proto__":"x","cart":"17"}}');
  });

  test("names the same event for every status", () => {
    for (const status of ["paid", "partial", "excess"] as const) {
      const body = JSON.parse(
        invoiceBody({ invoiceId, invoiceNumber: "INV-7", total: Usdc.zero, status, ...nothing }),
      );
      expect(body).toMatchObject({ event: "invoice.paid", status });
    }
  });
});

describe("linkBody", () => {
  test("says what was expected and what came, rounded down to cents", () => {
    const expected = Usdc.fromMicro(25_000_000n);
    const received = Usdc.fromMicro(24_999_999n);
    expect(linkBody({ slug: "k3v9", expected, received, status: "partial", ...nothing })).toBe(
      '{"event":"link.paid","slug":"k3v9","expected_amount":"25.00","received_amount":"24.99","status":"partial"}',
    );
  });
  test("has what was given of the merchant's own after that", () => {
    const given = { reference: null, metadata: { cart: "17" } };
    const body = linkBody({
      slug: "k3v9",
      expected: Usdc.zero,
      received: Usdc.zero,
      status: "confirmed",
      ...given,
    });
    expect(body).toEndWith('"status":"confirmed","metadata":{"cart":"17"}}');
  });
});
