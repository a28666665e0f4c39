/** Says how many transfers are stored. */

import { db } from "ponder:api";
import { transfer } from "ponder:schema";
import { Hono } from "hono";
import { count } from "ponder";

const app = new Hono();
app.get("/transfers", async (c) => {
  const [row] = await db.select({ count: count() }).from(transfer);
  return c.text(String(row?.count));
});

export default app;
