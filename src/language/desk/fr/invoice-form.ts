import type { InvoiceFormTexts } from "../en/invoice-form.ts";

export const invoiceForm: InvoiceFormTexts = {
  savedAsDraft: "Brouillon enregistré\u00a0: {time}",
  dropDraft: "Supprimer le brouillon",
  customerAddress: "Adresse du client",
  whatFor: "Détail",
  linePrice: "Prix",
  pricesIn: "Prix en",
  rateOfUsdc: "Prix de 1 USDC",
  rateHint:
    "Laissez vide pour EUR et USD\u00a0: le cours actuel est utilisé. Les autres devises en exigent un.",
  faultCurrency: "Choisissez une devise dans la liste.",
  faultRate:
    "Saisissez le prix de 1 USDC\u00a0: un nombre supérieur à 0, par exemple 0,86. La facture doit valoir de 0,01 à 1\u00a0000\u00a0000\u00a0000,00 USDC.",
  noRate:
    "Aucun cours actuel n’est disponible pour l’instant. Saisissez-en un, ou réessayez dans une minute.",
  lineTotal: "USDC",
  ofLine: "{field}, ligne {number}",
  removeLine: "Supprimer la ligne {number}",
  addLine: "Ajouter une ligne",
  allLines: "Une facture ne peut pas avoir plus de lignes.",
  paidInto: "Versé sur",
  tillsWalletText: "Gardé pour vous, à retirer quand vous voulez",
  ownWallet: "Votre portefeuille",
  ownWalletText: "Directement à votre adresse sur le réseau Base",
  billedByNobody: "Qui facture\u00a0? À remplir une seule fois.",
  shopEmailHint: "Les clients y répondent.",
  sendInvoice: "Envoyer",
  makeInvoice: "Créer la facture",
  makeWithoutSending: "Créer sans envoyer",
  saveDraft: "Garder en brouillon",
  whatCustomerSees: "Ce que voit votre client",
  exampleQr: "Un exemple du code QR",
  noLineYet: "Vos lignes apparaissent ici.",
  dueOnPreview: "Échéance le {day}",

  faultCustomerName: "Saisissez le nom du client, 200 caractères au maximum.",
  faultCustomerEmail: "Saisissez une adresse e-mail complète, par exemple nom@boutique.example.",
  faultCustomerAddress: "Une adresse compte 500 caractères au maximum.",
  faultDue: "Choisissez la date limite de paiement, aujourd’hui ou plus tard.",
  faultReference: "Une référence tient sur une ligne de 100 caractères au maximum.",
  faultNotes: "Il y a de la place pour 2\u00a0000 caractères.",
  faultShopName: "Saisissez votre nom tel qu’il doit figurer sur la facture.",
  faultShopEmail: "Saisissez votre adresse e-mail complète.",
  faultShopAddress: "Saisissez votre adresse telle qu’elle doit figurer sur la facture.",
  faultWallet:
    "Cette adresse ne peut pas être utilisée : elle n’est pas écrite comme un portefeuille l’écrit, ou personne ne pourrait déplacer ce qui y arrive. Copiez-la de nouveau depuis votre portefeuille.",
  ownWalletUnknown:
    "Ce portefeuille n’a encore reçu aucun paiement. Un propriétaire doit d’abord l’indiquer dans les réglages.",
  faultDescription: "Décrivez cette ligne, en 500 caractères au maximum.",
  faultQuantity: "Saisissez une quantité supérieure à 0, par exemple 1 ou {example}.",
  faultPrice: "Saisissez un montant tel que {example}, sans séparateur de milliers.",
  faultLines: "Le total des lignes doit dépasser {least} USDC sans dépasser {most} USDC.",
  faultOther: "Champ {field}\u00a0: {why}",
  sentBefore:
    "Ce formulaire a déjà été envoyé et la facture a été créée. Vérifiez dans la liste\u00a0; pour en créer une autre, envoyez-le encore une fois.",
  notMade: "La facture n’a pas été créée. Attendez une minute, puis envoyez-la de nouveau.",

  lineUnit: "Unité",
  lineDiscountField: "Remise (10\u00a0% ou 5,00)",
  taxRate: "TVA %",
  taxKind: "Régime de TVA",
  taxReason: "Motif d’exonération",
  taxKindOfRate: "Selon le taux",
  taxKindStandard: "Taxable",
  taxKindZero: "Taux zéro",
  taxKindExempt: "Exonéré",
  taxKindReverse: "Autoliquidation",
  taxKindExport: "Exportation",
  taxKindOutside: "Hors champ",
  addTerms: "Ajouter une remise ou la TVA",
  wholeDiscount: "Remise sur toute la facture (10\u00a0% ou 5,00)",
  pricesIncludeTax: "Prix TVA comprise",
  faultUnit: "Une unité a au plus 20 caractères.",
  faultDiscount:
    "Saisissez un pourcentage tel que 10\u00a0%, ou un montant qui ne dépasse pas celui dont il est déduit.",
  faultTaxRate: "Saisissez un pourcentage de 0 à 100. Sans TVA, saisissez 0 ou laissez vide.",
  faultTaxKind:
    "Choisissez un seul régime pour toutes les lignes\u00a0: une facture ne peut pas mêler ce qui est soumis à la TVA et ce qui est hors champ.",
  faultTaxReason:
    "Indiquez en quelques mots pourquoi aucune TVA n’est due, de même pour toutes les lignes de ce régime.",
  faultIncludesTax: "Les prix ne peuvent comprendre la TVA que si les lignes en ont une.",

  didSendInvoice: "La facture est créée et envoyée à votre client.",
  didMakeInvoice:
    "La facture est créée. Votre client n’a pas encore reçu d’e-mail\u00a0: envoyez-la ou transmettez le lien vous-même.",
  didMakeUnmailed: "La facture est créée, mais l’e-mail n’est pas parti. La raison figure ci-dessous.",
};
