import type { DeskTexts } from "./desk.ts";
import { books } from "./zh/books.ts";
import { counter } from "./zh/counter.ts";
import { credit } from "./zh/credit.ts";
import { customers } from "./zh/customers.ts";
import { door } from "./zh/door.ts";
import { frame } from "./zh/frame.ts";
import { health } from "./zh/health.ts";
import { home } from "./zh/home.ts";
import { invoice } from "./zh/invoice.ts";
import { invoiceForm } from "./zh/invoice-form.ts";
import { invoices } from "./zh/invoices.ts";
import { links } from "./zh/links.ts";
import { money } from "./zh/money.ts";
import { people } from "./zh/people.ts";
import { shop } from "./zh/shop.ts";
import { webhooks } from "./zh/webhooks.ts";

export const zh: DeskTexts = {
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
