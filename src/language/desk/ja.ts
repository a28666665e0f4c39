import type { DeskTexts } from "./desk.ts";
import { attention } from "./ja/attention.ts";
import { books } from "./ja/books.ts";
import { counter } from "./ja/counter.ts";
import { credit } from "./ja/credit.ts";
import { customers } from "./ja/customers.ts";
import { deeds } from "./ja/deeds.ts";
import { door } from "./ja/door.ts";
import { eInvoice } from "./ja/e-invoice.ts";
import { frame } from "./ja/frame.ts";
import { health } from "./ja/health.ts";
import { home } from "./ja/home.ts";
import { invoice } from "./ja/invoice.ts";
import { invoiceForm } from "./ja/invoice-form.ts";
import { invoices } from "./ja/invoices.ts";
import { link } from "./ja/link.ts";
import { linkForm } from "./ja/link-form.ts";
import { links } from "./ja/links.ts";
import { money } from "./ja/money.ts";
import { party } from "./ja/party.ts";
import { people } from "./ja/people.ts";
import { shop } from "./ja/shop.ts";
import { webhooks } from "./ja/webhooks.ts";
import { withdrawal } from "./ja/withdraw.ts";

export const ja: DeskTexts = {
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
