import { describe, expect, test } from "bun:test";
import * as Usdc from "../../src/domain/usdc.ts";
import { invoiceBody, linkBody } from "../../src/domain/webhook-event.ts";

describe("invoiceBody", () => {
  const invoiceId = "3f0c9f0e-6a3b-4f0e-9a55-0d4f7a8d3c11";

  test("has the five documented fields in their order, and nothing else", () => {
    const total = Usdc.fromMicro(1_500_000_000n);
    expect(invoiceBody({ invoiceId, invoiceNumber: "INV-7", total, status: "partial" })).toBe(
      `{"event":"invoice.paid","invoice_id":"${invoiceId}","invoice_number":"INV-7","total_amount":"1500.00","status":"partial"}`,
    );
  });

  test("names the same event for every status", () => {
    for (const status of ["paid", "partial", "excess"] as const) {
      const body = JSON.parse(invoiceBody({ invoiceId, invoiceNumber: "INV-7", total: Usdc.zero, status }));
      expect(body).toMatchObject({ event: "invoice.paid", status });
    }
  });
});

describe("linkBody", () => {
  test("says what was expected and what came, rounded down to cents", () => {
    const expected = Usdc.fromMicro(25_000_000n);
    const received = Usdc.fromMicro(24_999_999n);
    expect(linkBody({ slug: "k3v9", expected, received, status: "partial" })).toBe(
      '{"event":"link.paid","slug":"k3v9","expected_amount":"25.00","received_amount":"24.99","status":"partial"}',
    );
  });
});
