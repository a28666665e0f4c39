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
  columnOwes: "À payer",
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
  customerInvoices: "Factures",
  invoiceForThem: "Nouvelle facture",
  writeTo: "Écrire un e-mail",
};
