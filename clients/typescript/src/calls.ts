// Made by bun run client.

/** The calls that take an Idempotency-Key. */
export const takesKey: readonly string[] = [
  "POST /api/invoices",
  "POST /api/invoices/{id}/send",
  "POST /api/invoices/{id}/remind",
  "POST /api/invoices/{id}/void",
  "POST /api/invoices/{id}/mark",
  "PATCH /api/invoices/{id}",
  "POST /api/invoices/{id}/quote",
  "POST /api/invoices/{id}/comments",
  "POST /api/recurring",
  "PATCH /api/recurring/{id}",
  "POST /api/invoices/{id}/credit-notes",
  "POST /api/credit-notes/{id}/send",
  "POST /api/webhook-endpoints",
  "PATCH /api/webhook-endpoints/{id}",
  "POST /api/webhook-endpoints/{id}/rotate",
  "POST /api/links",
  "POST /api/links/{slug}/void",
  "POST /api/links/{slug}/mark",
  "POST /api/links/{slug}/comments",
  "POST /api/refunds",
  "POST /api/refunds/{id}/cancel",
];
