import type { DeskTexts } from "./desk.ts";
import { books } from "./pt/books.ts";
import { counter } from "./pt/counter.ts";
import { credit } from "./pt/credit.ts";
import { customers } from "./pt/customers.ts";
import { door } from "./pt/door.ts";
import { frame } from "./pt/frame.ts";
import { health } from "./pt/health.ts";
import { home } from "./pt/home.ts";
import { invoice } from "./pt/invoice.ts";
import { invoiceForm } from "./pt/invoice-form.ts";
import { invoices } from "./pt/invoices.ts";
import { links } from "./pt/links.ts";
import { money } from "./pt/money.ts";
import { people } from "./pt/people.ts";
import { shop } from "./pt/shop.ts";
import { webhooks } from "./pt/webhooks.ts";

export const pt = {
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
