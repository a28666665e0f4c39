import type { Messages } from "./en.ts";

export const fr: Messages = {
  awaitingPayment: "En attente de paiement",
  overdue: "En retard",
  paymentSeen: "Paiement détecté",
  partlyPaid: "Paiement partiel",
  paid: "Payé",
  paidInExcess: "Trop-perçu",
  paymentProblem: "Problème de paiement",

  sayOpen: "En attente du paiement de {remaining} USDC.",
  sayPending: "Paiement de {pending} USDC détecté, en cours de confirmation.",
  sayPartial: "Reçu\u00a0: {received} USDC sur {total}. Reste à payer\u00a0: {remaining} USDC.",
  sayPaid: "Payé. Reçu\u00a0: {received} USDC.",
  sayExcess: "Payé. Reçu\u00a0: {received} USDC, soit {excess} USDC de plus que le montant dû.",
  sayError: "Un problème est survenu avec ce paiement sur le réseau. Ne payez pas à nouveau.",

  amountDue: "Montant à payer",
  stillToPay: "Reste à payer",
  onItsWay: "Paiement en cours",
  dueOn: "Échéance\u00a0: {day}",
  wasDueOn: "Échue le {day}",
  receivedSoFar: "Reçu jusqu’ici",
  receivedOf: "Reçu\u00a0: {received} USDC sur {total}",

  confirmations: "Confirmations",
  confirmationsOne: "Confirmations\u00a0: {count} sur {needed}",
  confirmationsOther: "Confirmations\u00a0: {count} sur {needed}",
  notFinalYet: "Pas encore définitif",
  beingConfirmed: "En cours de confirmation par le réseau",
  waitingForFinal: "Détecté. En attente de validation définitive par le réseau",
  confirmingAll:
    "Votre paiement a été détecté sur le réseau. Vous n’avez plus rien à faire\u00a0: cette page l’affichera comme payé dès qu’il sera confirmé.",
  confirmingPart:
    "Votre paiement a été détecté sur le réseau. Dès qu’il sera confirmé, cette page affichera ce qu’il reste à payer sur {remaining} USDC.",
  delayed:
    "**Les paiements apparaissent avec du retard en ce moment.** La connexion au réseau est lente. Rien n’est perdu\u00a0: un paiement déjà effectué apparaîtra ici quand la connexion sera rétablie.",

  paidAndMore: "Trop-perçu",
  receivedInFull: "Montant intégral reçu. Vous n’avez plus rien à faire.",
  differenceOfInvoice:
    "Le montant dû était de {total} USDC\u00a0: le trop-perçu est de **{excess} USDC**. Veuillez [contacter le vendeur] à ce sujet.",
  differenceOfLink:
    "Le montant dû était de {total} USDC\u00a0: le trop-perçu est de **{excess} USDC**. Veuillez contacter la boutique à ce sujet.",
  returnToShop: "Retour à la boutique",
  usedUp:
    "Ce paiement est déjà effectué. Ne payez pas une seconde fois\u00a0: pour un autre paiement, demandez un nouveau lien à la boutique.",
  somethingWrong: "Un problème est survenu",
  failed:
    "Il y a un problème avec ce paiement sur le réseau. **Ne payez pas à nouveau.** Si cela persiste, contactez la boutique.",
  failedWait: "Cette page affichera le paiement dès qu’il sera confirmé.",
  failedSeenAgain: "De nouveau détecté\u00a0: {pending} USDC, en cours de confirmation.",

  howToPay: "Comment payer",
  testNetwork: "**Réseau de test.** Payez uniquement en USDC de test. N’envoyez pas d’argent réel.",
  testNetworkName: "{network}, réseau de test",
  whereFrom: "Comment souhaitez-vous payer\u00a0?",
  wallet: "Portefeuille",
  scan: "Scanner",
  exchange: "Plateforme d’échange ou autre portefeuille",
  noWallet: "Pas de portefeuille dans ce navigateur\u00a0? Scannez le code avec votre téléphone.",
  walletHint:
    "Votre portefeuille s’ouvre avec l’adresse, le montant et le réseau préremplis\u00a0: vérifiez qu’ils correspondent à ceux indiqués ci-dessous.",
  qrOfPayment: "Code QR de ce paiement, pour une application de portefeuille",
  qrOfAddress: "Code QR de l’adresse de dépôt",
  scanHint:
    "Scannez avec une application de portefeuille. Elle remplit l’adresse, le montant et le réseau\u00a0: vérifiez qu’ils correspondent à ceux indiqués ci-dessous.",
  openWallet: "Ouvrir dans le portefeuille",
  exchangeNetwork: "Retirez ou envoyez des **USDC** et choisissez le réseau **{network}**.",
  exchangeAddress: "Scannez le code, ou collez l’adresse de dépôt ci-dessous.",
  exchangeAmount:
    "Le montant reçu doit être exactement de {amount} USDC. Si votre plateforme déduit ses frais du retrait, ajoutez-les au montant du retrait.",
  amount: "Montant",
  depositAddress: "Adresse de dépôt",
  onlyNetwork:
    "**Uniquement des USDC sur le réseau {network}.** Tout autre envoi à cette adresse risque d’être perdu.",

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
  smallerPayments: "Autres paiements, de moindre montant, non affichés\u00a0:\u00a0{count}",
  confirmed: "Confirmé",
  transactionInExplorer: "Transaction {hash} dans l’explorateur",

  invoiceNumber: "Facture {number}",
  invoiceFrom: "Facture {number} de {merchant}",
  invoiceDetails: "Détails de la facture",
  billedBy: "Vendeur",
  billedTo: "Client",
  issueDate: "Date d’émission",
  dueDate: "Échéance",
  description: "Description",
  amountInUsdc: "Montant (USDC)",
  total: "Total",
  notes: "Remarques",
  downloadPdf: "Télécharger le PDF",
  contactMerchant: "Contacter le vendeur",
  payTo: "Payer",
  receipt: "Reçu",
  transaction: "Transaction",

  footnote:
    "Cette page s’actualise automatiquement. Aucun compte n’est nécessaire pour payer. Ne saisissez jamais ici de mot de passe ni de phrase de récupération.",
  language: "Langue",
  connectionLost: "Connexion perdue, nouvelle tentative…",
  connectedAgain: "Connexion rétablie.",
  hostedBy: "Hébergé par {brand}",
  openYourLink: "Pour payer une facture, ouvrez le lien que vous avez reçu.",

  payWith: "Payer avec {wallet}",
  confirmInWallet: "Veuillez confirmer le paiement dans {wallet}.",
  sent: "Envoyé. Il apparaîtra ici dès qu’il sera visible sur le réseau.",
  noAccount: "Ce portefeuille n’a aucun compte pour payer.",
  unknownNetwork:
    "Le réseau {network} n’est pas configuré dans votre portefeuille. Ajoutez-le (identifiant de chaîne {chainId}) et réessayez.",
  otherNetwork: "Le portefeuille est sur un autre réseau. Passez sur {network} et réessayez.",
  tooLittle: "Ce compte n’a pas assez d’USDC sur le réseau {network}.",
  declined: "Refusé dans le portefeuille. Rien n’a été envoyé.",
  unauthorized:
    "Le portefeuille n’a donné accès à aucun compte. Autorisez l’accès dans le portefeuille et réessayez.",
  requestPending: "Une demande est déjà en attente dans le portefeuille. Approuvez-la ou refusez-la.",
  walletFailed:
    "Le portefeuille n’a pas pu envoyer le paiement. Vérifiez dans le portefeuille que rien n’a été envoyé avant de réessayer.",
  noFee:
    "Le portefeuille n’a pas pu envoyer le paiement\u00a0: ce compte n’a pas d’ETH sur le réseau {network} pour les frais. Vérifiez dans le portefeuille que rien n’a été envoyé avant de réessayer.",
  reverted:
    "La transaction a échoué sur le réseau. Aucun USDC n’a été envoyé, mais les frais de réseau ont pu être prélevés. Vérifiez votre compte dans le portefeuille avant de réessayer.",

  invoiceNotFound: "Facture introuvable",
  invoiceNotFoundText:
    "Aucune facture ne correspond à ce lien. Vérifiez que le lien est complet, ou demandez-en un nouveau à l’expéditeur.",
  linkNotFound: "Lien de paiement introuvable",
  linkNotFoundText:
    "Ce lien de paiement n’existe pas. Vérifiez que le lien est complet, ou demandez-en un nouveau à la boutique.",
  pageNotFound: "Page introuvable",
  pageNotFoundText: "Cette page n’existe pas.",
  tooManyRequests: "Trop de requêtes",
  tooManyRequestsText: "Réessayez dans {seconds}\u00a0s.",
  requestFailed: "Une erreur s’est produite",
  requestFailedText: "Réessayez dans une minute.",

  payWithUsdc: "Payer en USDC",
  formMissing: "Le formulaire de paiement ne s’est pas chargé.",
  openPayment: "Ouvrir la page de paiement",
  slugMissing: "Le lien de paiement est manquant.",
};
