import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

/** Home. */
export const home: TextsOf<typeof english> = {
  newLink: "Nouveau lien",
  newInvoice: "Nouvelle facture",
  greetMorning: "Bonjour, {name}",
  greetDay: "Bonjour, {name}",
  greetEvening: "Bonsoir, {name}",
  greetNobody: "Accueil",

  receivedIn: "Reçu en {month}",
  receivedToday: "Aujourd’hui",
  chartSays: "Reçu par jour, du {from} au {to}. Maximum le {day}\u00a0: {amount} USDC.",
  chartEmpty: "Rien reçu du {from} au {to}.",
  chartAsTable: "Les chiffres en tableau",
  chartDay: "Jour",
  dayAndAmount: "{day}\u00a0: {amount}\u00a0USDC",

  openTitle: "À payer",
  openNone: "Rien à payer",
  openCounted: "Factures\u00a0: {count}",
  openSays: "Factures\u00a0: {count}. Prochaine échéance le {day}",
  overdueTitle: "En retard",
  overdueNone: "Aucun retard",
  overdueSays: "Factures\u00a0: {count}. La plus ancienne échue le {day}",

  needsAttention: "À traiter",

  newestPayments: "Derniers paiements",
  paymentFrom: "De",
  paymentState: "État",
  paymentWhen: "Quand",
  allInvoices: "Toutes les factures",
  paymentLink: "Lien de paiement",
  counterPayment: "Caisse",
  stateConfirming: "En confirmation, {count} sur {needed}",
  stateFinalising: "En attente de validation définitive",
  stateConfirmed: "Confirmé",

  welcome: "Bienvenue, {name}",
  welcomeNobody: "Bienvenue",
  firstSteps: "Quelques étapes jusqu’à votre premier paiement.",
  stepDone: "Fait",
  stepProfile: "Présentez-vous",
  stepProfileText: "Nom, adresse et e-mail figureront désormais sur chaque facture.",
  stepProfileDo: "Remplir vos coordonnées",
  stepInvoice: "Créez votre première facture",
  stepInvoiceText: "Envoyez-la-vous, payez 1,00 USDC et voyez l’argent arriver.",
  stepWords: "Notez les mots de récupération",
  stepWordsText: "Ils vous rendent votre portefeuille si cette machine tombe en panne.",
  stepWordsDo: "Voir comment",
  paymentsTitle: "Paiements",
  paymentsNone: "Chaque paiement apparaît ici en quelques secondes, sans rien actualiser.",

  didSignIn: "Connexion réussie.",
};
