import type { HomeTexts } from "../en/home.ts";

export const home: HomeTexts = {
  newLink: "Nouveau lien",
  greetMorning: "Bonjour, {name}",
  greetDay: "Bonjour, {name}",
  greetEvening: "Bonsoir, {name}",

  receivedIn: "Reçu en {month}",
  chartSays: "Reçu par jour, du {from} au {to}. Maximum le {day}\u00a0: {amount} USDC.",
  chartEmpty: "Rien reçu du {from} au {to}.",
  chartAsTable: "Les chiffres en tableau",
  chartDay: "Jour",
  dayAndAmount: "{day}\u00a0: {amount}\u00a0USDC",

  openNone: "Rien à payer",
  openCounted: "Factures\u00a0: {count}",
  openSays: "Factures\u00a0: {count}. Prochaine échéance le {day}",
  overdueTitle: "En retard",
  overdueNone: "Aucun retard",
  overdueSays: "Factures\u00a0: {count}. La plus ancienne échue le {day}",

  needsAttention: "À traiter",

  newestPayments: "Derniers paiements",
  paymentFrom: "De",
  allInvoices: "Toutes les factures",
  paymentLink: "Lien de paiement",
  stateConfirming: "En confirmation, {count} sur {needed}",
  stateFinalising: "En attente de validation définitive",

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
  paymentsNone: "Chaque paiement apparaît ici en quelques secondes, sans rien actualiser.",

  storageBad: "Rien ne peut être enregistré",
  storageBadText:
    "La base de données ou son disque a un problème. Les paiements sont en sécurité sur le réseau et apparaîtront une fois le problème résolu.",
  checkRuns: "Vérification de la base de données en cours",
  checkRunsText:
    "Comme après chaque démarrage. Vous pouvez tout consulter\u00a0; les modifications devront attendre la fin.",
  chainLateText:
    "Le réseau ne peut pas être lu en ce moment. Rien n’est perdu\u00a0: les paiements seront trouvés dès qu’un nœud répondra.",
  gasEmpty: "Le compte de gas est vide",
  gasEmptyText: "Sans un peu d’ETH sur le réseau {network}, aucun transfert ni retrait n’est possible.",
  gasLow: "Le compte de gas est presque vide",
  gasLowText:
    "Transferts encore possibles, environ\u00a0: {count}. Envoyez un peu d’ETH sur le réseau {network}.",
  moneyStuck: "De l’argent ne peut pas être transféré",
  moneyStuckText: "Dépôts\u00a0: {count}. L’argent est là et Till continue d’essayer. Voyez pourquoi.",
  wordsMissing: "Les mots de récupération ne sont pas notés",
  wordsMissingText: "Sans eux, si la machine tombe en panne, le portefeuille est perdu.",
  paymentOdd: "Un paiement est à vérifier",
  paymentOddText:
    "Les nœuds ne sont pas d’accord, ou l’argent n’est pas là où il devrait être. Vérifiez avant d’expédier.",
  mailMissing: "Aucun serveur de messagerie n’est configuré",
  mailMissingText:
    "Factures et rappels attendent deux jours, puis sont abandonnés. Les liens fonctionnent sans lui.",
  mailFails: "Les e-mails ne partent pas",
  mailsWait:
    "E-mails en attente\u00a0: {count}. Till réessaie pendant deux jours. Le serveur de messagerie\u00a0: {reason}",
  mailsGivenUp: "E-mails abandonnés\u00a0: {count}. Le serveur de messagerie\u00a0: {reason}",
  mailsUnknown: "E-mails peut-être non arrivés\u00a0: {count}. Le serveur de messagerie\u00a0: {reason}",
  webhookFails: "Des webhooks ne sont pas acceptés",
  webhookFailsText:
    "Sur la dernière semaine\u00a0: {count}. Till réessaie\u00a0; ce qui a été abandonné peut être renvoyé.",
  invoicesOverdue: "Factures en retard\u00a0: {count}",
  invoicesOverdueText: "{amount} USDC, la plus ancienne depuis le {day}.",

  showHealth: "Voir l’état",
  showGasAddress: "Voir l’adresse",
  showStuck: "Voir pourquoi",
  showWords: "Comment faire",
  setUpMail: "Configurer",
  showMails: "Voir les e-mails",
  showWebhooks: "Voir les webhooks",
};
