import { attention } from "./ar/attention.ts";
import { books } from "./ar/books.ts";
import { counter } from "./ar/counter.ts";
import { credit } from "./ar/credit.ts";
import { customers } from "./ar/customers.ts";
import { deeds } from "./ar/deeds.ts";
import { door } from "./ar/door.ts";
import { eInvoice } from "./ar/e-invoice.ts";
import { frame } from "./ar/frame.ts";
import { health } from "./ar/health.ts";
import { home } from "./ar/home.ts";
import { invoice } from "./ar/invoice.ts";
import { invoiceForm } from "./ar/invoice-form.ts";
import { invoices } from "./ar/invoices.ts";
import { link } from "./ar/link.ts";
import { linkForm } from "./ar/link-form.ts";
import { links } from "./ar/links.ts";
import { money } from "./ar/money.ts";
import { party } from "./ar/party.ts";
import { people } from "./ar/people.ts";
import { shop } from "./ar/shop.ts";
import { webhooks } from "./ar/webhooks.ts";
import { withdrawal } from "./ar/withdraw.ts";
import type { DeskTexts } from "./desk.ts";

export const ar: DeskTexts = {
  ...attention,
  ...books,
  ...counter,
  ...credit,
  ...customers,
  ...deeds,
  ...door,
  ...eInvoice,
  ...frame,
  ...health,
  ...home,
  ...invoice,
  ...invoiceForm,
  ...invoices,
  ...link,
  ...linkForm,
  ...links,
  ...money,
  ...party,
  ...people,
  ...shop,
  ...webhooks,
  ...withdrawal,
};
