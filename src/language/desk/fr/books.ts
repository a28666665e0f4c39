import type { books as english } from "../en/books.ts";
import type { TextsOf } from "../texts.ts";

/** Files for whoever keeps the books. */
export const books: TextsOf<typeof english> = {
  settingsBooks: "Comptabilité",
  settingsBooksText: "Des fichiers pour qui tient vos comptes",
  booksTake: "Télécharger",
  booksTakeText:
    "Choisissez les jours, puis un fichier. Sans dates, il contient tout. Chacun s’ouvre dans un tableur.",
  booksInvoices: "Factures",
  booksItems: "Lignes",
  booksTaxes: "Taxe par facture",
  booksTaxSums: "Totaux des taxes",
  booksPayments: "Paiements",
  booksSettlements: "Règlements",
  booksFees: "Frais de réseau",
  booksValue:
    "Chaque paiement indique ce qu’il valait en {currency}, d’après qui et quand. Ce que personne ne savait reste vide.",
  booksNoValue:
    "Réglez TILL_BOOKKEEPING_CURRENCY sur EUR ou USD : chaque paiement indiquera ce qu’il valait à son arrivée.",
  booksXero: "Xero",
  booksXeroText:
    "Les factures de vente dans les colonnes du modèle de Xero, les avoirs en lignes négatives : choisissez-y « hors taxes » et vérifiez ce que le premier avoir est devenu. Écrivez comment vos livres nomment le compte et chaque taxe, exactement comme Xero l’affiche. Les factures annulées sans avoir sont omises, et celles en USDC aussi, sauf si pour vous 1 USDC compte pour 1 USD.",
  booksAccount: "Compte de ventes",
  booksNoTax: "Sans taxe",
  booksFile: "Télécharger pour Xero",
  didSaveBooks: "Enregistré.",
  booksCodeFault: "Écrivez comment Xero l’appelle.",
};
