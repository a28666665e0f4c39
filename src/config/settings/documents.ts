import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { type LanguageCode, languageCodes } from "../../language/languages.ts";
import { integer, oneOf } from "../parse.ts";

/** The look and language of everything customers see, and the numbers of documents. */
export const documentSettings = {
  BRAND_NAME: {
    page: "look",
    default: null,
    meaning: "who runs this Till, shown on `/` and at the foot of pages and mails",
  },
  BRAND_COLOR: { page: "look", default: null, meaning: "the colour of buttons and accents, `#rrggbb`" },
  BRAND_LOGO: {
    page: "look",
    default: null,
    meaning:
      "a file with your logo: PNG, JPEG, WebP or SVG, at most 100 KB; a PNG or JPEG at most 25 megapixels",
  },
  LANGUAGE: {
    page: "look",
    default: "en",
    meaning:
      "`en`, `de`, `es`, `fr`, `pt`, `ja`, `zh` or `ar`: for mails and PDFs, and for pages if the browser asks for none of these",
    parse: oneOf<LanguageCode>(languageCodes).parse,
    wants: `one of ${languageCodes.join(", ")}`,
  },
  INVOICE_NUMBER: {
    page: "documents",
    default: "INV-{0000}",
    meaning:
      "the pattern of invoice numbers, such as `ACME-{000000}`: the zeros in braces count up, without gaps or a new start in a new year; decide before the first invoice, and never change it",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("INV-{0000}"),
  },
  CREDIT_NOTE_NUMBER: {
    page: "documents",
    default: "CN-{0000}",
    meaning:
      "the pattern of credit note numbers, like `TILL_INVOICE_NUMBER` but with other text around the zeros; decide before the first one, and never change it",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("CN-{0000}"),
  },
  RECEIPT_NUMBER: {
    page: "documents",
    default: "R-{0000}",
    meaning:
      "the pattern of the numbers of receipts for payment links with tax, as above; decide before the first one, and never change it",
    parse: (text: string) => InvoiceNumber.parse(text) ?? undefined,
    wants: InvoiceNumber.patternWanted("R-{0000}"),
  },
  CLOSE_PAGES: {
    page: "documents",
    default: null,
    otherwise: "never",
    meaning:
      "so many months after an invoice or a payment link was paid, voided or expired, its page shows strangers no names, lines and amounts any more (1 to 120)",
    parse: integer(1, 120),
    wants: "a whole number of months from 1 to 120",
  },
  PAPER: {
    page: "documents",
    default: "a4",
    meaning: "the paper size of PDFs: `a4` or `letter`",
    ...oneOf(["a4", "letter"]),
  },
} as const;
