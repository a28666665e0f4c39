import { describe, expect, test } from "bun:test";
import { contractBody } from "../../../src/domain/event/webhook-event.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

const amounts = {
  total: Usdc.fromMicro(1_500_000_000n),
  expected: Usdc.fromMicro(25_000_000n),
  received: Usdc.fromMicro(24_999_999n),
};

describe("the contract's webhook of an invoice", () => {
  const id = "3f0c9f0e-6a3b-4f0e-9a55-0d4f7a8d3c11";
  const invoice = {
    kind: "invoice",
    id,
    name: "INV-7",
    ...amounts,
    reference: null,
    metadata: null,
  } as const;

  test("has the five documented fields in their order, and nothing else", () => {
    expect(contractBody({ ...invoice, status: "partial" })).toBe(
      `{"event":"invoice.paid","invoice_id":"${id}","invoice_number":"INV-7","total_amount":"1500.00","status":"partial"}`,
    );
  });

  test("has what was given of the merchant's own after them", () => {
    const given = { reference: "PO-4711", metadata: JSON.parse('{"__proto__":"x","cart":"17"}') };
    const body = contractBody({ ...invoice, status: "paid", ...given });
    expect(body).toEndWith('"status":"paid","reference":"PO-4711","metadata":{"__proto__":"x","cart":"17"}}');
  });

  test("names the same event for every status", () => {
    for (const status of ["paid", "partial", "excess"] as const)
      expect(JSON.parse(contractBody({ ...invoice, status }))).toMatchObject({
        event: "invoice.paid",
        status,
      });
  });
});

describe("the contract's webhook of a link", () => {
  const link = {
    kind: "link",
    id: "k3v9",
    name: "k3v9",
    ...amounts,
    reference: null,
    metadata: null,
  } as const;

  test("says what was expected and what came, rounded down to cents", () => {
    expect(contractBody({ ...link, status: "partial" })).toBe(
      '{"event":"link.paid","slug":"k3v9","expected_amount":"25.00","received_amount":"24.99","status":"partial"}',
    );
  });

  test("has what was given of the merchant's own after that", () => {
    const body = contractBody({ ...link, status: "confirmed", metadata: { cart: "17" } });
    expect(body).toEndWith('"status":"confirmed","metadata":{"cart":"17"}}');
  });
});
