import type { health as english } from "../en/health.ts";
import type { TextsOf } from "../texts.ts";

/** How Till is, and what can be done about it. */
export const health: TextsOf<typeof english> = {
  healthLine: "Was Till festgestellt hat und worauf es läuft.",
  healthGood: "Alles in Ordnung",
  healthGoodText: "Till beobachtet das Netzwerk, Sie müssen nichts tun.",
  healthSays: "Meldungen von Till",
  healthSaysText: "Vollständig, wie in till doctor und im Protokoll.",

  mailServer: "E-Mail",
  mailServerText: "Rechnungen, Erinnerungen und Zahlungsbelege gehen über Ihren Mailserver.",
  mailServerIs: "Mailserver",
  mailSender: "Absender",
  mailCatcher: "E-Mails aus der Entwicklung werden abgefangen und nicht zugestellt",
  mailTestTo: "Test-E-Mail senden an",
  mailTestSend: "Senden",
  mailTestSubject: "Test-E-Mail von Till",
  mailTestBody: "Diese E-Mail zeigt, dass E-Mails von Till ankommen. Gesendet aus der Verwaltung von {shop}.",
  mailTestFault: "Der Mailserver hat sie nicht angenommen: {reason}",
  mailTestUnknown: "Sie ist vielleicht angekommen: {reason}",
  didMailTest:
    "Der Mailserver hat die Test-E-Mail angenommen. Prüfen Sie, ob sie ankommt und ob sie als Spam gilt.",

  chainPart: "Blockchain",
  chainPartText: "Till fragt diese Knoten in dieser Reihenfolge.",
  chainNetwork: "Netzwerk",
  chainNodes: "Knoten",
  chainSocket: "Benachrichtigung über Zahlungen",
  chainSocketNone: "Kein WebSocket: Zahlungen erscheinen nach einer Viertelminute",
  chainBlock: "Letzter Block",
  chainBlockNone: "Noch keiner",
  chainBehind: "{block}, im Rückstand seit {seconds} s",
  chainUpToDate: "{block}, aktuell",

  machinePart: "Dieses Till",
  machinePartText:
    "Bewahren Sie Backups auf einem anderen Rechner auf. Die Wiederherstellungswörter sichern Ihre Rechnungen nicht.",
  machineVersion: "Version",
  machineDatabase: "Datenbank",
  machineMebibytes: "{size}\u00a0MiB",
  machineBackup: "Neuestes Backup",
  machineBackupNone: "Keines bekannt",
  machineBackupHow: "Erstellen Sie eines mit {command}.",
  machineWords: "Wiederherstellungswörter",
  machineWordsAt: "Notiert: {when}",
  machineWordsNone: "Nicht notiert",
};
