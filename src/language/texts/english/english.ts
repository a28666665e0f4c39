import { crossing } from "./crossing.ts";
import { books } from "./desk/books.ts";
import { counter } from "./desk/counter.ts";
import { credit } from "./desk/credit.ts";
import { customers } from "./desk/customers.ts";
import { door } from "./desk/door.ts";
import { frame } from "./desk/frame.ts";
import { health } from "./desk/health.ts";
import { home } from "./desk/home.ts";
import { invoiceForm } from "./desk/invoice-form.ts";
import { links } from "./desk/links.ts";
import { money } from "./desk/money.ts";
import { people } from "./desk/people.ts";
import { recurring } from "./desk/recurring.ts";
import { refunds } from "./desk/refunds.ts";
import { shop } from "./desk/shop.ts";
import { webhooks } from "./desk/webhooks.ts";
import { invoice } from "./invoice.ts";
import { invoices } from "./invoices.ts";
import { mails } from "./mails.ts";
import { payerPages } from "./payer-pages.ts";
import { pdfs } from "./pdfs.ts";
import { signing } from "./signing.ts";
import { trade } from "./trade.ts";

/**
 * Every text, in English. `{name}` is filled in, `**…**` is bold, `[…]` is a link. No text counts a noun or lets a verb
 * follow an amount: write "label: {count}". The other languages are the JSON files in the folder above, with the same keys
 * in the same order.
 */
export const english = {
  ...payerPages,
  ...mails,
  ...pdfs,
  ...signing,
  ...crossing,
  ...trade,
  ...counter,
  ...credit,
  ...refunds,
  ...recurring,
  ...customers,
  ...door,
  ...frame,
  ...home,
  ...invoice,
  ...invoiceForm,
  ...invoices,
  ...links,
  ...money,
  ...people,
  ...shop,
  ...books,
  ...health,
  ...webhooks,
} as const;
