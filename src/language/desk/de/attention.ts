import type { attention as english } from "../en/attention.ts";
import type { TextsOf } from "../texts.ts";

/** What needs somebody: what it is, what it means, and the words of the button beside it. */
export const attention: TextsOf<typeof english> = {
  storageBad: "Es kann nichts gespeichert werden",
  storageBadText:
    "Mit der Datenbank oder ihrem Datenträger stimmt etwas nicht. Zahlungen sind im Netzwerk sicher und erscheinen, sobald das Problem behoben ist.",
  checkRuns: "Die Datenbank wird geprüft",
  checkRunsText:
    "Wie nach jedem Start. Sie können alles ansehen. Änderungen sind erst möglich, wenn die Prüfung fertig ist.",
  chainLate: "Zahlungen werden verzögert angezeigt",
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
  attentionRemind: "Erinnern",
};
