/**
 * A shop of one tea, with Hono: a payment link for each order, and the tea once Till's webhook says that it is paid.
 *
 *   TILL_URL=… TILL_API_KEY=… SHOP_URL=https://tea.example bun shop.ts
 */
import { Hono } from "hono";
import { createTill, verifyWebhook, WebhookError } from "till-client";

const { TILL_URL = "http://127.0.0.1:3000", TILL_API_KEY, SHOP_URL = "http://127.0.0.1:8080" } = process.env;
const till = createTill({ baseUrl: TILL_URL, apiKey: TILL_API_KEY });

/** A real shop keeps these in its database. */
type Order = { slug: string; webhookSecret: string; isPaid: boolean };
const orders = new Map<string, Order>();

const shop = new Hono();

shop.get("/", (context) =>
  context.html(
    '<h1>Guji, 500 g</h1><form method="post" action="/orders"><button>Buy for 25.00 USDC</button></form>',
  ),
);

shop.post("/orders", async (context) => {
  const id = crypto.randomUUID();
  const link = await till.post("/api/links", {
    // Asked again with this key, Till answers with the same link.
    idempotencyKey: id,
    body: {
      business_name: "Tea Shop",
      product_description: "Guji, 500 g",
      expected_amount: "25.00",
      merchant_email: "owner@tea.example",
      wallet_type: "managed",
      reference: id,
      webhook_url: `${SHOP_URL}/till/${id}`,
      success_url: `${SHOP_URL}/orders/${id}`,
    },
  });
  if (!("slug" in link)) throw new Error("A link for one payment was asked for");
  orders.set(id, { slug: link.slug, webhookSecret: link.webhook_secret ?? "", isPaid: false });
  return context.redirect(link.payment_link, 303);
});

shop.get("/orders/:id", (context) => {
  const order = orders.get(context.req.param("id"));
  if (order === undefined) return context.notFound();
  // The customer may come back before the payment is confirmed. Only the webhook says that it is.
  return context.html(
    order.isPaid ? "<h1>Paid. The tea is on its way.</h1>" : "<h1>Waiting for the payment</h1>",
  );
});

shop.post("/till/:id", async (context) => {
  const order = orders.get(context.req.param("id"));
  if (order === undefined) return context.notFound();
  const { event } = await verifyWebhook(context.req.raw, context.req.raw.headers, order.webhookSecret);
  // The same event may come again. `status` is "partial" when too little came.
  if ("event" in event && event.event === "link.paid" && event.status !== "partial") order.isPaid = true;
  return context.text("taken");
});

shop.onError((error, context) =>
  error instanceof WebhookError ? context.text(error.message, 400) : context.text("Please try again.", 500),
);

export default { port: Number(new URL(SHOP_URL).port || 8080), hostname: "127.0.0.1", fetch: shop.fetch };
