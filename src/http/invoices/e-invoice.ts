import { Type } from "@sinclair/typebox";
import { type Format, formats } from "../../domain/einvoice/einvoice.ts";
import type { EInvoiceFault } from "../../domain/einvoice/missing.ts";
import type { EInvoiceFile } from "../../invoicing/documents/e-invoice.ts";
import { oneOf } from "../../invoicing/request/validation.ts";
import { sayFault } from "../../language/faults.ts";
import { problem } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { type Route, route, type subjectInPath } from "../route/route.ts";

/** GET …/e-invoice: an invoice or a credit note for import by other programs. */

const EInvoiceQuery = Type.Object(
  { format: oneOf(formats, "cii, ubl or factur-x, which is a PDF with CII in it") },
  { additionalProperties: false },
);

/** The route of an invoice or a credit note. */
export const eInvoiceRoute = <T>(
  path: "/api/invoices/:id" | "/api/credit-notes/:id",
  noun: string,
  { of }: ReturnType<typeof subjectInPath<T>>,
  write: (deps: HttpDeps, thing: T, format: Format) => Promise<EInvoiceFile | EInvoiceFault[]>,
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
      return problem("e_invoice_incomplete", detail, { errors: file.map(sayFault) });
    }),
  });

/** A file to download. Its name must be safe in a header. */
export function fileAnswer({ bytes, mediaType, name }: EInvoiceFile): Response {
  const headers = { "content-type": mediaType, "content-disposition": `attachment; filename="${name}"` };
  return new Response(new Uint8Array(bytes), { headers });
}
