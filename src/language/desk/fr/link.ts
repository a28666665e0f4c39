import type { link as english } from "../en/link.ts";
import type { TextsOf } from "../texts.ts";

/** One payment link. */
export const link: TextsOf<typeof english> = {
  linkLine: "{price}\u00a0USDC · {kind}",
  linkDuplicate: "Dupliquer",
  linkMoreActions: "Autres actions",
  linkOpenPage: "Ouvrir la page de paiement",
  linkPrint: "Imprimer le code",
  linkReceipt: "Reçu",
  linkMark: "Payé autrement…",
  linkUnmark: "Finalement pas payé autrement",
  linkDoVoid: "Annuler…",
  linkDoEnd: "Fermer ce lien…",

  linkSend: "L’envoyer",
  linkAddress: "Adresse de la page de paiement",
  linkEmbed: "Ou l’intégrer à votre site",
  linkCheckout: "Formulaire",
  linkCheckoutText: "Collez ceci là où le formulaire doit s’afficher. Sa hauteur s’adapte.",
  linkFrame: "Cadre",
  linkFrameText: "Pour les sites qui n’acceptent pas de scripts. La taille est fixe.",
  linkButton: "Bouton",
  linkButtonText: "Un simple lien vers la page de paiement. Donnez-lui le style de votre choix.",
  linkButtonWord: "Payer en USDC",
  linkInPage: "Sur votre page",
  linkOpenIt: "Ouvrir",

  linkPayments: "Paiements",
  linkPaymentsSum: "Payés\u00a0: {paid}, {received} USDC",
  linkBegun: "Commencés sans être payés, non affichés\u00a0: {count}",
  linkNoPayments: "Personne n’a encore payé avec ce lien. Les paiements apparaîtront ici.",
  linkVoided: "Annulé\u00a0: {reason}",

  linkAbout: "Ce lien",
  linkFactMade: "Créé",
  linkFactEnds: "Fin",
  linkFactReference: "Votre référence",
  linkFactShop: "Boutique",
  linkFactNotices: "Avis à",
  linkFactPaidInto: "Versé sur",
  linkFactQuantity: "Pièces",
  linkFactReceipt: "Reçu à",
  linkFactSuccess: "Page suivante",
  linkFactOrigins: "Intégration permise sur",
  linkFactPartOf: "Un paiement de",
  linkFactDeposit: "Adresse de dépôt",
  linkSomebody: "Quelqu’un",
  linkToldCreated: "Le lien a été créé",

  linkVoidTitle: "Annuler ce lien\u00a0?",
  linkVoidText:
    "Sa page ne demande plus d’argent et dit pourquoi. C’est irréversible. L’argent qui arrive malgré tout reste à vous et s’affiche.",
  linkEndTitle: "Fermer ce lien\u00a0?",
  linkEndText:
    "Plus personne ne pourra commencer de paiement. Ceux déjà commencés peuvent être terminés. C’est irréversible.",
  linkVoidReason: "Motif",
  linkVoidReasonHint: "Toute personne qui ouvre le lien le lit.",
  linkKeep: "Le garder",
  linkVoidIt: "Annuler le lien",
  linkEndIt: "Fermer le lien",
  linkMarkTitle: "Ce lien a été payé autrement\u00a0?",
  linkMarkText:
    "Par virement ou en espèces, par exemple. Il n’y a plus rien à payer et la page indique que c’est payé. Vous pouvez revenir en arrière.",

  linkPosterScan: "Scannez avec l’appareil photo de votre téléphone pour payer",
  linkPosterPrint: "Imprimer",
  linkPosterCode: "Code QR de la page de paiement",

  didVoidLink: "Le lien est annulé.",
  didEndLink: "Le lien est fermé.",
  didMarkLink: "Le lien est marqué comme payé autrement.",
  didUnmarkLink: "Le lien est de nouveau ouvert.",
};
