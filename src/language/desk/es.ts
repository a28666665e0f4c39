import type { DeskTexts } from "./desk.ts";
import { attention } from "./es/attention.ts";
import { books } from "./es/books.ts";
import { counter } from "./es/counter.ts";
import { credit } from "./es/credit.ts";
import { customers } from "./es/customers.ts";
import { deeds } from "./es/deeds.ts";
import { door } from "./es/door.ts";
import { eInvoice } from "./es/e-invoice.ts";
import { frame } from "./es/frame.ts";
import { health } from "./es/health.ts";
import { home } from "./es/home.ts";
import { invoice } from "./es/invoice.ts";
import { invoiceForm } from "./es/invoice-form.ts";
import { invoices } from "./es/invoices.ts";
import { link } from "./es/link.ts";
import { linkForm } from "./es/link-form.ts";
import { links } from "./es/links.ts";
import { money } from "./es/money.ts";
import { party } from "./es/party.ts";
import { people } from "./es/people.ts";
import { shop } from "./es/shop.ts";
import { webhooks } from "./es/webhooks.ts";
import { withdrawal } from "./es/withdraw.ts";

export const es = {
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
} as const satisfies DeskTexts;
