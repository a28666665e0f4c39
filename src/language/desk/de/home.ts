import type { HomeTexts } from "../en/home.ts";

export const home: HomeTexts = {
  newLink: "Neuer Link",
  greetMorning: "Guten Morgen, {name}",
  greetDay: "Guten Tag, {name}",
  greetEvening: "Guten Abend, {name}",

  receivedIn: "Eingegangen im {month}",
  chartSays: "Eingegangen pro Tag, {from} bis {to}. Am meisten am {day}: {amount} USDC.",
  chartEmpty: "Von {from} bis {to} ist nichts eingegangen.",
  chartAsTable: "Zahlen als Tabelle",
  chartDay: "Tag",
  dayAndAmount: "{day}: {amount}\u00a0USDC",

  openNone: "Nichts offen",
  openCounted: "Rechnungen: {count}",
  openSays: "Rechnungen: {count}. Nächste fällig am {day}",
  overdueTitle: "Überfällig",
  overdueNone: "Nichts überfällig",
  overdueSays: "Rechnungen: {count}. Älteste fällig am {day}",

  needsAttention: "Hier sind Sie gefragt",

  newestPayments: "Neueste Zahlungen",
  paymentFrom: "Von",
  allInvoices: "Alle Rechnungen",
  paymentLink: "Zahlungslink",
  stateConfirming: "Wird bestätigt, {count} von {needed}",
  stateFinalising: "Noch nicht endgültig",

  welcome: "Willkommen, {name}",
  welcomeNobody: "Willkommen",
  firstSteps: "Ein paar Schritte bis zu Ihrer ersten Zahlung.",
  stepDone: "Erledigt",
  stepProfile: "Stellen Sie sich vor",
  stepProfileText: "Name, Anschrift und E-Mail stehen ab jetzt auf jeder Rechnung.",
  stepProfileDo: "Angaben ausfüllen",
  stepInvoice: "Erstellen Sie Ihre erste Rechnung",
  stepInvoiceText:
    "Senden Sie sie an sich selbst, zahlen Sie 1,00 USDC und sehen Sie zu, wie das Geld ankommt.",
  stepWords: "Notieren Sie die Wiederherstellungswörter",
  stepWordsText: "Mit ihnen bekommen Sie Ihre Wallet zurück, falls dieser Rechner ausfällt.",
  stepWordsDo: "So geht’s",
  paymentsNone: "Zahlungen erscheinen hier nach wenigen Sekunden, ganz ohne Neuladen.",

  storageBad: "Es kann nichts gespeichert werden",
  storageBadText:
    "Mit der Datenbank oder ihrem Datenträger stimmt etwas nicht. Zahlungen sind im Netzwerk sicher und erscheinen, sobald das Problem behoben ist.",
  checkRuns: "Die Datenbank wird geprüft",
  checkRunsText:
    "Wie nach jedem Start. Sie können alles ansehen. Änderungen sind erst möglich, wenn die Prüfung fertig ist.",
  chainLateText:
    "Das Netzwerk ist gerade nicht erreichbar. Es geht nichts verloren: Zahlungen werden gefunden, sobald ein Knoten antwortet.",
  gasEmpty: "Das Gas-Konto ist leer",
  gasEmptyText: "Ohne etwas ETH im Netzwerk {network} kann nichts weitergeleitet oder ausgezahlt werden.",
  gasLow: "Das Gas-Konto ist fast leer",
  gasLowText:
    "Reicht noch für etwa so viele Weiterleitungen: {count}. Senden Sie etwas ETH im Netzwerk {network}.",
  moneyStuck: "Geld, das nicht weitergeleitet werden kann",
  moneyStuckText:
    "Einzahlungen: {count}. Das Geld ist da, und Till versucht es weiter. Sehen Sie nach, woran es liegt.",
  wordsMissing: "Die Wiederherstellungswörter sind nicht notiert",
  wordsMissingText: "Ohne sie ist die Wallet verloren, wenn der Rechner ausfällt.",
  paymentOdd: "Eine Zahlung muss geprüft werden",
  paymentOddText:
    "Die Knoten widersprechen sich, oder das Geld ist nicht dort, wo es sein sollte. Prüfen Sie das, bevor Sie liefern.",
  mailMissing: "Es ist kein Mailserver eingerichtet",
  mailMissingText:
    "Rechnungen und Erinnerungen warten zwei Tage, danach werden sie verworfen. Links funktionieren auch ohne Mailserver.",
  mailFails: "E-Mails werden nicht versendet",
  mailsWait:
    "Wartende E-Mails: {count}. Till versucht es zwei Tage lang weiter. Der Mailserver meldet: {reason}",
  mailsGivenUp: "Aufgegebene E-Mails: {count}. Der Mailserver meldet: {reason}",
  mailsUnknown: "E-Mails, die vielleicht nicht angekommen sind: {count}. Der Mailserver meldet: {reason}",
  webhookFails: "Webhooks werden nicht angenommen",
  webhookFailsText:
    "In der letzten Woche: {count}. Till versucht es erneut. Was aufgegeben wurde, kann noch einmal gesendet werden.",
  invoicesOverdue: "Überfällige Rechnungen: {count}",
  invoicesOverdueText: "{amount} USDC, die älteste seit {day}.",

  showHealth: "Zustand ansehen",
  showGasAddress: "Adresse ansehen",
  showStuck: "Grund ansehen",
  showWords: "So geht’s",
  setUpMail: "Einrichten",
  showMails: "E-Mails ansehen",
  showWebhooks: "Webhooks ansehen",
};
