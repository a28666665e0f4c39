import type { Messages } from "./en.ts";

export const de: Messages = {
  awaitingPayment: "Zahlung offen",
  overdue: "Überfällig",
  paymentSeen: "Zahlung erkannt",
  partlyPaid: "Teilweise bezahlt",
  paid: "Bezahlt",
  paidInExcess: "Zu viel bezahlt",
  paymentProblem: "Problem mit der Zahlung",

  sayOpen: "{remaining} USDC sind zu zahlen.",
  sayPending: "Eine Zahlung von {pending} USDC wurde erkannt und wird bestätigt.",
  sayPartial: "{received} von {total} USDC sind eingegangen. {remaining} USDC sind noch zu zahlen.",
  sayPaid: "Bezahlt. {received} USDC sind eingegangen.",
  sayExcess: "Bezahlt. {received} USDC sind eingegangen, {excess} USDC mehr als verlangt.",
  sayError: "Mit dieser Zahlung ist im Netzwerk etwas schiefgegangen. Bitte nicht noch einmal zahlen.",

  amountDue: "Zu zahlen",
  stillToPay: "Noch zu zahlen",
  onItsWay: "Zahlung unterwegs",
  dueOn: "Fällig am {day}",
  wasDueOn: "War fällig am {day}",
  receivedSoFar: "Bisher eingegangen",
  receivedOf: "{received} von {total} USDC eingegangen",

  confirmations: "Bestätigungen",
  confirmationsOne: "{count} von {needed} Bestätigung",
  confirmationsOther: "{count} von {needed} Bestätigungen",
  notFinalYet: "Noch nicht endgültig",
  beingConfirmed: "Wird vom Netzwerk bestätigt",
  waitingForFinal: "Erkannt. Im Netzwerk noch nicht endgültig",
  confirmingAll:
    "Ihre Zahlung wurde im Netzwerk erkannt. Sie müssen nichts mehr tun: Sobald sie bestätigt ist, zeigt diese Seite sie als bezahlt.",
  confirmingPart:
    "Ihre Zahlung wurde im Netzwerk erkannt. Sobald sie bestätigt ist, zeigt diese Seite, was von den {remaining} USDC übrig bleibt.",
  delayed:
    "**Zahlungen erscheinen gerade verspätet.** Die Verbindung zum Netzwerk ist langsam. Nichts geht verloren: Eine Zahlung erscheint hier, sobald die Verbindung wieder da ist.",

  paidAndMore: "Bezahlt, und mehr als verlangt",
  receivedInFull: "Vollständig eingegangen. Es ist nichts mehr zu tun.",
  differenceOfInvoice:
    "Verlangt waren {total} USDC: Es sind **{excess} USDC** zu viel eingegangen. Bitte [wenden Sie sich an den Händler], um die Differenz zu klären.",
  differenceOfLink:
    "Verlangt waren {total} USDC: Es sind **{excess} USDC** zu viel eingegangen. Bitte klären Sie die Differenz mit dem Shop.",
  returnToShop: "Zurück zum Shop",
  usedUp:
    "Dieser Link ist bezahlt. Bitte zahlen Sie nicht noch einmal darüber: Eine weitere Zahlung braucht einen neuen Link vom Shop.",
  somethingWrong: "Etwas ist schiefgegangen",
  failed:
    "Mit dieser Zahlung gibt es ein Problem im Netzwerk. **Bitte nicht noch einmal zahlen.** Wenn das so bleibt, wenden Sie sich an den Shop.",
  failedWait: "Sobald die Zahlung bestätigt ist, zeigt diese Seite sie an.",
  failedSeenAgain: "{pending} USDC wurden wieder erkannt und werden bestätigt.",

  howToPay: "So zahlen Sie",
  testNetwork: "**Testnetzwerk.** Zahlen Sie nur mit Test-USDC. Senden Sie kein echtes Geld.",
  whereFrom: "Von wo zahlen Sie?",
  wallet: "Wallet",
  scan: "Scannen",
  exchange: "Börse oder andere Wallet",
  noWallet: "Keine Wallet in diesem Browser? Scannen Sie den Code mit dem Telefon.",
  walletHint:
    "Ihre Wallet-App öffnet sich mit Adresse, Betrag und Netzwerk. Vergleichen Sie sie mit den Angaben unten.",
  qrOfPayment: "QR-Code dieser Zahlung, für eine Wallet-App",
  qrOfAddress: "QR-Code der Einzahlungsadresse",
  scanHint:
    "Mit einer Wallet-App scannen. Adresse, Betrag und Netzwerk werden übernommen: Vergleichen Sie sie mit den Angaben unten.",
  openWallet: "In der Wallet-App öffnen",
  exchangeNetwork: "**USDC** senden oder auszahlen und als Netzwerk **{network}** wählen.",
  exchangeAddress: "Den Code scannen oder die Einzahlungsadresse unten einfügen.",
  exchangeAmount:
    "Es müssen genau {amount} USDC ankommen. Zieht Ihre Börse die Gebühr von der Auszahlung ab, rechnen Sie sie dazu.",
  amount: "Betrag",
  depositAddress: "Einzahlungsadresse",
  onlyNetwork: "**Nur USDC auf {network}.** Alles andere, was an diese Adresse geht, kann verloren sein.",

  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Nicht kopiert",
  copyAmount: "Betrag kopieren",
  amountCopied: "Betrag kopiert",
  amountNotCopied: "Der Betrag konnte nicht kopiert werden. Bitte markieren und von Hand kopieren.",
  copyAddress: "Einzahlungsadresse kopieren",
  addressCopied: "Einzahlungsadresse kopiert",
  addressNotCopied:
    "Die Einzahlungsadresse konnte nicht kopiert werden. Bitte markieren und von Hand kopieren.",

  payment: "Zahlung",
  payments: "Zahlungen",
  smallerPayments: "Kleinere Zahlungen, die nicht aufgeführt sind: {count}",
  confirmed: "Bestätigt",
  transactionInExplorer: "Transaktion {hash} im Explorer",

  invoiceNumber: "Rechnung {number}",
  invoiceFrom: "Rechnung {number} von {merchant}",
  invoiceDetails: "Die Rechnung",
  from: "Von",
  to: "An",
  issued: "Ausgestellt",
  due: "Fällig",
  description: "Beschreibung",
  amountInUsdc: "Betrag (USDC)",
  total: "Summe",
  notes: "Anmerkungen",
  downloadPdf: "PDF herunterladen",
  contactMerchant: "Händler kontaktieren",
  payTo: "Zahlung an",
  receipt: "Zahlungsbeleg",
  transaction: "Transaktion",

  footnote:
    "Diese Seite hält sich selbst aktuell. Zum Zahlen brauchen Sie kein Konto, und niemand fragt Sie nach einem Passwort oder einer Wiederherstellungsphrase.",
  language: "Sprache",
  connectionLost: "Verbindung verloren, neuer Versuch läuft…",
  connectedAgain: "Wieder verbunden.",
  hostedBy: "Betrieben von {brand}",
  openYourLink: "Um eine Rechnung zu bezahlen, öffnen Sie den Link, den Sie erhalten haben.",

  payWith: "Mit {wallet} zahlen",
  confirmInWallet: "Bitte bestätigen Sie die Zahlung in {wallet}.",
  sent: "Gesendet. Sobald das Netzwerk sie hat, erscheint sie hier.",
  noAccount: "Die Wallet bietet kein Konto an, von dem gezahlt werden kann.",
  unknownNetwork:
    "Die Wallet kennt {network} nicht. Fügen Sie das Netzwerk dort hinzu (Chain-ID {chainId}) und versuchen Sie es noch einmal.",
  otherNetwork:
    "Die Wallet ist in einem anderen Netzwerk. Stellen Sie sie auf {network} um und versuchen Sie es noch einmal.",
  tooLittle: "Dieses Konto hat weniger USDC auf {network}, als zu zahlen ist.",
  declined: "In der Wallet abgelehnt. Es wurde nichts gesendet.",
  unauthorized:
    "Die Wallet lässt diese Seite kein Konto sehen. Erlauben Sie es dort und versuchen Sie es noch einmal.",
  requestPending:
    "In der Wallet ist schon eine Anfrage offen. Bitte öffnen Sie die Wallet und schließen Sie sie dort ab.",
  walletFailed:
    "Die Wallet konnte die Zahlung nicht senden. Vergewissern Sie sich dort, dass nichts gesendet wurde, bevor Sie es noch einmal versuchen.",
  noFee:
    "Die Wallet konnte die Zahlung nicht senden: Dieses Konto hat kein ETH auf {network} für die Gebühr. Vergewissern Sie sich in der Wallet, dass nichts gesendet wurde, bevor Sie es noch einmal versuchen.",
  reverted:
    "Das Netzwerk hat diese Zahlung nicht ausgeführt. Es wurde nichts bezahlt. Bitte prüfen Sie Ihr Konto in der Wallet, bevor Sie es noch einmal versuchen.",

  invoiceNotFound: "Rechnung nicht gefunden",
  invoiceNotFoundText:
    "Unter dieser Adresse gibt es keine Rechnung. Prüfen Sie, ob der Link vollständig ist, oder bitten Sie den Absender um einen neuen.",
  linkNotFound: "Zahlungslink nicht gefunden",
  linkNotFoundText:
    "Unter dieser Adresse gibt es keinen Zahlungslink. Prüfen Sie, ob der Link vollständig ist, oder bitten Sie den Shop um einen neuen.",
  pageNotFound: "Seite nicht gefunden",
  pageNotFoundText: "Unter dieser Adresse gibt es nichts.",
  tooManyRequests: "Zu viele Anfragen",
  tooManyRequestsText: "Bitte kommen Sie in {seconds} s wieder.",
  requestFailed: "Etwas ist schiefgegangen",
  requestFailedText: "Bitte versuchen Sie es in einer Minute noch einmal.",
};
