import type { link as english } from "../en/link.ts";
import type { TextsOf } from "../texts.ts";

/** One payment link. */
export const link: TextsOf<typeof english> = {
  linkLine: "{price}\u00a0USDC · {kind}",
  linkDuplicate: "Duplizieren",
  linkMoreActions: "Weitere Aktionen",
  linkOpenPage: "Zahlungsseite öffnen",
  linkPrint: "Code drucken",
  linkReceipt: "Zahlungsbeleg",
  linkMark: "Anderweitig bezahlt\u00a0…",
  linkUnmark: "Doch nicht anderweitig bezahlt",
  linkDoVoid: "Stornieren\u00a0…",
  linkDoEnd: "Link beenden\u00a0…",

  linkSend: "Weitergeben",
  linkAddress: "Adresse der Zahlungsseite",
  linkEmbed: "Oder auf Ihrer Website einbinden",
  linkCheckout: "Checkout",
  linkCheckoutText: "Fügen Sie dies ein, wo der Checkout stehen soll. Die Höhe passt sich an.",
  linkFrame: "Frame",
  linkFrameText: "Für Website-Baukästen, die keine Skripte erlauben. Die Größe ist fest.",
  linkButton: "Schaltfläche",
  linkButtonText: "Ein einfacher Link zur Zahlungsseite. Gestalten Sie ihn, wie Sie möchten.",
  linkButtonWord: "Mit USDC zahlen",
  linkInPage: "Auf Ihrer Seite",
  linkOpenIt: "Öffnen",

  linkPayments: "Zahlungen",
  linkPaymentsSum: "Bezahlt: {paid}, {received} USDC",
  linkBegun: "Begonnen und nicht bezahlt, hier nicht aufgeführt: {count}",
  linkNoPayments: "Über diesen Link hat noch niemand bezahlt. Zahlungen erscheinen hier.",
  linkVoided: "Storniert: {reason}",

  linkAbout: "Zu diesem Link",
  linkFactMade: "Erstellt",
  linkFactEnds: "Ende",
  linkFactReference: "Ihre Referenz",
  linkFactShop: "Shop",
  linkFactNotices: "Mitteilungen an",
  linkFactPaidInto: "Zahlung an",
  linkFactQuantity: "Stück",
  linkFactReceipt: "Zahlungsbeleg an",
  linkFactSuccess: "Weiter zu",
  linkFactOrigins: "Einbettung erlaubt auf",
  linkFactPartOf: "Eine Zahlung von",
  linkFactDeposit: "Einzahlungsadresse",
  linkSomebody: "Jemand",
  linkToldCreated: "Der Link wurde erstellt",

  linkVoidTitle: "Diesen Link stornieren?",
  linkVoidText:
    "Seine Seite fordert kein Geld mehr und nennt den Grund. Das lässt sich nicht rückgängig machen. Kommt trotzdem Geld, gehört es Ihnen und wird angezeigt.",
  linkEndTitle: "Diesen Link beenden?",
  linkEndText:
    "Damit kann keine Zahlung mehr begonnen werden. Begonnene Zahlungen lassen sich noch abschließen. Das lässt sich nicht rückgängig machen.",
  linkVoidReason: "Grund",
  linkVoidReasonHint: "Wer den Link öffnet, liest ihn.",
  linkKeep: "Behalten",
  linkVoidIt: "Link stornieren",
  linkEndIt: "Link beenden",
  linkMarkTitle: "Wurde dieser Link anderweitig bezahlt?",
  linkMarkText:
    "Zum Beispiel per Überweisung oder bar. Es ist nichts mehr zu zahlen, und die Seite zeigt „Bezahlt“. Sie können es zurücknehmen.",

  linkPosterScan: "Zum Bezahlen mit der Handykamera scannen",
  linkPosterPrint: "Drucken",
  linkPosterCode: "QR-Code der Zahlungsseite",

  didVoidLink: "Der Link ist storniert.",
  didEndLink: "Der Link ist beendet.",
  didMarkLink: "Der Link ist als anderweitig bezahlt markiert.",
  didUnmarkLink: "Der Link ist wieder offen.",
};
