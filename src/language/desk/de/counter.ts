import type { CounterTexts } from "../en/counter.ts";

export const counter: CounterTexts = {
  counterToPay: "Zu zahlen",
  counterWhat: "Wofür",
  counterWhatHint: "Wofür (optional)",
  counterKeys: "Tastenfeld",
  counterErase: "Löschen",
  counterCharge: "{amount} kassieren",
  counterNothing: "Geben Sie zuerst einen Betrag ein.",
  counterWhatFault: "Bitte in einer Zeile und ohne Formatierung, höchstens 120 Zeichen.",
  counterLeave: "Kasse verlassen",
  counterSound: "Ton bei Bezahlung",
  counterOffline:
    "Nicht gesendet: Till ist nicht erreichbar. Es ging nichts verloren, versuchen Sie es noch einmal.",
  counterDay: "Heute an der Kasse",
  counterDayNone: "Heute noch nichts.",
  counterCancelled: "Abgebrochen",
  counterLateTitle: "Nach dem Abbruch eingegangen: {amount} USDC.",
  counterLateText:
    "Der Betrag war nicht geschuldet. Zahlen Sie ihn zurück, oder behalten Sie ihn, wenn er so gemeint war.",
  counterShow: "Ansehen",
  counterNobody: "Wer bekommt das Geld?",
  counterNobodyText:
    "Die Kasse braucht den Namen Ihres Shops und eine E-Mail-Adresse. Tragen Sie beides in den Einstellungen ein, dann kann hier jeder kassieren.",
  counterToSettings: "Einstellungen öffnen",

  counterCancel: "Abbrechen",
  counterNext: "Nächster Kunde",
  counterWaiting: "Warten auf die Zahlung",
  counterSeenText: "{amount} USDC erkannt. Warten Sie auf die Bestätigung.",
  counterPartlyText: "{received} von {total} USDC eingegangen. Dieser Code gilt für den Rest.",
  counterPartSeenText: "{amount} USDC unterwegs. Dieser Code gilt für den Rest.",
  counterTakenBackText:
    "Das Netzwerk hat eine bestätigte Zahlung zurückgenommen. Oft kommt sie von selbst wieder: Warten Sie, bevor jemand doppelt zahlt.",
  counterByWallet: "Wallet-App",
  counterByCamera: "Kamera",
  counterByHand: "Von Hand",
  counterCodeCamera: "QR-Code der Zahlungsseite, für eine Kamera",
  counterWalletText: "**Nur USDC im Netzwerk {network}.** Mit der Wallet-App scannen: Sie füllt alles aus.",
  counterCameraText: "Mit der Kamera scannen: Die Zahlungsseite öffnet sich.",
  counterHandText: "Senden Sie genau diesen Betrag in USDC im Netzwerk {network} an diese Adresse.",
  counterAddress: "Adresse",

  counterExcess:
    "{excess} USDC mehr als {total} USDC eingegangen. Zahlen Sie die Differenz zurück, oder behalten Sie sie als Trinkgeld.",
  counterReceipt: "Zahlungsbeleg senden",
  counterReceiptPdf: "Zahlungsbeleg (PDF)",
  counterReceiptTo: "E-Mail-Adresse des Kunden",
  counterReceiptFault: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.",
  counterCancelledText: "Es ist nichts zu zahlen. Das steht auch auf der Seite des Kunden.",

  counterVoidReason: "An der Kasse abgebrochen.",
  didCancelSale: "Die Zahlung wurde abgebrochen.",
  didSendReceipt: "Der Zahlungsbeleg ist unterwegs.",
  didFindReceiptSent: "Für diese Zahlung wurde bereits ein Zahlungsbeleg gesendet.",
};
