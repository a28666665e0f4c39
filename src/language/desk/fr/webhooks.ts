import type { webhooks as english } from "../en/webhooks.ts";
import type { TextsOf } from "../texts.ts";

/** What other programs were told. */
export const webhooks: TextsOf<typeof english> = {
  webhooksLine:
    "Ce que Till a signalé à d’autres programmes, du plus récent au plus ancien. Chaque facture et chaque lien indique où.",
  webhooksAll: "Tous",
  webhooksFailing: "En échec",
  webhooksTest: "Envoyer un test",
  webhooksEmpty: "Aucun webhook envoyé pour l’instant",
  webhooksEmptyText:
    "Si une facture ou un lien a une URL de webhook, Till y signale aussitôt le paiement. Un test montre dès maintenant si votre programme le comprend.",
  webhooksNoneFail: "Aucun échec",
  webhooksNoneFailText: "Tous les programmes ont répondu.",
  webhooksCaption: "Webhooks, du plus récent au plus ancien",
  webhookColumnEvent: "Événement",
  webhookColumnReceiver: "À",
  webhookColumnAnswer: "Réponse",
  webhookDelivered: "Accepté",
  webhookWaiting: "En attente",
  webhookRetrying: "Nouvel essai",
  webhookFailed: "Abandonné",
  webhookAnswered: "Réponse {status}",
  webhookAttempts: "Essais\u00a0: {count}",
  webhookNext: "Prochain essai\u00a0: {when}",
  webhookAgain: "Renvoyer",
  webhookNoOwner: "N’existe plus",
  didSendWebhookAgain: "Nouvel envoi en cours.",

  testTitle: "Envoyer un webhook de test",
  testLine:
    "Till envoie l’événement d’une facture fictive, signé comme tous les autres, et montre la réponse.",
  testUrl: "URL de votre programme",
  testUrlHint: "Par exemple https://boutique.example/till",
  testSend: "Envoyer le test",
  testFault: "Vérifiez cette URL\u00a0: {reason}.",
  testTaken: "Accepté",
  testNotTaken: "Refusé",
  testAnswered: "Votre programme a répondu {status} après {ms} ms.",
  testGone: "Votre programme a répondu 410\u00a0: Till ne réessaierait pas.",
  testFailed: "Après {ms} ms\u00a0: {reason}.",
  testSigned: "Signé avec ce secret, créé pour ce seul test\u00a0:",
  testBody: "Contenu envoyé\u00a0:",
};
