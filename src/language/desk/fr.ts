import type { DeskTexts } from "./desk.ts";
import { books } from "./fr/books.ts";
import { counter } from "./fr/counter.ts";
import { credit } from "./fr/credit.ts";
import { customers } from "./fr/customers.ts";
import { door } from "./fr/door.ts";
import { frame } from "./fr/frame.ts";
import { health } from "./fr/health.ts";
import { home } from "./fr/home.ts";
import { invoice } from "./fr/invoice.ts";
import { invoiceForm } from "./fr/invoice-form.ts";
import { invoices } from "./fr/invoices.ts";
import { links } from "./fr/links.ts";
import { money } from "./fr/money.ts";
import { people } from "./fr/people.ts";
import { shop } from "./fr/shop.ts";
import { webhooks } from "./fr/webhooks.ts";

export const fr = {
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
