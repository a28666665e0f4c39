import type { webhooks as english } from "../en/webhooks.ts";
import type { TextsOf } from "../texts.ts";

/** What other programs were told. */
export const webhooks: TextsOf<typeof english> = {
  webhooksLine:
    "Lo que Till comunicó a otros programas, primero lo más reciente. Cada factura y enlace indica adónde.",
  webhooksAll: "Todos",
  webhooksFailing: "Con errores",
  webhooksTest: "Enviar una prueba",
  webhooksEmpty: "Todavía no se ha enviado ningún webhook",
  webhooksEmptyText:
    "Si una factura o un enlace tiene una URL de webhook, Till avisa allí en cuanto se paga. Una prueba muestra ya si su programa lo entiende.",
  webhooksNoneFail: "Ningún error",
  webhooksNoneFailText: "Todos los programas han respondido.",
  webhooksCaption: "Webhooks, primero los más recientes",
  webhookColumnEvent: "Evento",
  webhookColumnReceiver: "A",
  webhookColumnAnswer: "Respuesta",
  webhookDelivered: "Aceptado",
  webhookWaiting: "En espera",
  webhookRetrying: "Se reintenta",
  webhookFailed: "Descartado",
  webhookAnswered: "Respuesta {status}",
  webhookAttempts: "Intentos: {count}",
  webhookNext: "Próximo intento: {when}",
  webhookAgain: "Reenviar",
  webhookNoOwner: "Algo que ya no existe",
  didSendWebhookAgain: "Se está enviando de nuevo.",

  testTitle: "Enviar un webhook de prueba",
  testLine: "Till envía un evento de una factura ficticia, firmado como los demás, y muestra la respuesta.",
  testUrl: "URL de su programa",
  testUrlHint: "Por ejemplo, https://tienda.example/till",
  testSend: "Enviar la prueba",
  testFault: "Revise esta URL: {reason}.",
  testTaken: "Aceptado",
  testNotTaken: "No aceptado",
  testAnswered: "Su programa respondió {status} tras {ms} ms.",
  testGone: "Su programa respondió 410: Till no volvería a intentarlo.",
  testFailed: "Tras {ms} ms: {reason}.",
  testSigned: "Se firmó con este secreto, creado solo para esta prueba:",
  testBody: "Lo que se envió:",
};
