import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { isTheirs } from "../domain/party/api-key.ts";
import * as Email from "../domain/party/email.ts";
import type * as Party from "../domain/party/party.ts";
import { partyRecord } from "../domain/record/invoice.ts";
import * as Usdc from "../domain/usdc.ts";
import * as Field from "../invoicing/request/fields.ts";
import { PartyRequest, paymentTerms, readParty, readTerms } from "../invoicing/request/trade.ts";
import { bodyOf, type Parsed, readBody } from "../invoicing/request/validation.ts";
import { why } from "../language/faults.ts";
import { stored } from "../store/group-commit.ts";
import { matchOf } from "../store/search.ts";
import type { ListedCustomer } from "../store/tables/invoicing/customer.ts";
import * as CustomerStore from "../store/tables/invoicing/customer.ts";
import * as PartyStore from "../store/tables/invoicing/party.ts";
import * as Answer from "./fields/answer-schemas.ts";
import { CustomerRecord, SavedCustomer, SavedMerchant } from "./fields/customer-schemas.ts";
import { CustomerListQuery } from "./fields/list-query.ts";
import { listPreset } from "./mcp/tool.ts";
import { problem, validationProblem } from "./problem/problem.ts";
import { lookUpsIn, pageAnswer, type Route, route } from "./route/route.ts";

/** Returns a customer as in the API's responses. */
export function customerRecord(customer: ListedCustomer): Static<typeof CustomerRecord> {
  return {
    email: customer.email,
    name: customer.name,
    invoices: customer.invoices,
    open_amount: Usdc.format(customer.open),
    paid_amount: Usdc.format(customer.paid),
    last_invoice_number: customer.lastNumber,
    last_issue_date: customer.lastIssueDate,
  };
}

/** Saved details of merchants and customers, for future invoices. */

const common = {
  email: Type.Optional(Field.meaning("as in the path: an answer can be sent back", Field.email)),
  name: Type.Optional(Field.text(1, 200)),
  address: Type.Optional(Field.meaning("free text", Field.text(1, 500))),
  details: Type.Optional(
    Field.meaning("in parts; invoices that say nothing of them take these", PartyRequest),
  ),
};
const CustomerDetails = bodyOf("CustomerDetails", {
  ...common,
  language: Type.Optional(Field.meaning("of invoices that say nothing of it", Field.language)),
});
export const MerchantDetails = bodyOf("MerchantDetails", {
  ...common,
  payment_terms: Type.Optional(
    Field.meaning("in words; invoices that say nothing of them take these", paymentTerms),
  ),
  usd_parity: Type.Optional(
    Type.Boolean({
      wants: "true or false",
      means: "true: in USD, 1 USDC counts as 1 USD, and invoices and links say so; false when left out",
    }),
  ),
});

const schemas = { merchant: MerchantDetails, vendor: CustomerDetails };

/** Reads the details to save for this address and reports every fault at once. `merchant`: the only address allowed. */
export function parseSavedParty(
  role: Party.PartyRole,
  email: string,
  body: unknown,
  merchant: string | null = null,
): Parsed<Party.SavedParty> {
  const { reader, ...read } = readBody(schemas[role], body);
  const fields: Partial<Static<typeof MerchantDetails> & Static<typeof CustomerDetails>> = read.fields;
  reader.read("email", email, Field.merchantEmail(merchant));
  reader.read("email", fields.email, (text) =>
    Email.normalize(text) === Email.normalize(email)
      ? { ok: true, value: text }
      : { ok: false, why: why("other_email") },
  );
  const party: Party.SavedParty = {
    name: reader.read("name", fields.name, Field.plainLine) ?? null,
    address: reader.read("address", fields.address, Field.plainLines) ?? null,
    details: readParty(reader, "details", fields.details),
    paymentTerms: readTerms(reader, fields.payment_terms),
    usdParity: fields.usd_parity ?? false,
    language: fields.language ?? null,
  };
  return reader.faults.length === 0 ? { ok: true, value: party } : reader.refused();
}

