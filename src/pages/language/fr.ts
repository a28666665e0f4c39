import type { Messages } from "./en.ts";

export const fr: Messages = {
  awaitingPayment: "En attente de paiement",
  overdue: "En retard",
  paymentSeen: "Paiement détecté",
  partlyPaid: "Partiellement payé",
  paid: "Payé",
  paidInExcess: "Trop-perçu",
  paymentProblem: "Problème de paiement",

  sayOpen: "En attente du paiement de {remaining} USDC.",
  sayPending: "Un paiement de {pending} USDC a été détecté et est en cours de confirmation.",
  sayPartial: "{received} USDC reçus sur {total}. Il reste {remaining} USDC à payer.",
  sayPaid: "Payé. {received} USDC ont été reçus.",
  sayExcess: "Payé. {received} USDC ont été reçus, soit {excess} USDC de plus que demandé.",
  sayError: "Un problème est survenu avec ce paiement sur le réseau. Ne payez pas à nouveau.",

  amountDue: "Montant à payer",
  stillToPay: "Reste à payer",
  onItsWay: "Paiement en cours",
  dueOn: "À payer au plus tard le {day}",
  wasDueOn: "Était à payer au plus tard le {day}",
  receivedSoFar: "Reçu jusqu’ici",
  receivedOf: "{received} USDC reçus sur {total}",

  confirmations: "Confirmations",
  confirmationsOne: "Confirmations\u00a0: {count} sur {needed}",
  confirmationsOther: "Confirmations\u00a0: {count} sur {needed}",
  notFinalYet: "Pas encore définitif",
  beingConfirmed: "En cours de confirmation par le réseau",
  waitingForFinal: "Détecté. En attente que le réseau le rende définitif",
  confirmingAll:
    "Votre paiement a été détecté sur le réseau. Vous n’avez plus rien à faire\u00a0: cette page l’affichera comme payé dès qu’il sera confirmé.",
  confirmingPart:
    "Votre paiement a été détecté sur le réseau. Dès qu’il sera confirmé, cette page affichera ce qui reste des {remaining} USDC.",
  delayed:
    "**Les paiements apparaissent avec du retard en ce moment.** La connexion au réseau est lente. Rien n’est perdu\u00a0: un paiement déjà effectué apparaîtra ici quand la connexion sera rétablie.",

  paidAndMore: "Payé, et plus que demandé",
  receivedInFull: "Reçu en totalité. Vous n’avez plus rien à faire.",
  differenceOfInvoice:
    "{total} USDC étaient demandés\u00a0: **{excess} USDC** de trop sont arrivés. Veuillez [contacter le marchand] au sujet de la différence.",
  differenceOfLink:
    "{total} USDC étaient demandés\u00a0: **{excess} USDC** de trop sont arrivés. Veuillez contacter la boutique au sujet de la différence.",
  returnToShop: "Retour à la boutique",
  usedUp:
    "Ce lien a été payé. Merci de ne pas le payer à nouveau\u00a0: un autre paiement nécessite un nouveau lien de la boutique.",
  somethingWrong: "Un problème est survenu",
  failed:
    "Il y a un problème avec ce paiement sur le réseau. **Ne payez pas à nouveau.** Si cela persiste, contactez la boutique.",
  failedWait: "Cette page affichera le paiement dès qu’il sera confirmé.",
  failedSeenAgain: "{pending} USDC ont été détectés à nouveau et sont en cours de confirmation.",

  howToPay: "Comment payer",
  testNetwork: "**Réseau de test.** Payez uniquement en USDC de test. N’envoyez pas d’argent réel.",
  whereFrom: "D’où allez-vous payer\u00a0?",
  wallet: "Portefeuille",
  scan: "Scanner",
  exchange: "Plateforme ou autre portefeuille",
  noWallet: "Pas de portefeuille dans ce navigateur\u00a0? Scannez le code avec votre téléphone.",
  walletHint:
    "Votre portefeuille s’ouvre avec l’adresse, le montant et le réseau déjà remplis\u00a0: comparez\u2011les avec ceux ci-dessous.",
  qrOfPayment: "Code QR de ce paiement, pour une application de portefeuille",
  qrOfAddress: "Code QR de l’adresse de dépôt",
  scanHint:
    "Scannez avec une application de portefeuille. Elle remplit l’adresse, le montant et le réseau\u00a0: comparez\u2011les avec ceux ci-dessous.",
  openWallet: "Ouvrir dans le portefeuille",
  exchangeNetwork: "Envoyez ou retirez des **USDC** et choisissez **{network}** comme réseau.",
  exchangeAddress: "Scannez le code, ou collez l’adresse de dépôt ci-dessous.",
  exchangeAmount:
    "Exactement {amount} USDC doivent arriver. Si votre plateforme déduit ses frais du retrait, ajoutez-les.",
  amount: "Montant",
  depositAddress: "Adresse de dépôt",
  onlyNetwork: "**Uniquement des USDC sur {network}.** Tout autre envoi à cette adresse risque d’être perdu.",

  copy: "Copier",
  copied: "Copié",
  notCopied: "Non copié",
  copyAmount: "Copier le montant",
  amountCopied: "Montant copié",
  amountNotCopied: "Le montant n’a pas pu être copié. Veuillez le sélectionner et le copier à la main.",
  copyAddress: "Copier l’adresse de dépôt",
  addressCopied: "Adresse de dépôt copiée",
  addressNotCopied:
    "L’adresse de dépôt n’a pas pu être copiée. Veuillez la sélectionner et la copier à la main.",

  payment: "Paiement",
  payments: "Paiements",
  smallerPayments: "Paiements plus petits non affichés\u00a0: {count}",
  confirmed: "Confirmé",
  transactionInExplorer: "Transaction {hash} dans l’explorateur",

  invoiceNumber: "Facture {number}",
  invoiceFrom: "Facture {number} de {merchant}",
  invoiceDetails: "Détails de la facture",
  from: "De",
  to: "À",
  issued: "Émise le",
  due: "Échéance",
  description: "Description",
  amountInUsdc: "Montant (USDC)",
  total: "Total",
  notes: "Remarques",
  downloadPdf: "Télécharger le PDF",
  contactMerchant: "Contacter le marchand",
  payTo: "Payer",
  receipt: "Reçu",
  transaction: "Transaction",

  footnote:
    "Cette page se met à jour d’elle-même. Aucun compte n’est nécessaire pour payer, et personne ne vous demandera un mot de passe ou une phrase de récupération.",
  language: "Langue",
  connectionLost: "Connexion perdue, nouvelle tentative…",
  connectedAgain: "Connexion rétablie.",
  hostedBy: "Hébergé par {brand}",
  openYourLink: "Pour payer une facture, ouvrez le lien que vous avez reçu.",

  payWith: "Payer avec {wallet}",
  confirmInWallet: "Veuillez confirmer le paiement dans {wallet}.",
  sent: "Envoyé. Il apparaîtra ici dès que le réseau l’aura.",
  noAccount: "Le portefeuille ne propose aucun compte pour payer.",
  unknownNetwork:
    "Le portefeuille ne connaît pas {network}. Ajoutez-y ce réseau (identifiant de chaîne {chainId}) et réessayez.",
  otherNetwork: "Le portefeuille est sur un autre réseau. Passez sur {network} et réessayez.",
  tooLittle: "Ce compte contient moins d’USDC sur {network} que la somme à payer.",
  declined: "Refusé dans le portefeuille. Rien n’a été envoyé.",
  unauthorized:
    "Le portefeuille ne laisse pas cette page voir de compte. Autorisez-le dans le portefeuille et réessayez.",
  requestPending: "Une demande est déjà ouverte dans le portefeuille. Ouvrez-le et terminez-la.",
  walletFailed:
    "Le portefeuille n’a pas pu envoyer le paiement. Vérifiez dans le portefeuille que rien n’a été envoyé avant de réessayer.",
  noFee:
    "Le portefeuille n’a pas pu envoyer le paiement\u00a0: ce compte n’a pas d’ETH sur {network} pour les frais. Vérifiez dans le portefeuille que rien n’a été envoyé avant de réessayer.",
  reverted:
    "Le réseau n’a pas exécuté ce paiement. Rien n’a été payé. Vérifiez votre compte dans le portefeuille avant de réessayer.",

  invoiceNotFound: "Facture introuvable",
  invoiceNotFoundText:
    "Il n’y a pas de facture à cette adresse. Vérifiez que le lien est complet, ou demandez-en un nouveau à l’expéditeur.",
  linkNotFound: "Lien de paiement introuvable",
  linkNotFoundText:
    "Il n’y a pas de lien de paiement à cette adresse. Vérifiez que le lien est complet, ou demandez-en un nouveau à la boutique.",
  pageNotFound: "Page introuvable",
  pageNotFoundText: "Il n’y a rien à cette adresse.",
  tooManyRequests: "Trop de requêtes",
  tooManyRequestsText: "Revenez dans {seconds} s.",
  requestFailed: "Une erreur s’est produite",
  requestFailedText: "Réessayez dans une minute.",
};
