import type { DeskTexts } from "./desk.ts";
import { books } from "./ja/books.ts";
import { counter } from "./ja/counter.ts";
import { credit } from "./ja/credit.ts";
import { customers } from "./ja/customers.ts";
import { door } from "./ja/door.ts";
import { frame } from "./ja/frame.ts";
import { health } from "./ja/health.ts";
import { home } from "./ja/home.ts";
import { invoice } from "./ja/invoice.ts";
import { invoiceForm } from "./ja/invoice-form.ts";
import { invoices } from "./ja/invoices.ts";
import { links } from "./ja/links.ts";
import { money } from "./ja/money.ts";
import { people } from "./ja/people.ts";
import { shop } from "./ja/shop.ts";
import { webhooks } from "./ja/webhooks.ts";

export const ja: DeskTexts = {
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
