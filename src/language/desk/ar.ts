import { books } from "./ar/books.ts";
import { counter } from "./ar/counter.ts";
import { credit } from "./ar/credit.ts";
import { customers } from "./ar/customers.ts";
import { door } from "./ar/door.ts";
import { frame } from "./ar/frame.ts";
import { health } from "./ar/health.ts";
import { home } from "./ar/home.ts";
import { invoice } from "./ar/invoice.ts";
import { invoiceForm } from "./ar/invoice-form.ts";
import { invoices } from "./ar/invoices.ts";
import { links } from "./ar/links.ts";
import { money } from "./ar/money.ts";
import { people } from "./ar/people.ts";
import { shop } from "./ar/shop.ts";
import { webhooks } from "./ar/webhooks.ts";
import type { DeskTexts } from "./desk.ts";

export const ar: DeskTexts = {
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
};
