import type { SigningTexts } from "./en.ts";

export const signing: SigningTexts = {
  signWith: "Mit {wallet} zahlen, ohne Gebühr",
  cannotSign:
    "Diese Wallet konnte die Zahlung nicht unterschreiben. Es wurde nichts gesendet. Bitte verwenden Sie die andere Schaltfläche.",
  notHandedOver:
    "Der Server ist nicht erreichbar. Versuchen Sie es in einer Minute noch einmal: Wer erneut unterschreibt, zahlt nicht doppelt.",
  signHint: "Die Netzwerkgebühr zahlt der Empfänger. **Ihre Unterschrift ist die Zahlung.**",
  paymentSigned: "Zahlung unterschrieben",
  saySigned: "Eine unterschriebene Zahlung von {amount} USDC ist unterwegs.",
  signedOnItsWay:
    "**Diese Zahlung wurde unterschrieben und ist unterwegs.** Sie müssen nichts mehr tun: Sobald sie bestätigt ist, zeigt diese Seite sie als bezahlt an.",
  signedFailed:
    "**Die unterschriebene Zahlung ist fehlgeschlagen.** Hier sind keine USDC angekommen. Sie können noch einmal zahlen.",
  signPlain:
    "Die Netzwerkgebühr kann gerade nicht für Sie bezahlt werden. Es wurde nichts gesendet. Bitte verwenden Sie die andere Schaltfläche: Dann zahlt Ihre Wallet die Gebühr.",
  signClosed: "Hier ist nichts mehr offen. Es wurde nichts gesendet.",
  signBusy:
    "Eine andere Zahlung ist schon unterwegs. Es wurde nichts weiter gesendet. Bitte zahlen Sie nicht noch einmal.",
  signAmount:
    "Der offene Betrag hat sich geändert. Es wurde nichts gesendet. Prüfen Sie den neuen Betrag und versuchen Sie es noch einmal.",
  signLate:
    "Das Unterschreiben hat zu lange gedauert. Es wurde nichts gesendet. Bitte versuchen Sie es noch einmal.",
  signInvalid:
    "Die Unterschrift ließ sich nicht verwenden. Es wurde nichts gesendet. Versuchen Sie es noch einmal oder verwenden Sie die andere Schaltfläche.",
  signUndeployed:
    "Diese Smart Wallet ist im Netzwerk {network} noch nicht eingerichtet, deshalb gilt ihre Unterschrift nicht. Es wurde nichts gesendet. Bitte verwenden Sie die andere Schaltfläche.",
  signBlocked:
    "USDC lässt keine Zahlungen von diesem Konto zu. Es wurde nichts gesendet. Bitte verwenden Sie ein anderes Konto.",
  signPaused:
    "USDC-Überweisungen sind im Netzwerk {network} derzeit angehalten. Es wurde nichts gesendet. Bitte versuchen Sie es später noch einmal.",
  usdcOn: "USDC auf {network}",
  openPageIn: "Diese Seite in Ihrer Wallet öffnen:",
};
