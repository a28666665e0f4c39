import type { credit as english } from "../en/credit.ts";
import type { TextsOf } from "../texts.ts";

export const credit: TextsOf<typeof english> = {
  creditNote: "Avoir",
  creditNotes: "Avoirs",
  creditNoteNumberLabel: "Numéro de l’avoir",
  ofInvoice: "Pour la facture",
  creditSubject: "Avoir {number} de {merchant}",
  creditHeading: "Avoir {number}",
  creditSentence: "{name} vous a crédité de ce montant.",
  creditedAmount: "Crédité",
  creditStillDue: "Il reste {amount} à payer sur la facture {number}.",
  creditNothingDue: "Il ne reste rien à payer sur la facture {number}.",
  creditReturn: "{amount} de ce montant étaient déjà payés\u00a0: {merchant} vous les doit.",
  creditInvoice: "Créditer",
  creditInvoiceHeading: "Créditer la facture {number}",
  creditExplained:
    "Un avoir annule une facture en tout ou en partie. Il a son propre numéro et ne change jamais.",
  creditByLines: "Lignes et quantités",
  creditByAmounts: "Ou des montants, taxe comprise",
  creditAllLeft: "Tout ce qui reste\u00a0: {amount}",
  creditAmountLeft: "au plus {amount}",
  creditCheck: "Voir la somme",
  creditMake: "Établir l’avoir",
  creditMailIt: "L’envoyer au client par e-mail",
  creditThenDue: "Le client aura encore {amount} à payer.",
  creditThenNothing: "Le client n’aura plus rien à payer.",
  creditToReturn: "{amount} de ce montant sont déjà payés. Vous les remboursez vous-même au client.",
  creditNotesNone: "Aucun avoir pour l’instant. On en établit un sur la page d’une facture.",
};
