import type { links as english } from "../en/links.ts";
import type { TextsOf } from "../texts.ts";

/** Payment links. */
export const links: TextsOf<typeof english> = {
  linkOpen: "Ouvert",
  linkSeen: "En cours",
  linkPartly: "Paiement partiel",
  linkPaid: "Payé",
  linkOverpaid: "Trop-perçu",
  linkMarked: "Payé autrement",
  linkProblem: "Problème de paiement",
  linkVoid: "Annulé",
  linkEnded: "Fermé",

  linksShow: "Afficher",
  linksAll: "Tous",
  linksOpen: "Ouverts",
  linksPaid: "Payés",
  linksEnded: "Fermés",
  linksCounter: "Caisse",
  linksMany: "{count}+",
  linksCaption: "Liens de paiement, du plus récent au plus ancien",
  linksSearch: "Rechercher un lien",
  linksSearchHint: "Description, référence, adresse, transaction",
  linksLink: "Lien",
  linksState: "État",
  linksMade: "Créé",
  linksPrice: "Prix",
  linksReceived: "Reçu (USDC)",
  linksNothingYet: "rien pour l’instant",
  linksNone: "Encaissez avec un lien",
  linksNoneText:
    "Envoyez-le dans un message, imprimez-le en code QR ou intégrez-le à votre site. Qui l’ouvre paie en USDC, une ou plusieurs fois, et vous le voyez ici.",
  linksNothingHere: "Aucun lien de ce type",
  linksNothingHereText: "Il y a des liens, mais aucun de ce type.",
  linksNothingFound: "Rien trouvé",
  linksNothingFoundText:
    "La recherche trouve des mots de la description ou de la référence, une adresse entière, le début d’une transaction et la fin d’un lien.",
  linksShowAll: "Afficher tous les liens",

  linkOnce: "Une fois",
  linkAgain: "Plusieurs fois",
  linkOncePart: "Un paiement d’un lien",
  linkUntil: "{kind}, fin\u00a0: {day}",
  linkPaidTimes: "{kind} · Payés\u00a0: {count}",
  linkFrom: "De {min} à {max}",
};
