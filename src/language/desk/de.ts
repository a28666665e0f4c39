import { books } from "./de/books.ts";
import { counter } from "./de/counter.ts";
import { credit } from "./de/credit.ts";
import { customers } from "./de/customers.ts";
import { door } from "./de/door.ts";
import { frame } from "./de/frame.ts";
import { health } from "./de/health.ts";
import { home } from "./de/home.ts";
import { invoice } from "./de/invoice.ts";
import { invoiceForm } from "./de/invoice-form.ts";
import { invoices } from "./de/invoices.ts";
import { links } from "./de/links.ts";
import { money } from "./de/money.ts";
import { people } from "./de/people.ts";
import { shop } from "./de/shop.ts";
import { webhooks } from "./de/webhooks.ts";
import type { DeskTexts } from "./desk.ts";

export const de = {
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
