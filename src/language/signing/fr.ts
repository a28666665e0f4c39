import type { SigningTexts } from "./en.ts";

export const signing: SigningTexts = {
  signWith: "Payer avec {wallet}, sans frais",
  cannotSign: "Ce portefeuille n’a pas pu signer le paiement. Rien n’a été envoyé. Utilisez l’autre bouton.",
  notHandedOver:
    "Le serveur est injoignable. Réessayez dans une minute\u00a0: signer à nouveau ne fait pas payer deux fois.",
  signHint: "Le destinataire paie les frais de réseau. **Votre signature vaut paiement.**",
  paymentSigned: "Paiement signé",
  saySigned: "Paiement signé de {amount} USDC, en cours d’envoi.",
  signedOnItsWay:
    "**Ce paiement a été signé et il est en cours d’envoi.** Vous n’avez plus rien à faire\u00a0: cette page l’affichera comme payé dès qu’il sera confirmé.",
  signedFailed: "**Le paiement signé n’a pas abouti.** Aucun USDC n’est arrivé. Vous pouvez payer à nouveau.",
  signPlain:
    "Les frais de réseau ne peuvent pas être payés à votre place pour le moment. Rien n’a été envoyé. Utilisez l’autre bouton\u00a0: votre portefeuille paie les frais.",
  signClosed: "Il n’y a plus rien à payer ici. Rien n’a été envoyé.",
  signBusy: "Un autre paiement est déjà en cours. Rien d’autre n’a été envoyé. Ne payez pas à nouveau.",
  signAmount: "Le montant dû a changé. Rien n’a été envoyé. Vérifiez le nouveau montant et réessayez.",
  signLate: "La signature a pris trop de temps. Rien n’a été envoyé. Réessayez.",
  signInvalid:
    "La signature n’a pas pu être utilisée. Rien n’a été envoyé. Réessayez ou utilisez l’autre bouton.",
  signUndeployed:
    "Ce portefeuille intelligent n’est pas encore actif sur le réseau {network}, sa signature n’est donc pas valable. Rien n’a été envoyé. Utilisez l’autre bouton.",
  signBlocked:
    "USDC n’autorise pas les paiements depuis ce compte. Rien n’a été envoyé. Utilisez un autre compte.",
  signPaused:
    "Les transferts d’USDC sont suspendus sur le réseau {network}. Rien n’a été envoyé. Réessayez plus tard.",
  usdcOn: "USDC sur {network}",
  openPageIn: "Ouvrir cette page dans votre portefeuille\u00a0:",
};
