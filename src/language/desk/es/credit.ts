import type { credit as english } from "../en/credit.ts";
import type { TextsOf } from "../texts.ts";

export const credit: TextsOf<typeof english> = {
  creditNote: "Nota de crédito",
  creditNotes: "Notas de crédito",
  creditNoteNumberLabel: "Número de la nota de crédito",
  ofInvoice: "De la factura",
  creditSubject: "Nota de crédito {number} de {merchant}",
  creditHeading: "Nota de crédito {number}",
  creditSentence: "{name} le ha abonado este importe.",
  creditedAmount: "Abonado",
  creditStillDue: "Quedan por pagar {amount} de la factura {number}.",
  creditNothingDue: "No queda nada por pagar de la factura {number}.",
  creditReturn: "De ello, {amount} ya estaban pagados: {merchant} se los debe a usted.",
  creditInvoice: "Abonar",
  creditInvoiceHeading: "Abonar la factura {number}",
  creditExplained:
    "Una nota de crédito anula una factura entera o una parte. Tiene su propio número y nunca cambia.",
  creditByLines: "Líneas y cuánto de ellas",
  creditByAmounts: "O importes, con su impuesto",
  creditAllLeft: "Todo lo que queda: {amount}",
  creditAmountLeft: "como máximo {amount}",
  creditCheck: "Ver la suma",
  creditMake: "Crear la nota de crédito",
  creditMailIt: "Enviarla por correo al cliente",
  creditThenDue: "Al cliente le quedarán {amount} por pagar.",
  creditThenNothing: "Al cliente no le quedará nada por pagar.",
  creditToReturn: "De ello, {amount} ya están pagados. Usted mismo los devuelve al cliente.",
  creditNotesNone: "Todavía no hay notas de crédito. Se crean en la página de una factura.",
};
