import type { DeskTexts } from "./desk.ts";
import { attention } from "./pt/attention.ts";
import { books } from "./pt/books.ts";
import { counter } from "./pt/counter.ts";
import { credit } from "./pt/credit.ts";
import { customers } from "./pt/customers.ts";
import { deeds } from "./pt/deeds.ts";
import { door } from "./pt/door.ts";
import { eInvoice } from "./pt/e-invoice.ts";
import { frame } from "./pt/frame.ts";
import { health } from "./pt/health.ts";
import { home } from "./pt/home.ts";
import { invoice } from "./pt/invoice.ts";
import { invoiceForm } from "./pt/invoice-form.ts";
import { invoices } from "./pt/invoices.ts";
import { link } from "./pt/link.ts";
import { linkForm } from "./pt/link-form.ts";
import { links } from "./pt/links.ts";
import { money } from "./pt/money.ts";
import { party } from "./pt/party.ts";
import { people } from "./pt/people.ts";
import { shop } from "./pt/shop.ts";
import { webhooks } from "./pt/webhooks.ts";
import { withdrawal } from "./pt/withdraw.ts";

export const pt = {
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
