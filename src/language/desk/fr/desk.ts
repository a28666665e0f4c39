import type { DeskTexts } from "../desk.ts";
import { counter } from "./counter.ts";
import { credit } from "./credit.ts";
import { customers } from "./customers.ts";
import { door } from "./door.ts";
import { frame } from "./frame.ts";
import { home } from "./home.ts";
import { invoice } from "./invoice.ts";
import { invoiceForm } from "./invoice-form.ts";
import { invoices } from "./invoices.ts";
import { links } from "./links.ts";
import { money } from "./money.ts";
import { people } from "./people.ts";
import { shop } from "./shop.ts";

export const fr = {
  ...counter,
  ...credit,
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
} as const satisfies DeskTexts;
