import type { invoices as english } from "../en/invoices.ts";
import type { TextsOf } from "../texts.ts";

/** Invoices: the list and one of them. */
export const invoices: TextsOf<typeof english> = {
  invoicesCaption: "Factures, de la plus récente à la plus ancienne",
  searchInvoices: "Rechercher une facture",
  searchPlaceholder: "Client, numéro, montant, adresse…",
  kindAll: "Toutes",
  kindOpen: "À payer",
  kindOverdue: "En retard",
  kindPaid: "Payées",
  kindVoid: "Annulées",
  kindDrafts: "Brouillons",
  anyDate: "Toutes les dates",
  sinceDay: "Depuis le {from}",
  untilDay: "Jusqu’au {to}",
  betweenDays: "Du {from} au {to}",
  thisMonth: "Ce mois-ci",
  lastMonth: "Le mois dernier",
  thisYear: "Cette année",
  fromDay: "Du",
  toDay: "Au",
  downloadCsv: "CSV",
  downloadCsvOfShown: "Télécharger la liste affichée en CSV",
  columnDue: "Échéance",
  stateNotSent: "Non envoyée",
  leftToPay: "reste {amount}",
  paidTooMuch: "{amount} en trop",
  sumInAll: "{count} au total, {sum} USDC",
  sumHere: "{sum} USDC sur cette page",
  foundMany: "La recherche se limite aux résultats les plus récents\u00a0: {count}.",
  toNewest: "Plus récentes",
  toOlder: "Plus anciennes",

  noInvoices: "Votre première facture prend une minute",
  noInvoicesText:
    "Indiquez ce que vous avez fait et pour qui. Votre client reçoit un e-mail avec une page de paiement, et vous voyez ici quand l’argent est là.",
  orLink: "Ou un lien de paiement",
  nothingFound: "Rien trouvé pour «\u00a0{query}\u00a0»",
  nothingFoundText:
    "Vous pouvez chercher par le début du nom du client, de l’e-mail, du numéro, de la référence ou du montant, ou par une adresse de dépôt ou une transaction entière.",
  nothingOfKind: "Aucune",
  nothingOfKindText: "Aucune facture ne correspond à ce choix.",
  showAllInvoices: "Afficher toutes les factures",
  noDrafts: "Aucun brouillon",
  noDraftsText:
    "Une facture enregistrée avant d’être prête attend ici. Elle n’a pas encore de numéro et personne ne l’a vue.",
  draftsCaption: "Brouillons",
  columnChanged: "Modifié",
  unnamedDraft: "Sans client pour l’instant",
  didSaveDraft: "Le brouillon est enregistré.",
  didDropDraft: "Le brouillon est supprimé.",
};
