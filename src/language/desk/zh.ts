import type { DeskTexts } from "./desk.ts";
import { attention } from "./zh/attention.ts";
import { books } from "./zh/books.ts";
import { counter } from "./zh/counter.ts";
import { credit } from "./zh/credit.ts";
import { customers } from "./zh/customers.ts";
import { deeds } from "./zh/deeds.ts";
import { door } from "./zh/door.ts";
import { eInvoice } from "./zh/e-invoice.ts";
import { frame } from "./zh/frame.ts";
import { health } from "./zh/health.ts";
import { home } from "./zh/home.ts";
import { invoice } from "./zh/invoice.ts";
import { invoiceForm } from "./zh/invoice-form.ts";
import { invoices } from "./zh/invoices.ts";
import { link } from "./zh/link.ts";
import { linkForm } from "./zh/link-form.ts";
import { links } from "./zh/links.ts";
import { money } from "./zh/money.ts";
import { party } from "./zh/party.ts";
import { people } from "./zh/people.ts";
import { shop } from "./zh/shop.ts";
import { webhooks } from "./zh/webhooks.ts";
import { withdrawal } from "./zh/withdraw.ts";

export const zh: DeskTexts = {
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
