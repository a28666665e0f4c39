import { type TObject, Type } from "@sinclair/typebox";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Event from "../../domain/event/event.ts";
import * as Link from "../../domain/link/link.ts";
import * as Refund from "../../domain/payment/refund.ts";
import * as Address from "../../domain/wallet/address.ts";
import { called, oneOf, shapeFaults } from "../../invoicing/request/validation.ts";
import { type Fault, why } from "../../language/faults.ts";
import * as SettlementStore from "../../store/tables/settle/settlement.ts";
import { listLimitDefault, listLimitMax } from "./list-limit.ts";

/** The number of entries to list, as query text. */
const listLimit = Type.String({
  pattern: "^([1-9][0-9]?|100)$",
  wants: `a number from 1 to ${listLimitMax}`,
  openapi: { type: "integer", minimum: 1, maximum: listLimitMax, default: listLimitDefault },
});

const depositAddress = Type.Optional(Type.String({ pattern: Address.pattern, wants: Address.wanted }));

/** Returns the address in a query, in checksum form. */
export const addressIn = ({ deposit_address }: { deposit_address?: string }): Address.Address | undefined =>
  deposit_address === undefined ? undefined : Address.checksum(deposit_address);

const reference = Type.Optional(Type.String({ minLength: 1, wants: "a reference, exactly as it was given" }));

/** Query values are text; `starting_after` is the id of the previous page's last invoice. */
export const InvoiceListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(Type.String({ minLength: 1, wants: "the id or the number of an invoice" })),
    status: Type.Optional(
      called("InvoiceState", oneOf(Invoice.statuses, `one of ${Invoice.statuses.join(", ")}`)),
    ),
    overdue: Type.Optional({
      ...oneOf(["true", "false"], "true or false"),
      openapi: { type: "boolean" },
    }),
    slug: Type.Optional(Type.String({ minLength: 1, wants: "the slug of an invoice" })),
    invoice_number: Type.Optional(Type.String({ wants: "an invoice number such as INV-0001" })),
    reference,
    deposit_address: depositAddress,
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the id of the previous page's last credit note. */
export const CreditNoteListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(
      Type.String({ minLength: 1, wants: "the id or the number of a credit note" }),
    ),
    invoice: Type.Optional(Type.String({ minLength: 1, wants: "the id or the number of an invoice" })),
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the id of the previous page's last series. */
export const RecurringListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(Type.String({ minLength: 1, wants: "the id of an invoice that repeats" })),
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the id of the previous page's last refund. */
export const RefundListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(Type.String({ minLength: 1, wants: "the id of a refund" })),
    status: Type.Optional(called("RefundState", oneOf(Refund.states, `one of ${Refund.states.join(", ")}`))),
    invoice: Type.Optional(Type.String({ minLength: 1, wants: "the id or the number of an invoice" })),
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the id of the previous page's last row. */
export const OwedListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(
      Type.String({ minLength: 1, wants: "the id of an invoice or the slug of a link" }),
    ),
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the slug of the previous page's last link. */
export const LinkListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(Type.String({ minLength: 1, wants: "the slug of a link" })),
    status: Type.Optional(called("LinkState", oneOf(Link.statuses, `one of ${Link.statuses.join(", ")}`))),
    slug: Type.Optional(Type.String({ minLength: 1, wants: "the slug of a link" })),
    reference,
    reusable_slug: Type.Optional(
      Type.String({ minLength: 1, wants: "the slug of a reusable link, for the payments of it" }),
    ),
    deposit_address: depositAddress,
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the id of the previous page's last event. */
export const EventListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(Type.String({ minLength: 1, wants: "the id of an event" })),
    type: Type.Optional(
      called("EventType", oneOf(Event.fullTypes, "the type of an event, such as invoice.paid")),
    ),
    invoice: Type.Optional(Type.String({ minLength: 1, wants: "the id or the number of an invoice" })),
    link: Type.Optional(Type.String({ minLength: 1, wants: "the slug of a link" })),
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the id of the previous page's last settlement. */
export const SettlementListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(
      Type.String({ pattern: "^[1-9][0-9]{0,14}$", wants: "the id of a settlement" }),
    ),
    state: Type.Optional(
      called("SettlementState", oneOf(SettlementStore.states, `one of ${SettlementStore.states.join(", ")}`)),
    ),
    invoice: Type.Optional(Type.String({ minLength: 1, wants: "the id or the number of an invoice" })),
    link: Type.Optional(Type.String({ minLength: 1, wants: "the slug of a link" })),
    deposit_address: depositAddress,
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the slug of the previous page's last reusable link. */
export const ReusableLinkListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(Type.String({ minLength: 1, wants: "the slug of a reusable link" })),
    slug: Type.Optional(Type.String({ minLength: 1, wants: "the slug of a reusable link" })),
  },
  { additionalProperties: false },
);

/** Query values are text; `starting_after` is the email of the previous page's last customer. */
export const CustomerListQuery = Type.Object(
  {
    limit: Type.Optional(listLimit),
    starting_after: Type.Optional(Type.String({ minLength: 1, wants: "the email of a customer" })),
    email: Type.Optional(Type.String({ minLength: 1, wants: "the email of a customer, in any case" })),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        wants: "words that the name or the email have, or their beginnings",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Returns the faults in the query of `url`. A repeated parameter is one: either value would be lost silently. */
export function queryFaults(schema: TObject, query: unknown, url: string): Fault[] {
  const params = new URLSearchParams(url.split("?", 2)[1]);
  const repeated = Object.keys(schema.properties).filter((name) => params.getAll(name).length > 1);
  return [
    ...shapeFaults(schema, query).filter(({ field }) => !repeated.includes(field)),
    ...repeated.map((field) => ({ field, ...why("repeated") })),
  ];
}
