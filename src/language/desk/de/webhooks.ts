import type { webhooks as english } from "../en/webhooks.ts";
import type { TextsOf } from "../texts.ts";

/** What other programs were told. */
export const webhooks: TextsOf<typeof english> = {
  webhooksLine:
    "Was Till anderen Programmen gemeldet hat, neueste zuerst. Wohin, steht in jeder Rechnung und jedem Link.",
  webhooksAll: "Alle",
  webhooksFailing: "Fehlerhaft",
  webhooksTest: "Test senden",
  webhooksEmpty: "Es wurde noch kein Webhook gesendet",
  webhooksEmptyText:
    "Hat eine Rechnung oder ein Link eine Webhook-URL, meldet Till dort jede Bezahlung sofort. Ein Test zeigt jetzt, ob Ihr Programm das versteht.",
  webhooksNoneFail: "Keine Fehler",
  webhooksNoneFailText: "Alle Programme haben geantwortet.",
  webhooksCaption: "Webhooks, neueste zuerst",
  webhookColumnEvent: "Ereignis",
  webhookColumnReceiver: "An",
  webhookColumnAnswer: "Antwort",
  webhookDelivered: "Angenommen",
  webhookWaiting: "Wartet",
  webhookRetrying: "Neuer Versuch",
  webhookFailed: "Aufgegeben",
  webhookAnswered: "Antwort {status}",
  webhookAttempts: "Versuche: {count}",
  webhookNext: "Nächster Versuch: {when}",
  webhookAgain: "Erneut senden",
  webhookNoOwner: "Nicht mehr vorhanden",
  didSendWebhookAgain: "Wird jetzt noch einmal gesendet.",

  testTitle: "Test-Webhook senden",
  testLine:
    "Till sendet ein Ereignis zu einer erfundenen Rechnung, signiert wie jedes andere, und zeigt die Antwort.",
  testUrl: "URL Ihres Programms",
  testUrlHint: "Zum Beispiel https://shop.example/till",
  testSend: "Test senden",
  testFault: "Prüfen Sie diese URL: {reason}.",
  testTaken: "Angenommen",
  testNotTaken: "Nicht angenommen",
  testAnswered: "Ihr Programm hat nach {ms} ms mit {status} geantwortet.",
  testGone: "Ihr Programm hat mit 410 geantwortet: Till würde es nicht noch einmal versuchen.",
  testFailed: "Nach {ms} ms: {reason}.",
  testSigned: "Signiert mit diesem Schlüssel, der nur für diesen Test gilt:",
  testBody: "Gesendeter Inhalt:",
};
