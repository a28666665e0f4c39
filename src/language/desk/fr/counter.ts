import type { CounterTexts } from "../en/counter.ts";

export const counter: CounterTexts = {
  counterToPay: "À payer",
  counterWhat: "Objet",
  counterWhatHint: "Objet (facultatif)",
  counterKeys: "Pavé numérique",
  counterErase: "Effacer",
  counterCharge: "Encaisser {amount}",
  counterNothing: "Saisissez d’abord un montant.",
  counterWhatFault: "Saisissez une seule ligne de texte simple, 120 caractères au maximum.",
  counterLeave: "Quitter la caisse",
  counterSound: "Son au paiement",
  counterOffline: "Non envoyé\u00a0: Till est injoignable. Rien n’est perdu, réessayez.",
  counterDay: "Aujourd’hui à la caisse",
  counterDayNone: "Rien pour l’instant aujourd’hui.",
  counterCancelled: "Annulé",
  counterLateTitle: "Reçu après l’annulation\u00a0: {amount} USDC.",
  counterLateText: "Ce montant n’était pas dû. Rendez-le, ou gardez-le s’il vous était destiné.",
  counterShow: "Voir",
  counterNobody: "Qui est payé\u00a0?",
  counterNobodyText:
    "La caisse a besoin du nom de votre boutique et d’une adresse e-mail. Indiquez-les dans les réglages, et chacun pourra encaisser ici.",
  counterToSettings: "Ouvrir les réglages",

  counterCancel: "Annuler",
  counterNext: "Client suivant",
  counterWaiting: "En attente du paiement",
  counterSeenText: "{amount} USDC détecté. Attendez la confirmation.",
  counterPartlyText: "Reçu\u00a0: {received} USDC sur {total}. Ce code demande le reste.",
  counterPartSeenText: "{amount} USDC en cours. Ce code demande le reste.",
  counterTakenBackText:
    "Le réseau a annulé un paiement confirmé. Il revient souvent de lui-même\u00a0: attendez avant que quelqu’un paie deux fois.",
  counterByWallet: "Portefeuille",
  counterByCamera: "Appareil photo",
  counterByHand: "À la main",
  counterCodeCamera: "Code QR de la page de paiement, pour un appareil photo",
  counterWalletText:
    "**Uniquement des USDC sur le réseau {network}.** Scannez avec votre portefeuille\u00a0: il remplit tout.",
  counterCameraText: "Scannez avec l’appareil photo\u00a0: la page de paiement s’ouvre.",
  counterHandText: "Envoyez exactement ce montant en USDC sur le réseau {network} à cette adresse.",
  counterAddress: "Adresse",

  counterExcess:
    "{excess} USDC de plus que les {total} USDC à payer. Rendez la différence, ou gardez-la comme pourboire.",
  counterReceipt: "Envoyer un reçu",
  counterReceiptPdf: "Reçu (PDF)",
  counterReceiptTo: "Adresse e-mail du client",
  counterReceiptFault: "Saisissez une adresse e-mail, par exemple nom@example.com.",
  counterCancelledText: "Il n’y a rien à payer. La page du client l’indique aussi.",

  counterVoidReason: "Annulé à la caisse.",
  didCancelSale: "Le paiement est annulé.",
  didSendReceipt: "Le reçu est en route.",
  didFindReceiptSent: "Un reçu a déjà été envoyé pour ce paiement.",
};
