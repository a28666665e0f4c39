import type { DoorTexts } from "../en/door.ts";

export const door: DoorTexts = {
  signIn: "Se connecter",
  signInTo: "Se connecter à {shop}",
  signInText: "Factures et paiements, versés en USDC.",
  signInByPasskey: "Se connecter avec une clé d’accès",
  signInByPasskeyText:
    "Votre appareil demande votre empreinte, votre visage ou votre code. Il n’y a pas de mot de passe à voler.",
  signInByPasswordInstead: "Utiliser un mot de passe",
  signInByPasskeyInstead: "Utiliser une clé d’accès",
  signInWrong: "Le nom ou le mot de passe est incorrect.",
  signInRefused: "Cette clé d’accès n’est pas valable ici, ou elle est arrivée trop tard. Réessayez.",
  tooManyTries: "Trop d’essais. Attendez une minute, puis réessayez.",
  cannotSignIn: "Je n’arrive pas à me connecter",
  loginCommandText:
    "Demandez à la personne qui gère ce Till de saisir cette commande sur la machine. Elle affiche un lien valable une fois, pendant 5 minutes.",
  nobodyYet: "Personne ne peut encore se connecter",
  nobodyYetText: "La première personne entre avec un lien à usage unique.",
  didSignOut: "Déconnexion réussie.",
  didEnter: "Bienvenue. Connexion réussie.",

  yourName: "Votre nom",
  yourNameHint: "Affiché à côté de ce que vous faites, pour votre équipe seulement.",
  nameWanted: "Saisissez votre nom, 60 caractères au maximum.",
  nameTaken: "Ce nom est déjà pris ici. Ajoutez de quoi vous distinguer.",
  password: "Mot de passe",
  newPassword: "Nouveau mot de passe",
  passwordHint: "Au moins {count} caractères. Quelques mots sont faciles à retenir et difficiles à deviner.",
  passwordTooShort: "Choisissez de 12 à 200 caractères.",
  setPasswordAndEnter: "Définir le mot de passe et entrer",

  firstOwner: "Cet espace est à vous",
  firstOwnerText:
    "Vous avez ouvert le lien à usage unique du propriétaire. Choisissez comment vous vous connecterez désormais.",
  invitedTo: "Invitation\u00a0: {shop}",
  guestOwner:
    "En tant que propriétaire, vous pouvez tout faire, y compris retirer de l’argent et inviter d’autres personnes.",
  guestStaff:
    "Dans l’équipe, vous créez et envoyez des factures et des liens, et vous voyez ce qui est payé.",
  guestAccountant:
    "En comptabilité, vous voyez tout ce qui a été facturé et payé, et vous pouvez l’exporter.",
  welcomeBack: "Bon retour, {name}",
  welcomeBackText:
    "Vous avez ouvert un lien à usage unique. Choisissez comment vous vous connecterez désormais, pour pouvoir revenir sans lien.",
  makePasskey: "Créer une clé d’accès",
  makePasskeyText:
    "Votre appareil la garde, protégée par votre empreinte, votre visage ou votre code. Impossible de la saisir sur une fausse page.",
  passkeyRefused: "Cette clé d’accès n’a pas pu être enregistrée. Réessayez.",
  passkeyInstead: "Créer plutôt une clé d’accès",
  passwordInstead: "Utiliser plutôt un mot de passe",
  enterOnce: "Entrer sans nouvelle clé",
  passkeysImpossible:
    "Les clés d’accès demandent une adresse https avec un nom de domaine. Si Till en a une, c’est la solution la plus sûre.",
  linkGone: "Ce lien n’est plus valable",
  linkGoneText:
    "Chaque lien ne sert qu’une fois et expire vite. Demandez-en un autre à la personne qui vous l’a donné.",

  yourPassword: "Votre mot de passe",
  yourPasswordHint: "Redemandé pour que personne d’autre ne puisse agir depuis votre écran.",
  proofPasskey: "Votre clé d’accès n’a pas été confirmée, ou trop tard. Réessayez.",
  proofPassword: "Ce n’est pas votre mot de passe.",
  passkeyUnsupported:
    "Ce navigateur ne prend pas en charge les clés d’accès ici. Il faut une connexion sécurisée et un navigateur récent.",
  passkeyElsewhere: "Les clés d’accès de cet espace ne fonctionnent que sur {host}. Ouvrez-le là.",
  passkeyNotGiven: "Rien n’a été confirmé. Réessayez quand vous voulez.",
  passkeyNotMade: "Aucune clé d’accès n’a été créée. Réessayez, peut-être sur un autre appareil.",
  passkeyThere: "Cet appareil a déjà une clé d’accès à vous. Ajoutez-en une sur un autre appareil.",
  passkeyNeedsScript: "Une clé d’accès demande JavaScript, qui est désactivé dans ce navigateur.",
};
