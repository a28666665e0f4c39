import { Type } from "@sinclair/typebox";
import { type Format, formats } from "../../domain/einvoice/einvoice.ts";
import type { MissingField, Need } from "../../domain/einvoice/missing.ts";
import type { EInvoiceFile } from "../../invoicing/e-invoice.ts";
import type { Fault } from "../../invoicing/outcome.ts";
import { oneOf } from "../../invoicing/request/validation.ts";
import type { HttpDeps } from "../deps.ts";
import { problem } from "../problem/problem.ts";
import { type named, type Route, route } from "../route.ts";

/** GET …/e-invoice: an invoice or a credit note as other programs import it. */

const EInvoiceQuery = Type.Object(
  { format: oneOf(formats, "cii, ubl or factur-x, which is a PDF with CII in it") },
  { additionalProperties: false },
);

const meanings: Record<Need, string> = {
  currency: "must be one of ISO 4217, or the merchant counts 1 USDC as 1 USD by usd_parity",
  tax: "each needs a tax_rate or a tax_category",
  sellerCountry: "is required, of ISO 3166-1",
  buyerCountry: "is required, of ISO 3166-1",
  sellerTaxId: "or tax_id is required with this tax_category",
  sellerVatId: "is required with the tax_category export",
  sellerRegistration: "or tax_id is required with the tax_category outside_scope",
  buyerVatId: "or registration is required with the tax_category reverse_charge",
  vatIdCountry: "must begin with its country",
  electronicAddress: "is required by Peppol",
  addressScheme: "must begin with a scheme of the EAS list, such as 9930:",
  buyerReference: "or purchase_order is required by Peppol",
  vatCurrency: "must be that of the seller's country, in which the law wants to see the tax",
};

/** Each gap by its request field, with the term of EN 16931. */
const gapsOf = (missing: readonly MissingField[]): Fault[] =>
  missing.map(({ need, field, term }) => ({ field, message: `${meanings[need]} (${term})` }));

/** The row of an invoice or a credit note. */
export const eInvoiceRoute = <T>(
  path: "/api/invoices/:id" | "/api/credit-notes/:id",
  noun: string,
  { of }: ReturnType<typeof named<T>>,
  write: (deps: HttpDeps, thing: T, format: Format) => Promise<EInvoiceFile | MissingField[]>,
): Route =>
  route({
    method: "get",
    path: `${path}/e-invoice`,
    scope: "read",
    summary: `Download ${noun} as EN 16931 has it: CII, UBL, or a PDF with CII in it (Factur-X, ZUGFeRD)`,
    query: EInvoiceQuery,
    gives: "application/pdf",
    alsoGives: ["application/xml"],
    fails: ["e_invoice_incomplete"],
    does: of<typeof EInvoiceQuery>(async (deps, thing, { query }) => {
      const file = await write(deps, thing, query.format);
      if (!Array.isArray(file)) return fileAnswer(file);
      const detail = "The invoice says too little to be an e-invoice. See errors, and issue another one.";
      return problem("e_invoice_incomplete", detail, { errors: gapsOf(file) });
    }),
  });

/** A file to save. Its name must be safe in a header. */
export function fileAnswer({ bytes, mediaType, name }: EInvoiceFile): Response {
  const headers = { "content-type": mediaType, "content-disposition": `attachment; filename="${name}"` };
  return new Response(new Uint8Array(bytes), { headers });
}
