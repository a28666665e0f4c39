import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as Email from "../../domain/party/email.ts";
import * as Party from "../../domain/party/party.ts";
import { partyRecord } from "../../domain/record.ts";
import type { Fault } from "../../invoicing/outcome.ts";
import * as Field from "../../invoicing/request/fields.ts";
import { PartyRequest, paymentTerms, readParty, readTerms } from "../../invoicing/request/trade.ts";
import { readBody } from "../../invoicing/request/validation.ts";
import { stored } from "../../store/group-commit.ts";
import * as SavedPartyStore from "../../store/tables/invoicing/saved-party.ts";
import type { HttpDeps } from "../deps.ts";
import { jsonBody } from "../fields/body.ts";
import type { SavedCustomer, SavedMerchant } from "../fields/customer-schemas.ts";
import { problem, validationProblem } from "../problem/problem.ts";

/** Saved details of merchants and customers, for future invoices. */

const common = {
  email: Type.Optional(Field.meaning("as in the path: an answer can be sent back", Field.email)),
  name: Type.Optional(Field.text(1, 200)),
  address: Type.Optional(Field.meaning("free text", Field.text(1, 500))),
  details: Type.Optional(
    Field.meaning("in parts; invoices that say nothing of them take these", PartyRequest),
  ),
};
const options = { additionalProperties: false, wants: "a JSON object" };

export const CustomerDetails = Type.Object(common, options);
export const MerchantDetails = Type.Object(
  {
    ...common,
    payment_terms: Type.Optional(
      Field.meaning("in words; invoices that say nothing of them take these", paymentTerms),
    ),
    usd_parity: Type.Optional(
      Type.Boolean({
        wants: "true or false",
        means: "true: on invoices in USD, 1 USDC counts as 1 USD, and they say so; false when left out",
      }),
    ),
  },
  options,
);

const schemas = { merchant: MerchantDetails, vendor: CustomerDetails };
const paths = { merchant: "/api/merchants/:email", vendor: "/api/customers/:email" } as const;

type ParsedParty = { ok: true; party: Party.SavedParty } | { ok: false; faults: readonly Fault[] };

/** Reads the details to save for this mail address and reports every fault at once. */
export function parseSavedParty(role: Party.PartyRole, email: string, body: unknown): ParsedParty {
  const { reader, ...read } = readBody(schemas[role], body);
  const fields: Partial<Static<typeof MerchantDetails>> = read.fields;
  reader.read("email", email, Field.emailAddress);
  reader.read("email", fields.email, (text) =>
    Email.normalize(text) === Email.normalize(email)
      ? { ok: true, value: text }
      : { ok: false, message: "must be the one in the path" },
  );
  const party: Party.SavedParty = {
    name: reader.read("name", fields.name, Field.plainLine) ?? null,
    address: reader.read("address", fields.address, Field.plainLines) ?? null,
    details: readParty(reader, "details", fields.details),
    paymentTerms: readTerms(reader, fields.payment_terms),
    usdParity: fields.usd_parity ?? false,
  };
  return reader.faults.length === 0 ? { ok: true, party } : { ok: false, faults: reader.faults };
}

export const savedRecord = {
  merchant: (email: string, party: Party.SavedParty): Static<typeof SavedMerchant> => ({
    ...savedRecord.vendor(email, party),
    payment_terms: party.paymentTerms,
    usd_parity: party.usdParity,
  }),
  vendor: (email: string, { name, address, details }: Party.SavedParty): Static<typeof SavedCustomer> => ({
    email,
    name,
    address,
    details: details && partyRecord(details),
  }),
};

const nothing = {
  merchant: "Nothing is saved for a merchant with this mail address. Save it with PUT.",
  vendor:
    "Nothing is saved for a customer with this mail address. Save it with PUT; GET /api/customers?email= says what was billed.",
};

export function savedPartyRoutes({ db, now }: Pick<HttpDeps, "db" | "now">) {
  const app = new Elysia();
  for (const role of Party.roles) {
    app
      .get(paths[role], ({ params }) => {
        const party = SavedPartyStore.find(db, role, params.email);
        return party === null ? problem("not_found", nothing[role]) : savedRecord[role](params.email, party);
      })
      .put(
        paths[role],
        async ({ params, body }) => {
          const parsed = parseSavedParty(role, params.email, body);
          if (!parsed.ok) return validationProblem(parsed.faults);
          await stored(() => SavedPartyStore.save(db, role, params.email, parsed.party, now()));
          return savedRecord[role](params.email, parsed.party);
        },
        jsonBody,
      );
  }
  return app;
}
