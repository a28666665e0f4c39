import { counter } from "./counter.ts";
import { credit } from "./credit.ts";
import { customers } from "./customers.ts";
import { door } from "./door.ts";
import { frame } from "./frame.ts";
import { home } from "./home.ts";
import { invoice } from "./invoice.ts";
import { invoiceForm } from "./invoice-form.ts";
import { invoices } from "./invoices.ts";
import { links } from "./links.ts";
import { money } from "./money.ts";
import { people } from "./people.ts";
import { publicTexts } from "./public.ts";
import { recurring } from "./recurring.ts";
import { refunds } from "./refunds.ts";
import { shop } from "./shop.ts";
import { signing } from "./signing.ts";
import { trade } from "./trade.ts";

/**
 * Every text, in English. `{name}` is filled in, `**…**` is bold, `[…]` is a link. No text counts a noun or lets a verb
 * follow an amount: write "label: {count}". The other languages are the JSON files in the folder above, with the same keys
 * in the same order.
 */
export const english = {
  ...publicTexts,
  ...signing,
  ...trade,
  ...counter,
  ...credit,
  ...refunds,
  ...recurring,
  ...customers,
  ...door,
  ...frame,
  ...home,
  ...invoice,
  ...invoiceForm,
  ...invoices,
  ...links,
  ...money,
  ...people,
  ...shop,
} as const;
