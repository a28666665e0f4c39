import type { frame as english } from "../en/frame.ts";
import type { TextsOf } from "../texts.ts";

/** What stands around every page of the desk. */
export const frame: TextsOf<typeof english> = {
  desk: "Espace de gestion",
  skipToContent: "Aller au contenu",
  navHome: "Accueil",
  navInvoices: "Factures",
  navLinks: "Liens",
  navCounter: "Caisse",
  navMoney: "Argent",
  navCustomers: "Clients",
  navSettings: "Réglages",
  navMore: "Plus",
  openCount: "À payer\u00a0: {count}",
  search: "Rechercher",
  signOut: "Se déconnecter",
  roleOwner: "Propriétaire",
  roleStaff: "Équipe",
  roleAccountant: "Comptabilité",
  development: "Développement\u00a0: argent de test uniquement",

  watchCurrent: "{network}\u00a0: tout est à jour",
  watchLate: "Les paiements apparaissent avec du retard",
  watchStarting: "Démarrage",

  refused: "Non autorisé",
  refusedRole: "Votre rôle ne le permet pas. Demandez à un propriétaire.",
  refusedForeign: "Ce formulaire ne vient pas de cet espace. Rien n’a été modifié.",
  refusedStale:
    "Cette page est restée ouverte trop longtemps. Rien n’a été modifié\u00a0: revenez en arrière, actualisez et réessayez.",
  backToHome: "Retour à l’accueil",
  deskNotFound: "Introuvable",
  deskNotFoundText: "Cette page n’existe pas. Le lien est peut-être mal saisi.",

  undo: "Annuler",
  optional: "(facultatif)",
  faultsOne: "Une correction à faire",
  faultsMany: "Corrections à faire\u00a0: {count}",
  copyIt: "Copier",
  isCopied: "Copié",
  isNotCopied: "Non copié",
  nextPage: "Suivant",
  pages: "Pages",
  today: "Aujourd’hui",
  yesterday: "Hier",
  todayAt: "Aujourd’hui, {time}",
  yesterdayAt: "Hier, {time}",
};
