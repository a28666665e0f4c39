import type { MoneyTexts } from "../en/money.ts";

export const money: MoneyTexts = {
  atDeposits: "An Einzahlungsadressen",
  atDepositsText: "Adressen mit Guthaben: {count}",
  nothingWaits: "Nichts wartet",
  settleNow: "Jetzt weiterleiten",
  inWallet: "In der Till-Wallet",
  inWallets: "In den Till-Wallets",
  heldText: "Bereit zur Auszahlung",
  heldNothing: "Nichts auszuzahlen",
  balanceUnknown: "Noch nicht bekannt",
  balanceUnknownText: "Kein Knoten hat geantwortet",
  withdraw: "Auszahlen",
  withdrawnSum: "Ausgezahlt",
  withdrawnText: "Auszahlungen: {count}",
  settledSum: "An Ihre Wallets weitergeleitet",
  settledSumText: "Till verwahrt kein Geld von Ihnen",
  nodeSilent: "Der Kontostand ist nicht bekannt: Kein Knoten antwortet. {reason}",

  whereYouArePaid: "Wohin Ihr Geld geht",
  moneyColumnWallet: "Wallet",
  moneyColumnReceived: "Eingegangen",
  moneyColumnWaiting: "Wartet",
  moneyColumnSettled: "Weitergeleitet",
  amountIn: "{column}\u00a0(USDC)",
  tillWalletOf: "Till-Wallet von {email}",
  moneyEmpty: "Noch ist kein Geld eingegangen",
  moneyEmptyText:
    "Was Kunden zahlen, kommt je Rechnung an einer eigenen Adresse an. Till leitet es an Ihre Wallet weiter. Hier sehen Sie jeden Schritt.",

  movements: "Bewegungen",
  movementsCaption: "Weiterleitungen und Auszahlungen, neueste zuerst",
  moneyColumnWhat: "Was",
  movedSettled: "Weitergeleitet",
  movedElsewhere: "Durch eine fremde Transaktion weitergeleitet",
  movedWithdrawn: "Ausgezahlt",
  settledTo: "Zahlungen: {count}, an {wallet}",
  settledToSeveral: "Zahlungen: {count}, an mehrere Wallets",
  settledFailed: "Zahlungen: {count}, davon nicht weitergeleitet: {failed}",
  withdrawnTo: "An {wallet}",
  notMoved: "Nicht bewegt",
  transactionIn: "Transaktion im Explorer:",
  noMovements: "Noch wurde nichts bewegt. Hier steht dann die erste Weiterleitung.",

  stuckMoney: "Geld, das nicht weitergeleitet werden kann",
  stuckMoneyText: "Es ist sicher, wo es ist. Till versucht es zur angegebenen Zeit von selbst noch einmal.",
  moneyColumnFrom: "Von",
  moneyColumnWhy: "Grund",
  moneyColumnNext: "Nächster Versuch",
  stuckWorks: "Jetzt würde es gehen",
  tryAgainNow: "Jetzt erneut versuchen",

  gasAccount: "Gas-Konto",
  gasAccountText:
    "Es zahlt die Gebühren für Weiterleitungen und Auszahlungen, in ETH. Ihr Geld liegt nicht darauf.",
  gasHolds: "{eth}\u00a0ETH",
  gasEnough: "Reicht für etwa so viele Weiterleitungen: {count}",
  gasEnoughMany: "Reicht für viele Weiterleitungen: über {count}",
  gasNone: "Reicht nicht für eine Weiterleitung",
  gasShow: "Auffüllen",
  gasTitle: "Gas-Konto auffüllen",
  gasLine: "Senden Sie etwas ETH im Netzwerk {network} an diese Adresse.",
  gasNoUsdc: "Senden Sie ETH, keine USDC: USDC auf diesem Konto bewegt Till nicht.",
  signedPayers: "Zahler, die unterschreiben",
  signedPayersText: "Es zahlt auch die Netzwerkgebühr von Zahlern, die unterschreiben. In 24 Stunden:",
  signedFees: "Gebühren: {eth} von höchstens {budget} ETH",
  signedPaid: "Bezahlt: {paid}",
  signedFailures: "Gescheitert: {failed}",
  signedOpen: "Unterwegs: {open}",
  signedOff: "TILL_RELAY ist off: Zahler zahlen die Gebühr selbst.",
  gasFor: "Für 100 Weiterleitungen reichen bei den jetzigen Gebühren etwa {eth} ETH.",
  gasCode: "QR-Code der Adresse des Gas-Kontos",
  gasCopy: "Adresse kopieren",
  gasBalance: "Kontostand",

  didSettle: "Die Weiterleitung ist unterwegs.",
  nothingToSettle: "Es gibt gerade nichts weiterzuleiten.",
  settleFailed: "Es wurde nichts weitergeleitet. {reason}",

  wordsTitle: "Wiederherstellungswörter notieren",
  wordsLine:
    "Zwölf Wörter sind die Wallet. Gezeigt werden sie auf dem Rechner, auf dem Till läuft, und nie hier.",
  wordsAtStake:
    "Fällt dieser Rechner aus und niemand hat die Wörter, ist dieser Betrag verloren: {amount} USDC.",
  wordsStepRun: "Geben Sie auf dem Rechner diesen Befehl ein:",
  wordsStepWrite:
    "Schreiben Sie die zwölf Wörter der Reihe nach auf Papier. Kein Foto, keine Cloud, keine E-Mail.",
  wordsStepKeep: "Verwahren Sie das Papier so, dass nur Sie es finden. Wer die Wörter hat, hat das Geld.",
  wordsDone: "Dieser Hinweis verschwindet von selbst, sobald die Wörter gezeigt wurden.",
  wordsHave: "Haben Sie sie schon auf Papier?",
  wordsHaveButton: "Ich habe die Wörter",
  didNoteWords: "Gut. Till fragt nicht mehr danach.",
  wordsKept: "Die Wiederherstellungswörter wurden notiert: {day}.",
  wordsBack: "Jetzt notieren",
  wordsMissingShort: "Die Wiederherstellungswörter sind nicht notiert.",

  withdrawLine: "Von der Till-Wallet an eine zuvor erlaubte Adresse.",
  withdrawFrom: "Von",
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
  waitsFor: "Die Auszahlung wartet. {reason}",
  happensBefore: "Frist: {when}. Danach findet sie nicht mehr statt.",
  ofCommandLine: "Sie wurde auf der Kommandozeile begonnen. {command} setzt sie fort.",
  withdrawnBegun: "Begonnen",
  didWithdraw: "Die Auszahlung hat begonnen.",
};
