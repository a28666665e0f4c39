import type { health as english } from "../en/health.ts";
import type { TextsOf } from "../texts.ts";

/** How Till is, and what can be done about it. */
export const health: TextsOf<typeof english> = {
  healthLine: "Ce que Till a constaté, et ce sur quoi il s’appuie.",
  healthGood: "Tout va bien",
  healthGoodText: "Till surveille le réseau, vous n’avez rien à faire.",
  healthSays: "Ce que dit Till",
  healthSaysText: "En entier, comme dans till doctor et dans le journal.",

  mailServer: "E-mail",
  mailServerText: "Factures, rappels et reçus partent par votre serveur de messagerie.",
  mailServerIs: "Serveur de messagerie",
  mailSender: "Expéditeur",
  mailCatcher: "Les e-mails de développement sont interceptés et ne partent pas",
  mailTestTo: "Envoyer un e-mail de test à",
  mailTestSend: "Envoyer",
  mailTestSubject: "E-mail de test de Till",
  mailTestBody:
    "Cet e-mail montre que les e-mails de Till arrivent. Envoyé depuis l’espace de gestion de {shop}.",
  mailTestFault: "Le serveur de messagerie l’a refusé\u00a0: {reason}",
  mailTestUnknown: "Il est peut-être arrivé\u00a0: {reason}",
  didMailTest:
    "Le serveur de messagerie a accepté l’e-mail de test. Vérifiez qu’il arrive et qu’il n’est pas classé comme spam.",

  chainPart: "Blockchain",
  chainPartText: "Till interroge ces nœuds, dans cet ordre.",
  chainNetwork: "Réseau",
  chainNodes: "Nœuds",
  chainSocket: "Avis de paiement",
  chainSocketNone: "Pas de WebSocket\u00a0: les paiements apparaissent après un quart de minute",
  chainBlock: "Dernier bloc",
  chainBlockNone: "Pas encore",
  chainBehind: "{block}, en retard depuis {seconds} s",
  chainUpToDate: "{block}, à jour",

  machinePart: "Ce Till",
  machinePartText:
    "Gardez des sauvegardes sur une autre machine. Les mots de récupération ne sauvegardent pas vos factures.",
  machineVersion: "Version",
  machineDatabase: "Base de données",
  machineMebibytes: "{size}\u00a0Mio",
  machineBackup: "Dernière sauvegarde",
  machineBackupNone: "Aucune connue",
  machineBackupHow: "Faites-en une avec {command}.",
  machineWords: "Mots de récupération",
  machineWordsAt: "Notés\u00a0: {when}",
  machineWordsNone: "Non notés",
};