export const savedRecord = {
  merchant: (email: string, party: Party.SavedParty): Static<typeof SavedMerchant> => ({
    ...savedRecord.vendor(email, party),
    payment_terms: party.paymentTerms,
    usd_parity: party.usdParity,
  }),
  vendor: (
    email: string,
    { name, address, details, language }: Party.SavedParty,
  ): Static<typeof SavedCustomer> => ({
    email,
    name,
    address,
    details: details && partyRecord(details),
    ...(language === null ? {} : { language }),
  }),
};

const nothing = {
  merchant: "Nothing is saved for a merchant with this mail address. Save it with PUT.",
  vendor:
    "Nothing is saved for a customer with this mail address. Save it with PUT; GET /api/customers?email= says what was billed.",
};

type Saved = {
  path: "/api/customers/:email" | "/api/merchants/:email";
  gives: TSchema;
  /** Summaries of the two calls: to get the saved details, and to save them. */
  summaries: readonly [get: string, put: string];
};

/** A customer's saved details apply to the invoices of all merchants. */
const confined = { merchant: { isConfined: true }, vendor: {} } as const;

const savedRoutes = (role: Party.PartyRole, { path, gives, summaries: [get, put] }: Saved): Route[] => [
  route({
    method: "get",
    path,
    scope: "read",
    ...confined[role],
    summary: get,
    gives,
    does:
      ({ db }) =>
      ({ params: { email }, merchant }) => {
        const party = isTheirs(merchant, email) ? PartyStore.find(db, role, email) : null;
        return party === null ? problem("not_found", nothing[role]) : savedRecord[role](email, party);
      },
  }),
  route({
    method: "put",
    path,
    scope: "shop",
    ...confined[role],
    summary: put,
    body: schemas[role],
    gives,
    does:
      ({ db, now }) =>
      async ({ params: { email }, body, merchant }) => {
        const parsed = parseSavedParty(role, email, body, merchant);
        if (!parsed.ok) return validationProblem(parsed.faults);
        await stored(db, () => PartyStore.save(db, role, email, parsed.value, now()));
        return savedRecord[role](email, parsed.value);
      },
  }),
];

export const customerRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/api/customers",
    scope: "read",
    summary: "List who was billed, with what is open and what was paid; those first billed last first",
    tool: { name: "list_customers", preset: listPreset },
    query: CustomerListQuery,
    gives: Answer.listOf(CustomerRecord),
    does:
      ({ db }) =>
      async ({ query }) => {
        const { faults, lookUp, limit } = lookUpsIn(query);
        const named = (email: string) => CustomerStore.byEmail(db, email);
        const after = lookUp("starting_after", named, "the email of a customer");
        if (faults.length > 0) return validationProblem(faults);
        if (query.email !== undefined) {
          const customer = named(query.email);
          const isBefore = customer !== null && (after === null || customer.id < after.id);
          return { data: isBefore ? [customerRecord(customer)] : [], has_more: false };
        }
        const page = { after: after?.id ?? null, limit };
        const match = query.search === undefined ? null : matchOf(query.search);
        if (match !== null) return pageAnswer(await CustomerStore.search(db, match, page), customerRecord);
        if (query.search !== undefined) return { data: [], has_more: false };
        return pageAnswer(CustomerStore.list(db, { ...page, order: "id" }), customerRecord);
      },
  }),
  ...savedRoutes("vendor", {
    path: "/api/customers/:email",
    gives: SavedCustomer,
    summaries: [
      "Get what is saved of a customer",
      "Save a customer's address and ids for the invoices that follow, in place of what was saved",
    ],
  }),
  ...savedRoutes("merchant", {
    path: "/api/merchants/:email",
    gives: SavedMerchant,
    summaries: [
      "Get what is saved of a merchant",
      "Save a merchant's address, ids and terms for the invoices that follow, in place of what was saved",
    ],
  }),
];
