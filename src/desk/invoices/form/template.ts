import type { HttpDeps } from "../../../http/route/deps.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Db } from "../../../store/database.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import type { Visit } from "../../parts/page/visit.ts";
import { ownWalletFault } from "../../shop/profile.ts";
import { sellerOf } from "../../shop/profile-form.ts";
import { bodyOf } from "./body.ts";
import { inputOf, lineForm } from "./fields.ts";
import { emptyForm, type KeptForm, readTyped, type TypedInvoice } from "./typed.ts";

/** The bill of a repeating invoice, in the form of an invoice. */

type Body = Readonly<Record<string, unknown>>;

const named = (body: Body): [string, unknown][] =>
  Object.entries(body).map(([name, value]) => [name.replace(/^customer_/, "vendor_"), value]);

const isObject = (value: unknown): value is Body => typeof value === "object" && value !== null;

/** Returns a body of POST /api/invoices as it would be typed. */
export function typedFrom(body: Body, locale: Locale): TypedInvoice {
  const mark = locale.decimalMark;
  const bodyFields = Object.fromEntries(named(body));
  const form = new URLSearchParams();
  const text = (value: unknown) => (isObject(value) ? "" : String(value ?? ""));
  const number = (value: unknown) => text(value).replace(".", mark);
  const discountOf = ({ discount_percent: percent, discount_amount: amount }: Body) =>
    percent === undefined || percent === null ? number(amount) : `${number(percent)} %`;
  for (const [name, value] of Object.entries(bodyFields)) if (value !== false) form.set(name, text(value));
  form.set("rate", number(bodyFields["rate"]));
  form.set("tax_exchange_rate", number(bodyFields["tax_exchange_rate"]));
  form.set("discount", discountOf(bodyFields));
  if ("delivery_date" in bodyFields) form.set("delivery_from", text(bodyFields["delivery_date"]));
  if ("payment_terms" in bodyFields) form.set("had_terms", "on");
  const { vendor_details: details, line_items: lines } = bodyFields;
  if (isObject(details)) {
    form.set("was_filled", "on");
    for (const [name, value] of Object.entries(details)) form.set(`vendor_details.${name}`, text(value));
  }
  for (const line of Array.isArray(lines) ? lines.filter(isObject) : []) {
    const { quantity, unit_price, tax_rate } = line;
    const numbers = { quantity, unit_price, tax_rate };
    const typed: Body = { ...line, discount: discountOf(line) };
    for (const name of lineForm.names)
      form.append(inputOf(name), name in numbers ? number(typed[name]) : text(typed[name]));
  }
  return readTyped(form, locale);
}

/** Fields that the form has. The rest of a body, such as its metadata, stays as a program set it. */
const names = new Set([
  ...Object.keys(emptyForm),
  ...["line_items", "discount_percent", "discount_amount", "delivery_date"],
]);

/** Returns the form's bill for a series, in place of `before`. */
export function billFrom(typed: TypedInvoice, mark: string, before: Body = {}): Body {
  const { body } = bodyOf(typed, mark, { sendNow: true });
  const { due_date: _, send_now: __, ...bill } = body as Body;
  return { ...Object.fromEntries(named(before).filter(([name]) => !names.has(name))), ...bill };
}

/** Fills in the seller's missing details with the current ones: the form may be older. */
export function withSeller(db: Db, form: KeptForm, { frame }: Visit): KeptForm {
  const seller = sellerOf(db, frame.locale);
  const { typed } = form;
  if (typed.merchant_email !== "" && typed.merchant_email !== seller.merchant_email) return form;
  const left = Object.entries(seller).filter(([name]) => typed[name as keyof typeof seller] === "");
  return { ...form, typed: { ...typed, ...Object.fromEntries(left) } };
}

/** The wallet fault of any form, except that a series may keep its wallet. */
export function billWalletFault(
  deps: Pick<HttpDeps, "db" | "recurring">,
  visit: Visit,
  { typed, repeat }: Pick<KeptForm, "typed" | "repeat">,
): FormFault | null {
  const wallet = deps.recurring.find(repeat)?.invoice["wallet_address"];
  return typed.wallet_address === wallet ? null : ownWalletFault(deps, visit, typed);
}
