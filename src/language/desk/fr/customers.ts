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
    "Ce que la loi exige sur une facture à une entreprise. Les nouvelles factures reprennent ces données\u00a0; celles qui existent gardent les leurs.",
  partyDetailsCustomer:
    "Les nouvelles factures à ce client reprennent ces données\u00a0; celles qui existent gardent les leurs.",
  partyInstead:
    "Si vous saisissez ici une rue ou une ville, cette adresse figure sur la facture à la place de l’autre.",
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
  didSaveCustomer: "Enregistré. Les nouvelles factures à ce client reprendront ces données.",
  deedCustomerSave: "Données d’un client modifiées",
  faultVatId:
    "Saisissez le n° de TVA avec le pays en premier, par exemple {example}, et vérifiez-le chiffre par chiffre.",
  faultTaxId: "Ce numéro n’a pas la forme en usage dans ce pays. Vérifiez-le chiffre par chiffre.",
  faultPhone: "Saisissez un numéro de téléphone, par exemple {example}.",
  faultElectronic: "Saisissez le schéma, deux-points et l’identifiant, par exemple {example}.",
  faultTerms: "Il y a de la place pour 500 caractères.",
  faultDelivery: "Saisissez un jour, ou le premier et le dernier jour d’une période.",
  partyEmailFirst: "Saisissez aussi votre adresse e-mail\u00a0: ces données y sont rattachées.",
};
