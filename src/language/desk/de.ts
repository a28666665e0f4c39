import { attention } from "./de/attention.ts";
import { books } from "./de/books.ts";
import { counter } from "./de/counter.ts";
import { credit } from "./de/credit.ts";
import { customers } from "./de/customers.ts";
import { deeds } from "./de/deeds.ts";
import { door } from "./de/door.ts";
import { eInvoice } from "./de/e-invoice.ts";
import { frame } from "./de/frame.ts";
import { health } from "./de/health.ts";
import { home } from "./de/home.ts";
import { invoice } from "./de/invoice.ts";
import { invoiceForm } from "./de/invoice-form.ts";
import { invoices } from "./de/invoices.ts";
import { link } from "./de/link.ts";
import { linkForm } from "./de/link-form.ts";
import { links } from "./de/links.ts";
import { money } from "./de/money.ts";
import { party } from "./de/party.ts";
import { people } from "./de/people.ts";
import { shop } from "./de/shop.ts";
import { webhooks } from "./de/webhooks.ts";
import { withdrawal } from "./de/withdraw.ts";
import type { DeskTexts } from "./desk.ts";

export const de = {
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
