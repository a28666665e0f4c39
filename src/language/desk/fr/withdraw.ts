import type { withdrawal as english } from "../en/withdraw.ts";
import type { TextsOf } from "../texts.ts";

/** The way out of Till's wallet. */
export const withdrawal: TextsOf<typeof english> = {
  withdrawLine: "Du portefeuille Till vers une adresse déjà autorisée.",
  withdrawFrom: "De",
  withdrawAmount: "Montant",
  withdrawAtMost: "Au maximum {amount}",
  withdrawAll: "Tout",
  withdrawTo: "Vers",
  neverUsed: "Jamais utilisée",
  addressLastUsed: "Dernière utilisation\u00a0: {when}",
  allowedHow:
    "Les adresses s’autorisent sur la machine elle-même, avec {command}. Qui s’introduit ici ne peut envoyer votre argent qu’à vous.",
  goOn: "Continuer",
  cancel: "Annuler",
  noneAllowed: "Autorisez d’abord une adresse",
  noneAllowedText:
    "L’argent ne quitte le portefeuille Till que vers des adresses autorisées sur la machine elle-même. Lancez-y cette commande, avec une adresse à vous\u00a0:",
  noneAllowedThen: "Revenez ensuite sur cette page.",
  walletEmpty: "Rien à retirer",
  walletEmptyText:
    "Il n’y a pas d’USDC dans le portefeuille Till. Les paiements y arrivent une fois transférés.",
  isUnderWay:
    "Un retrait de ce portefeuille est en cours. Le suivant pourra commencer quand il sera terminé.",
  showIt: "Voir",
  moreWallets:
    "Il y a plus de portefeuilles que l’on ne peut en afficher. Pour les autres, utilisez {command}.",

  withdrawFaultAmount:
    "Saisissez un montant en USDC tel que 750,00, avec deux décimales au maximum et rien d’autre.",
  withdrawFaultTooMuch: "Ce portefeuille contient {amount} USDC.",
  withdrawFaultNothing: "Ce portefeuille est vide.",
  withdrawFaultTo: "Choisissez une adresse. Seules les adresses autorisées sont possibles.",
  withdrawFaultFrom: "Choisissez un portefeuille.",
  withdrawFaultPlan: "Le retrait n’est pas possible. {reason}",
  withdrawFaultGas:
    "Le compte de gas ne peut pas payer les frais. Envoyez-y au moins {eth} ETH, puis revenez.",
  withdrawFaultBegin: "Rien n’a été retiré. {reason}",
  withdrawFaultForm: "Cette page est restée ouverte trop longtemps. Rien n’a été retiré\u00a0: recommencez.",

  confirmTitle: "Retirer {amount} USDC\u00a0?",
  confirmLine:
    "Un envoi sur le réseau {network} ne peut pas être annulé. Comparez l’adresse avec votre portefeuille.",
  confirmTo: "À {name}",
  confirmReceives: "Montant reçu",
  confirmFee: "Frais, du compte de gas",
  confirmFeeAbout: "Environ {eth} ETH",
  confirmFeeMost: "Jamais plus de {eth} ETH",
  confirmLeft: "Reste dans le portefeuille Till",
  confirmBack: "Retour",
  confirmButton: "Retirer",
  confirmWithPasskey: "Confirmer avec la clé d’accès",

  oneWithdrawal: "Retrait",
  stateBegun: "En préparation",
  stateSent: "En cours",
  stateDone: "Retiré",
  stateFailed: "Non retiré",
  begunText:
    "Till l’enregistre, puis l’envoie. Vous pouvez fermer cette page\u00a0: cela continue tout seul.",
  sentText:
    "Le retrait est en route sur le réseau. Vous pouvez fermer cette page\u00a0: cela continue tout seul.",
  doneText: "L’argent est arrivé.",
  failedExpired: "Le réseau ne l’a pas accepté pendant l’heure où il était valable. Rien n’a été déplacé.",
  failedCancelled:
    "Quelqu’un qui a les mots de récupération l’a annulé. Rien n’a été déplacé. Si ce n’était pas vous, déplacez votre argent vers un autre portefeuille maintenant.",
  failedReplaced:
    "Quelqu’un qui a les mots de récupération a utilisé son numéro pour un autre paiement. Si ce n’était pas vous, déplacez votre argent vers un autre portefeuille maintenant.",
  waitsFor: "En attente. {reason}",
  happensBefore: "Date limite\u00a0: {when}. Ensuite, il n’aura pas lieu.",
  ofCommandLine: "Commencé en ligne de commande. {command} le continue.",
  withdrawnFrom: "De",
  withdrawnBegun: "Commencé",
  withdrawnWith: "Transaction",
  didWithdraw: "Le retrait a commencé.",
};
