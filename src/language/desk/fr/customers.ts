import type { customers as english } from "../en/customers.ts";
import type { TextsOf } from "../texts.ts";

/** Customers. */
export const customers: TextsOf<typeof english> = {
  customersLine: "Tous ceux que vous avez facturés.",
  customersCaption: "Clients, du plus récemment facturé au plus ancien",
  searchCustomers: "Rechercher un client",
  searchCustomersPlaceholder: "Nom ou e-mail…",
  kindEverybody: "Tous",
  kindOwing: "À payer",
  columnLastInvoice: "Dernière facture",
  columnPaidUsdc: "Payé (USDC)",
  openAmount: "À payer\u00a0: {amount}",
  noCustomers: "Vos clients apparaissent d’eux-mêmes",
  noCustomersText:
    "Toute personne à qui vous envoyez une facture figure ici, avec ce qu’elle a payé et ce qu’elle doit encore. Vous n’avez rien à tenir à jour.",
  noCustomerFound: "Aucun client trouvé pour «\u00a0{query}\u00a0»",
  noCustomerFoundText: "Vous pouvez chercher par le début du nom ou de l’adresse e-mail.",
  nobodyOwes: "Personne ne vous doit rien",
  nobodyOwesText: "Toutes les factures sont payées ou annulées.",
  showEverybody: "Tout afficher",
  customerOpen: "À payer",
  customerPaid: "Payé jusqu’ici",

  partyDetails: "Données fiscales et adresse",
  partyDetailsText:
    "Ce que la loi demande sur une facture à une entreprise. Chaque nouvelle facture les reprend\u202f; celles qui existent gardent les leurs.",
  partyDetailsCustomer:
    "Chaque nouvelle facture à ce client les reprend\u202f; celles qui existent gardent les leurs.",
  partyInstead: "Avec une rue ou une ville ici, cette adresse figure sur la facture à la place de l’autre.",
  partyStreet: "Rue et numéro",
  partyAddition: "Complément",
  partyPostalCode: "Code postal",
  partyCity: "Ville",
  partyRegion: "État ou province",
  partyCountry: "Pays",
  partyNoCountry: "Non indiqué",
  partyElectronic: "Adresse pour les factures électroniques",
  partyElectronicHint: "Schéma et identifiant, par exemple {example}",
  partyParity: "1 USDC vaut 1 USD",
  partyParityText: "Sur les factures en USD, qui le mentionnent.",
  partyForBusiness: "Pour une entreprise",
  partyForBusinessText: "Son adresse en détail, identifiants fiscaux, livraison, commande",
  partyDeliveryFrom: "Livré le, ou à partir du",
  partyDeliveryTo: "Jusqu’au, pour une période",
  didSaveCustomer: "Enregistré. Les nouvelles factures à ce client le reprennent.",
  deedCustomerSave: "A modifié les données d’un client",
  faultParty: "Écrivez une ligne de {max} caractères au plus.",
  faultVatId:
    "Écrivez le n° de TVA avec le pays en premier, par exemple {example}, et comparez-le chiffre par chiffre.",
  faultTaxId: "Ce pays n’écrit pas ce numéro ainsi. Comparez-le chiffre par chiffre.",
  faultPhone: "Écrivez un numéro de téléphone, par exemple {example}.",
  faultElectronic: "Écrivez le schéma, deux-points et l’identifiant, par exemple {example}.",
  faultTerms: "Il y a de la place pour 500 caractères.",
  faultDelivery: "Écrivez un jour, ou le premier et le dernier jour d’une période.",
  partyEmailFirst: "Écrivez aussi votre adresse e-mail\u00a0: ces données sont enregistrées sous elle.",
};
