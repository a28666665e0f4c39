import { signing } from "../signing/de.ts";
import { trade } from "../trade/de.ts";
import type { Texts } from "./en.ts";

export const de: Texts = {
  awaitingPayment: "Zahlung offen",
  overdue: "Überfällig",
  paymentSeen: "Zahlung erkannt",
  partlyPaid: "Teilweise bezahlt",
  paid: "Bezahlt",
  paidInExcess: "Überzahlt",
  paymentProblem: "Problem mit der Zahlung",
  expired: "Abgelaufen",
  void: "Storniert",
  voidPayment: "Storniert",

  sayOpen: "Offen: {remaining} USDC.",
  sayPending: "Eine Zahlung von {pending} USDC wurde erkannt und wird bestätigt.",
  sayPartial: "{received} von {total} USDC eingegangen. Noch offen: {remaining} USDC.",
  sayPaid: "Bezahlt. Eingegangen: {received} USDC.",
  sayExcess: "Bezahlt. Eingegangen: {received} USDC, {excess} USDC mehr als fällig.",
  sayError: "Mit dieser Zahlung ist im Netzwerk etwas schiefgegangen. Bitte zahlen Sie nicht noch einmal.",
  sayExpired:
    "Dieser Zahlungslink ist abgelaufen. Bitte senden Sie kein Geld mehr. Einen neuen Link erhalten Sie beim Shop.",
  expiredButSent:
    "Eine Zahlung, die Sie schon gesendet haben, geht nicht verloren: Sie zählt und erscheint hier.",

  amountDue: "Offener Betrag",
  stillToPay: "Noch zu zahlen",
  onItsWay: "Zahlung unterwegs",
  dueOn: "Fällig am {day}",
  wasDueOn: "War fällig am {day}",
  payBy: "Zahlbar bis {time}",
  receivedSoFar: "Bisher eingegangen",
  receivedOf: "{received} von {total} USDC eingegangen",

  confirmations: "Bestätigungen",
  confirmationsOne: "{count} von {needed} Bestätigung",
  confirmationsOther: "{count} von {needed} Bestätigungen",
  notFinalYet: "Noch nicht endgültig",
  beingConfirmed: "Wird vom Netzwerk bestätigt",
  waitingForFinal: "Erkannt. Warten auf die endgültige Bestätigung im Netzwerk",
  confirmingAll:
    "Ihre Zahlung wurde im Netzwerk erkannt. Sie müssen nichts mehr tun: Sobald sie bestätigt ist, zeigt diese Seite sie als bezahlt an.",
  confirmingPart:
    "Ihre Zahlung wurde im Netzwerk erkannt. Sobald sie bestätigt ist, zeigt diese Seite, wie viel von {remaining} USDC noch offen ist.",
  delayed:
    "**Zahlungen werden derzeit verzögert angezeigt.** Die Verbindung zum Netzwerk ist langsam. Es geht nichts verloren: Ihre Zahlung erscheint hier, sobald die Verbindung wieder steht.",

  paidAndMore: "Überzahlt",
  receivedInFull: "Vollständig eingegangen. Es ist nichts mehr zu tun.",
  differenceOfInvoice:
    "Fällig waren {total} USDC, es wurden **{excess} USDC** zu viel bezahlt. Bitte [wenden Sie sich an den Händler], um die Differenz zu klären.",
  differenceOfLink:
    "Fällig waren {total} USDC, es wurden **{excess} USDC** zu viel bezahlt. Bitte wenden Sie sich an den Shop, um die Differenz zu klären.",
  returnToShop: "Zurück zum Shop",
  usedUp:
    "Über diesen Link wurde bereits bezahlt. Bitte zahlen Sie nicht noch einmal. Für eine weitere Zahlung brauchen Sie einen neuen Link vom Shop.",
  receiptByEmail: "Zahlungsbeleg per E-Mail",
  receiptGoesTo: "Zahlungsbeleg per E-Mail an {email}",
  receiptSentTo: "Der Zahlungsbeleg wurde an {email} gesendet.",
  yourEmail: "Ihre E-Mail-Adresse",
  receiptWhen:
    "Der Zahlungsbeleg wird einmal gesendet, sobald vollständig bezahlt ist. Der Shop kann diese Adresse sehen.",
  emailInvalid: "Bitte prüfen Sie die E-Mail-Adresse.",
  changeEmail: "Adresse ändern",
  backToPayment: "Zurück zur Zahlung",
  somethingWrong: "Etwas ist schiefgegangen",
  failed:
    "Mit dieser Zahlung gibt es ein Problem im Netzwerk. **Bitte zahlen Sie nicht noch einmal.** Wenn diese Meldung nicht verschwindet, wenden Sie sich an den Shop.",
  failedWait: "Sobald die Zahlung bestätigt ist, zeigt diese Seite sie an.",
  failedSeenAgain: "Erneut erkannt: {pending} USDC. Die Zahlung wird bestätigt.",

  voidOfInvoice: "Diese Rechnung wurde storniert",
  voidOfLink: "Dieser Zahlungslink ist nicht mehr gültig",
  nothingOwed: "Es ist nichts mehr zu zahlen. Bitte zahlen Sie nicht.",
  reason: "Grund",
  unexpectedOfInvoice:
    "**Es wurde trotzdem Geld hierher gesendet.** Bitte [wenden Sie sich an den Händler], um eine Erstattung zu klären.",
  unexpectedOfLink:
    "**Es wurde trotzdem Geld hierher gesendet.** Bitte wenden Sie sich an den Shop, um eine Erstattung zu klären.",
  markedOfInvoice: "Der Händler hat diese Rechnung als bezahlt erfasst. Es ist nichts mehr zu tun.",
  markedOfLink: "Der Shop hat diese Zahlung als erhalten erfasst. Es ist nichts mehr zu tun.",

  howToPay: "So zahlen Sie",
  testNetwork: "**Testnetzwerk.** Zahlen Sie nur mit Test-USDC. Senden Sie kein echtes Geld.",
  testNetworkName: "{network}, Testnetzwerk",
  whereFrom: "Wie möchten Sie bezahlen?",
  wallet: "Wallet",
  scan: "Scannen",
  exchange: "Börse oder andere Wallet",
  noWallet: "Keine Wallet in diesem Browser? Scannen Sie den Code mit dem Telefon.",
  walletHint:
    "Ihre Wallet-App öffnet sich mit Adresse, Betrag und Netzwerk. Prüfen Sie, ob sie mit den Angaben unten übereinstimmen.",
  qrOfPayment: "QR-Code dieser Zahlung, für eine Wallet-App",
  qrOfAddress: "QR-Code der Einzahlungsadresse",
  scanHint:
    "Scannen Sie den Code mit einer Wallet-App. Adresse, Betrag und Netzwerk werden übernommen: Prüfen Sie, ob sie mit den Angaben unten übereinstimmen.",
  openWallet: "In der Wallet-App öffnen",
  exchangeNetwork: "Senden Sie **USDC** oder zahlen Sie sie aus, und wählen Sie als Netzwerk **{network}**.",
  exchangeAddress: "Scannen Sie den Code oder fügen Sie die Einzahlungsadresse unten ein.",
  exchangeAmount:
    "Es müssen genau {amount} USDC ankommen. Wenn Ihre Börse die Gebühr von der Auszahlung abzieht, erhöhen Sie den Betrag um die Gebühr.",
  amount: "Betrag",
  depositAddress: "Einzahlungsadresse",
  onlyNetwork:
    "**Nur USDC im Netzwerk {network}.** Alles andere, was an diese Adresse gesendet wird, kann verloren gehen.",

  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Nicht kopiert",
  copyAmount: "Betrag kopieren",
  amountCopied: "Betrag kopiert",
  amountNotCopied:
    "Der Betrag konnte nicht kopiert werden. Bitte markieren Sie ihn und kopieren Sie ihn von Hand.",
  copyAddress: "Einzahlungsadresse kopieren",
  addressCopied: "Einzahlungsadresse kopiert",
  addressNotCopied:
    "Die Einzahlungsadresse konnte nicht kopiert werden. Bitte markieren Sie sie und kopieren Sie sie von Hand.",

  payment: "Zahlung",
  payments: "Zahlungen",
  smallerPayments: "Kleinere Zahlungen, die nicht aufgeführt sind:\u00a0{count}",
  confirmed: "Bestätigt",
  transactionInExplorer: "Transaktion {hash} im Explorer",

  invoiceNumber: "Rechnung {number}",
  invoiceFrom: "Rechnung {number} von {merchant}",
  invoiceDetails: "Rechnungsdetails",
  billedBy: "Rechnung von",
  billedTo: "Rechnung an",
  issueDate: "Rechnungsdatum",
  dueDate: "Fällig am",
  reference: "Referenz",
  description: "Beschreibung",
  amountInUsdc: "Betrag (USDC)",
  payInUsdc: "Zu zahlen in USDC",
  rateOfMerchant: "Kurs vom Verkäufer festgelegt",
  rateOfParity: "vom Verkäufer eins zu eins festgelegt",
  total: "Gesamtbetrag",
  subtotal: "Zwischensumme",
  discount: "Rabatt",
  discountShare: "Rabatt {percent}\u00a0%",
  notes: "Anmerkungen",
  downloadPdf: "PDF herunterladen",
  contactMerchant: "Händler kontaktieren",
  payTo: "Zahlung an",
  receipt: "Zahlungsbeleg",
  transaction: "Transaktion",

  updatesItself: "Diese Seite aktualisiert sich automatisch.",
  footnote:
    "Zum Bezahlen brauchen Sie kein Konto. Geben Sie hier nie ein Passwort oder eine Wiederherstellungsphrase ein.",
  language: "Sprache",
  connectionLost: "Verbindung unterbrochen, neuer Versuch läuft\u00a0…",
  connectedAgain: "Wieder verbunden.",
  hostedBy: "Betrieben von {brand}",
  openYourLink: "Um eine Rechnung zu bezahlen, öffnen Sie den Link, den Sie erhalten haben.",

  ...signing,
  ...trade,
  payWith: "Mit {wallet} zahlen",
  confirmInWallet: "Bitte bestätigen Sie die Zahlung in {wallet}.",
  sent: "Gesendet. Die Zahlung erscheint hier, sobald sie im Netzwerk sichtbar ist.",
  noAccount: "Diese Wallet hat kein Konto, von dem gezahlt werden kann.",
  unknownNetwork:
    "Das Netzwerk {network} ist in der Wallet nicht eingerichtet. Fügen Sie es hinzu (Chain-ID {chainId}) und versuchen Sie es noch einmal.",
  otherNetwork:
    "Die Wallet ist in einem anderen Netzwerk. Stellen Sie sie auf {network} um und versuchen Sie es noch einmal.",
  tooLittle: "Dieses Konto hat nicht genug USDC im Netzwerk {network}.",
  declined: "In der Wallet abgelehnt. Es wurde nichts gesendet.",
  unauthorized:
    "Die Wallet gibt dieser Seite kein Konto frei. Erlauben Sie den Zugriff in der Wallet und versuchen Sie es noch einmal.",
  requestPending:
    "In der Wallet wartet bereits eine Anfrage. Bitte bestätigen Sie sie dort oder lehnen Sie sie ab.",
  walletFailed:
    "Die Wallet konnte die Zahlung nicht senden. Vergewissern Sie sich dort, dass nichts gesendet wurde, bevor Sie es noch einmal versuchen.",
  noFee:
    "Die Wallet konnte die Zahlung nicht senden: Dieses Konto hat kein ETH im Netzwerk {network} für die Gebühr. Vergewissern Sie sich in der Wallet, dass nichts gesendet wurde, bevor Sie es noch einmal versuchen.",
  reverted:
    "Die Transaktion ist im Netzwerk fehlgeschlagen. Es wurden keine USDC gesendet, die Netzwerkgebühr kann aber angefallen sein. Bitte prüfen Sie Ihr Konto in der Wallet, bevor Sie es noch einmal versuchen.",

  invoiceNotFound: "Rechnung nicht gefunden",
  invoiceNotFoundText:
    "Zu diesem Link gibt es keine Rechnung. Prüfen Sie, ob der Link vollständig ist, oder bitten Sie den Absender um einen neuen.",
  linkNotFound: "Zahlungslink nicht gefunden",
  linkNotFoundText:
    "Diesen Zahlungslink gibt es nicht. Prüfen Sie, ob der Link vollständig ist, oder bitten Sie den Shop um einen neuen.",
  amountBounds: "Von {min} bis {max} USDC",
  amountForm:
    "Bitte geben Sie einen Betrag wie {example} ein: höchstens zwei Nachkommastellen, keine Tausendertrennzeichen.",
  amountTooSmall: "Bitte geben Sie mindestens {min} USDC ein.",
  amountTooLarge: "Bitte geben Sie höchstens {max} USDC ein.",
  quantityFault: "Bitte geben Sie eine ganze Zahl von 1 bis {max} ein.",
  receiptEmail: "E-Mail-Adresse für den Zahlungsbeleg (optional)",
  emailFault: "Bitte geben Sie eine gültige E-Mail-Adresse ein oder lassen Sie das Feld leer.",
  continueToPayment: "Weiter zur Zahlung",
  startNewPayment: "Neue Zahlung beginnen",
  paymentComplete: "Diese Zahlung ist abgeschlossen. Bitte zahlen Sie nicht noch einmal.",
  tooManyBegun:
    "Über Ihre Verbindung wurden zu viele Zahlungen begonnen. Bitte versuchen Sie es in {minutes} Min. erneut.",
  linkBusy:
    "Über diesen Link werden gerade zu viele Zahlungen begonnen. Bitte versuchen Sie es später erneut oder wenden Sie sich an den Shop.",
  linkClosed: "Zahlungslink geschlossen",
  linkClosedText:
    "Der Shop nimmt über diesen Link keine neuen Zahlungen mehr an. Eine bereits begonnene Zahlung bleibt gültig.",
  pageNotFound: "Seite nicht gefunden",
  pageNotFoundText: "Diese Seite gibt es nicht.",
  tooManyRequests: "Zu viele Anfragen",
  tooManyRequestsText: "Bitte versuchen Sie es in {seconds} s noch einmal.",
  somethingWrongText: "Bitte versuchen Sie es in einer Minute noch einmal.",
  notSavedText:
    "Es wurde nichts gespeichert: Vielleicht ist die Festplatte dieses Servers voll. Wer ihn betreibt, findet den Grund im Protokoll. Eine gesendete Zahlung geht nicht verloren.",

  payWithUsdc: "Mit USDC zahlen",
  formMissing: "Das Zahlungsformular wurde nicht geladen.",
  openPayment: "Zahlungsseite öffnen",
  slugMissing: "Der Zahlungslink fehlt.",

  invoiceSubject: "Rechnung {number} von {merchant}: {sum}",
  sumPaid: "{amount} USDC, bezahlt",
  sumDue: "{amount} USDC, fällig am {day}",
  sumWasDue: "{amount} USDC, war fällig am {day}",
  restDue: "noch {amount} USDC zu zahlen, fällig am {day}",
  restWasDue: "noch {amount} USDC zu zahlen, war fällig am {day}",
  invoice: "Rechnung",
  hasSent: "hat {vendor} eine Rechnung geschickt.",
  merchantHasSent: "{merchant} hat {vendor} eine Rechnung geschickt.",
  reminderSubject: "Erinnerung: Rechnung {number} von {merchant}, {sum}",
  reminderSentence: "Eine freundliche Erinnerung an {vendor}: Diese Rechnung ist noch offen.",
  alreadyPaid: "Wenn Sie gerade bezahlt haben, können Sie diese E-Mail ignorieren.",
  partSubject: "Teilzahlung eingegangen: Rechnung {number} von {merchant}, {sum}",
  partSentence: "Ein Teil des fälligen Betrags von {vendor} ist eingegangen. Vielen Dank.",
  amountOverdue: "Überfälliger Betrag",
  amountPaid: "Bezahlter Betrag",
  viewAndPayInvoice: "Rechnung ansehen und bezahlen",
  viewInvoice: "Rechnung ansehen",
  pdfAttached: "Das PDF ist dieser E-Mail auch angehängt.",
  noteFrom: "Mitteilung von {merchant}",
  nothingLeft: "Es ist nichts mehr zu zahlen.",
  onlyOn: "Bezahlen Sie nur in USDC und nur im Netzwerk {network}.",
  pageShows: "Auf der Seite finden Sie die Adresse und einen QR-Code. Sie brauchen kein Konto.",
  checkLink: "Prüfen Sie, ob der Link so beginnt:",
  noAddress:
    "{brand} nennt in E-Mails nie eine Einzahlungsadresse. Verwenden Sie nur die Adresse auf dieser Seite, egal was in einer E-Mail steht.",
  noAddressWithPdf:
    "{brand} nennt im Text einer E-Mail nie eine Einzahlungsadresse. Vergleichen Sie die Adresse im angehängten PDF mit der auf dieser Seite, bevor Sie zahlen.",
  orOpen: "Oder öffnen Sie diesen Link:",
  sentBy: "Gesendet von {brand} im Auftrag von {merchant}. Antworten gehen an {replyTo}.",
  sentFor: "Gesendet von {brand} im Auftrag von {merchant}.",
  noticeSentBy: "Gesendet von {brand}. Antworten gehen an Ihren Kunden, {replyTo}.",
  noticeSentOnlyBy: "Gesendet von {brand}.",
  andMore: ", {excess} USDC mehr als fällig",
  receiptSubject: "Zahlungsbeleg zur Rechnung {number} von {merchant}: {received} USDC bezahlt{more}",
  linkReceiptSubject: "Zahlungsbeleg von {merchant}: {received} USDC bezahlt{more}",
  receiptPreview: "Vollständig eingegangen{more}",
  receiptSentence: "{name} hat Ihre Zahlung vollständig erhalten. Vielen Dank.",
  noticePaid: "Bezahlt",
  unexpectedPayment: "Unerwartete Zahlung",
  unexpectedNote:
    "Es war nichts mehr fällig: Sie hatten die Forderung storniert oder als bezahlt markiert. Bitte klären Sie dies direkt mit Ihrem Kunden. {brand} erstattet keine Zahlungen.",
  paymentReversed: "Zahlung zurückgenommen",
  reversedNote:
    "Das Netzwerk hat eine bereits bestätigte Zahlung zurückgenommen. Wird sie erneut bestätigt, zählt sie wieder: Bitte prüfen Sie die Seite, bevor Sie handeln.",
  invoiceTo: "Rechnung {number} an {vendor}",
  linkNamed: "Zahlungslink {slug}",
  noticePreview: "Eingegangen: {received} USDC{more}",
  noticeSentence: "{name} hat vollständig bezahlt.",
  voidSubject: "Storniert: Rechnung {number} von {merchant}",
  voidHeading: "Rechnung {number} wurde storniert",
  voidSentence: "{name} hat diese Rechnung storniert. Es ist nichts mehr zu zahlen. Bitte zahlen Sie nicht.",
  voidIfPaid: "Wenn Sie bereits Geld gesendet haben, wenden Sie sich bitte an {merchant}.",
  tooMuch: "Fällig waren {total} USDC, es wurden {excess} USDC zu viel bezahlt.",
  askMerchant: "Bitte klären Sie die Differenz mit {merchant}.",
  ownAffair: "Bitte klären Sie die Differenz mit Ihrem Kunden. {brand} erstattet keine Zahlungen.",
  network: "Netzwerk",

  invoiceNumberLabel: "Rechnungsnummer",
  quantity: "Menge",
  unitPrice: "Einzelpreis",
  payAmount: "{amount} USDC bezahlen",
  scanOrSend: "Scannen Sie den Code mit einer Wallet oder senden Sie USDC an die Einzahlungsadresse.",
  onlyUsdc: "Nur USDC im Netzwerk {network}",
  payOnline: "Online bezahlen und die Zahlung verfolgen",
  paidInFull: "Vollständig bezahlt",
  seeOnline: "Die Zahlung online ansehen",
  pageOfCount: "Seite {page} von {count}",

  receivedFrom: "Erhalten von",
  datePaid: "Bezahlt am",
  amountReceived: "Eingegangen",
  overpayment: "Überzahlung",
  sentFrom: "Von",
  recordedOn: "Vom Händler am {day} als außerhalb des Netzwerks bezahlt vermerkt.",
  proofAttached:
    "Der Nachweis ist dieser Datei beigefügt: till verify-receipt prüft ihn im Netzwerk, ohne den Server des Händlers.",
  receiptAttached: "Der Zahlungsbeleg ist dieser E-Mail als PDF angehängt.",
  downloadReceipt: "Zahlungsbeleg herunterladen",
};
