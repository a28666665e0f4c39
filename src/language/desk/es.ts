import type { DeskTexts } from "./desk.ts";
import { books } from "./es/books.ts";
import { counter } from "./es/counter.ts";
import { credit } from "./es/credit.ts";
import { customers } from "./es/customers.ts";
import { door } from "./es/door.ts";
import { frame } from "./es/frame.ts";
import { health } from "./es/health.ts";
import { home } from "./es/home.ts";
import { invoice } from "./es/invoice.ts";
import { invoiceForm } from "./es/invoice-form.ts";
import { invoices } from "./es/invoices.ts";
import { links } from "./es/links.ts";
import { money } from "./es/money.ts";
import { people } from "./es/people.ts";
import { shop } from "./es/shop.ts";
import { webhooks } from "./es/webhooks.ts";

export const es = {
  ...books,
  ...counter,
  ...credit,
  ...customers,
  ...door,
  ...frame,
  ...health,
  ...home,
  ...invoice,
  ...invoiceForm,
  ...invoices,
  ...links,
  ...money,
  ...people,
  ...shop,
  ...webhooks,
} as const satisfies DeskTexts;
