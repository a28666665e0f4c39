import { type Static, Type } from "@sinclair/typebox";
import type { Invoice } from "../../domain/bill/invoice.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import { why } from "../../language/faults.ts";
import * as Field from "./fields.ts";
import { InvoiceBody, InvoiceRequest } from "./invoice.ts";
import { type Parsed, readChanged } from "./validation.ts";

const { vendor_email, due_date, reminders, reference, language } = InvoiceRequest.properties;
const optional = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Optional(schema);

/** The body of PATCH /api/invoices/{id}: everything but the amounts, under the names used on creation. */
export const InvoiceCorrection = Type.Object(
  {
    vendor_email: optional(vendor_email),
    customer_email: optional(Field.meaning("another name for vendor_email", Field.email)),
    due_date: optional(due_date),
    reminders,
    reference,
    language,
  },
  { additionalProperties: false, wants: "a JSON object", noun: "InvoiceCorrection" },
);

/** The requested changes; null clears an optional field. */
export type Correction = Partial<
  Pick<Invoice, "vendorEmail" | "dueDate" | "reminders" | "reference" | "language">
>;

const clearable = ["reminders", "reference", "language"] as const;
/** Fields of the bill, which can only be credited and created anew. */
const ofTheBill = new Set(Object.keys(InvoiceBody.properties));

/** Parses a correction and reports every fault at once; unchanged fields are left out. */
export function parseCorrection(body: unknown, invoice: Invoice): Parsed<Correction> {
  const { reader, fields, cleared } = readChanged(InvoiceCorrection, body, clearable);
  const typed: Static<typeof InvoiceCorrection> = fields;
  for (const fault of reader.faults)
    if (fault.code === "unknown_field" && ofTheBill.has(fault.field))
      Object.assign(fault, why("of_the_bill"));
  if (typed.vendor_email !== undefined && typed.customer_email !== undefined)
    reader.add("customer_email", why("left_out_with", { other: "vendor_email" }));
  const emailField = typed.customer_email === undefined ? "vendor_email" : "customer_email";
  const vendorEmail = reader.read(emailField, typed[emailField], Field.emailAddress);
  const dueDate = reader.read("due_date", typed.due_date, Field.calendarDay);
  if (dueDate !== undefined && dueDate < invoice.issueDate)
    reader.add("due_date", why("day_before", { other: "issue_date", day: invoice.issueDate }));
  const days = reader.read("reminders", typed.reminders, (given) =>
    given.every(Reminder.isDays)
      ? { ok: true, value: Reminder.orderedDays(given) }
      : { ok: false, why: why("reminders", { min: Reminder.daysMin, max: Reminder.daysMax }) },
  );
  const reference = reader.read("reference", typed.reference, Field.plainLine);
  if (reader.faults.length > 0) return reader.refused();
  const correction: Correction = {
    ...(vendorEmail === undefined ? {} : { vendorEmail }),
    ...(dueDate === undefined ? {} : { dueDate }),
    ...(days === undefined ? {} : { reminders: days }),
    ...(reference === undefined ? {} : { reference }),
    ...(typed.language === undefined ? {} : { language: typed.language }),
    ...Object.fromEntries(cleared.map((name) => [name, null])),
  };
  return { ok: true, value: changedIn(correction, invoice) };
}

/** The part of a correction that changes something. */
export const changedIn = (correction: Correction, invoice: Invoice): Correction =>
  Object.fromEntries(
    Object.entries(correction).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(invoice[name as keyof Correction]),
    ),
  );
