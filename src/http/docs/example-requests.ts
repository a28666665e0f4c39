import { createdAt, invoice, link, wallet } from "./exemplary.ts";

/** The requests in the examples of /docs and /openapi.json. */

const smallInvoice = {
  merchant_email: invoice.merchantEmail,
  merchant_name: invoice.merchantName,
  merchant_address: invoice.merchantAddress,
  customer_email: invoice.vendorEmail,
  customer_name: invoice.vendorName,
  line_items: [{ description: "Design", quantity: 10, unit_price: "120.00" }],
  due_date: invoice.dueDate,
  wallet_type: "managed",
};

const smallLink = {
  business_name: link.businessName,
  expected_amount: "25.00",
  merchant_email: link.merchantEmail,
  wallet_type: "managed",
};

export const requests = {
  invoice: {
    "Smallest request": smallInvoice,
    "Request with all fields": {
      ...smallInvoice,
      customer_address: invoice.vendorAddress,
      line_items: [
        ...smallInvoice.line_items,
        { description: "Hosting, per month", quantity: 1.5, unit_price: "200.00" },
      ],
      issue_date: invoice.issueDate,
      due_date: invoice.dueDate,
      wallet_type: "byo",
      wallet_address: wallet,
      notes: invoice.notes,
      reference: invoice.reference,
      metadata: { cart: "8f14e45f" },
      webhook_url: invoice.webhookUrl,
      webhook_events: invoice.webhookEvents,
      send_now: true,
    },
  },
  link: {
    "Smallest request": smallLink,
    "Reusable link": {
      ...smallLink,
      product_description: link.productDescription,
      reusable: true,
      quantity_max: 10,
    },
    "Reusable link, the payer chooses the amount": {
      business_name: link.businessName,
      merchant_email: link.merchantEmail,
      wallet_type: "managed",
      product_description: "A donation to our garden",
      reusable: true,
      amount_min: "1.00",
      amount_max: "500.00",
    },
    "Request with all fields": {
      ...smallLink,
      wallet_type: "byo",
      wallet_address: wallet,
      product_description: link.productDescription,
      reference: link.reference,
      metadata: { cart: "c9f0f895" },
      webhook_url: link.webhookUrl,
      webhook_events: link.webhookEvents,
      success_url: link.successUrl,
      expires_at: "2030-12-31T18:00:00+01:00",
      embed_origins: link.embedOrigins,
    },
  },
};

export const voidedAt = createdAt + 86_400_000;
export const voided = { voidedAt, voidReason: "Billed twice: please see INV-0041." };
export const marked = { markedPaidAt: voidedAt };

export const closingRequests = {
  void: { "Smallest request": { reason: voided.voidReason } },
  mark: {
    "Smallest request": { as: "paid" },
    "Request with all fields": { as: "paid", note: "By bank on 3 November." },
  },
};

export const quoteRequests = { "Smallest request": {}, "Request with all fields": { rate: "0.8607" } };
