import type { DeskTexts } from "./desk.ts";
import { attention } from "./fr/attention.ts";
import { books } from "./fr/books.ts";
import { counter } from "./fr/counter.ts";
import { credit } from "./fr/credit.ts";
import { customers } from "./fr/customers.ts";
import { deeds } from "./fr/deeds.ts";
import { door } from "./fr/door.ts";
import { eInvoice } from "./fr/e-invoice.ts";
import { frame } from "./fr/frame.ts";
import { health } from "./fr/health.ts";
import { home } from "./fr/home.ts";
import { invoice } from "./fr/invoice.ts";
import { invoiceForm } from "./fr/invoice-form.ts";
import { invoices } from "./fr/invoices.ts";
import { link } from "./fr/link.ts";
import { linkForm } from "./fr/link-form.ts";
import { links } from "./fr/links.ts";
import { money } from "./fr/money.ts";
import { party } from "./fr/party.ts";
import { people } from "./fr/people.ts";
import { shop } from "./fr/shop.ts";
import { webhooks } from "./fr/webhooks.ts";
import { withdrawal } from "./fr/withdraw.ts";

export const fr = {
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
