import type { withdrawal as english } from "../en/withdraw.ts";
import type { TextsOf } from "../texts.ts";

/** The way out of Till's wallet. */
export const withdrawal: TextsOf<typeof english> = {
  withdrawLine: "Von der Till-Wallet an eine zuvor erlaubte Adresse.",
  withdrawFrom: "Von",
  withdrawAmount: "Betrag",
  withdrawAtMost: "Höchstens {amount}",
  withdrawAll: "Alles",
  withdrawTo: "An",
  neverUsed: "Nie verwendet",
  addressLastUsed: "Zuletzt verwendet: {when}",
  allowedHow:
    "Adressen werden auf dem Rechner selbst erlaubt, mit {command}. Wer hier eindringt, kann Ihr Geld an niemanden außer Ihnen senden.",
  goOn: "Weiter",
  cancel: "Abbrechen",
  noneAllowed: "Erlauben Sie zuerst eine Adresse",
  noneAllowedText:
    "Aus der Till-Wallet geht Geld nur an Adressen, die auf dem Rechner selbst erlaubt wurden. Geben Sie dort diesen Befehl mit Ihrer eigenen Adresse ein:",
  noneAllowedThen: "Kommen Sie dann auf diese Seite zurück.",
  walletEmpty: "Nichts auszuzahlen",
  walletEmptyText:
    "In der Till-Wallet sind keine USDC. Zahlungen kommen hier an, wenn sie weitergeleitet werden.",
  isUnderWay:
    "Aus dieser Wallet läuft gerade eine Auszahlung. Die nächste kann beginnen, wenn sie beendet ist.",
  showIt: "Ansehen",
  moreWallets:
    "Es gibt mehr Wallets, als hier gezeigt werden können. Für die übrigen verwenden Sie {command}.",

  withdrawFaultAmount:
    "Geben Sie einen Betrag in USDC wie 750,00 ein: höchstens zwei Nachkommastellen, keine anderen Zeichen.",
  withdrawFaultTooMuch: "So viel ist in dieser Wallet: {amount} USDC.",
  withdrawFaultNothing: "In dieser Wallet ist nichts.",
  withdrawFaultTo: "Wählen Sie eine Adresse. Nur erlaubte Adressen sind möglich.",
  withdrawFaultFrom: "Wählen Sie eine Wallet.",
  withdrawFaultPlan: "Die Auszahlung ist nicht möglich. {reason}",
  withdrawFaultGas:
    "Das Gas-Konto kann die Gebühr nicht zahlen. Senden Sie mindestens {eth} ETH dorthin und kommen Sie dann zurück.",
  withdrawFaultBegin: "Es wurde nichts ausgezahlt. {reason}",
  withdrawFaultForm:
    "Diese Seite war zu lange geöffnet. Es wurde nichts ausgezahlt: Beginnen Sie noch einmal.",

  confirmTitle: "{amount} USDC auszahlen?",
  confirmLine:
    "Eine Überweisung im Netzwerk {network} lässt sich nicht zurückholen. Vergleichen Sie die Adresse mit Ihrer Wallet.",
  confirmTo: "An {name}",
  confirmReceives: "Kommt an",
  confirmFee: "Gebühr, vom Gas-Konto",
  confirmFeeAbout: "Etwa {eth} ETH",
  confirmFeeMost: "Nie mehr als {eth} ETH",
  confirmLeft: "Bleibt in der Till-Wallet",
  confirmBack: "Zurück",
  confirmButton: "Auszahlen",
  confirmWithPasskey: "Mit Passkey bestätigen",

  oneWithdrawal: "Auszahlung",
  stateBegun: "Wird vorbereitet",
  stateSent: "Unterwegs",
  stateDone: "Ausgezahlt",
  stateFailed: "Nicht ausgezahlt",
  begunText:
    "Till schreibt die Auszahlung auf und sendet sie dann. Sie können diese Seite schließen, es geht von selbst weiter.",
  sentText:
    "Die Auszahlung ist im Netzwerk unterwegs. Sie können diese Seite schließen, es geht von selbst weiter.",
  doneText: "Das Geld ist da.",
  failedExpired:
    "Das Netzwerk hat sie in der Stunde, in der sie gültig war, nicht angenommen. Es wurde nichts bewegt.",
  failedCancelled:
    "Jemand, der die Wiederherstellungswörter hat, hat sie abgebrochen. Es wurde nichts bewegt. Wenn Sie das nicht waren, bringen Sie Ihr Geld jetzt in eine andere Wallet.",
  failedReplaced:
    "Jemand, der die Wiederherstellungswörter hat, hat ihre Nummer für eine andere Zahlung verwendet. Wenn Sie das nicht waren, bringen Sie Ihr Geld jetzt in eine andere Wallet.",
  waitsFor: "Sie wartet. {reason}",
  happensBefore: "Frist: {when}. Danach findet sie nicht mehr statt.",
  ofCommandLine: "Sie wurde auf der Kommandozeile begonnen. {command} setzt sie fort.",
  withdrawnFrom: "Von",
  withdrawnBegun: "Begonnen",
  withdrawnWith: "Transaktion",
  didWithdraw: "Die Auszahlung hat begonnen.",
};
