import type { webhooks as english } from "../en/webhooks.ts";
import type { TextsOf } from "../texts.ts";

/** What other programs were told. */
export const webhooks: TextsOf<typeof english> = {
  webhooksLine:
    "O que o Till informou a outros programas, do mais recente ao mais antigo. Cada fatura e link indica para onde.",
  webhooksAll: "Todos",
  webhooksFailing: "Com falha",
  webhooksTest: "Enviar um teste",
  webhooksEmpty: "Nenhum webhook enviado ainda",
  webhooksEmptyText:
    "Se uma fatura ou um link tem uma URL de webhook, o Till avisa lá assim que é pago. Um teste mostra já se o seu programa entende o aviso.",
  webhooksNoneFail: "Nenhuma falha",
  webhooksNoneFailText: "Todos os programas responderam.",
  webhooksCaption: "Webhooks, dos mais recentes aos mais antigos",
  webhookColumnEvent: "Evento",
  webhookColumnReceiver: "Para",
  webhookColumnAnswer: "Resposta",
  webhookDelivered: "Aceito",
  webhookWaiting: "Em espera",
  webhookRetrying: "Nova tentativa",
  webhookFailed: "Descartado",
  webhookAnswered: "Resposta {status}",
  webhookAttempts: "Tentativas: {count}",
  webhookNext: "Próxima tentativa: {when}",
  webhookAgain: "Reenviar",
  webhookNoOwner: "Algo que não existe mais",
  didSendWebhookAgain: "Está sendo enviado de novo.",

  testTitle: "Enviar um webhook de teste",
  testLine: "O Till envia um evento de uma fatura fictícia, assinado como os outros, e mostra a resposta.",
  testUrl: "URL do seu programa",
  testUrlHint: "Por exemplo, https://loja.example/till",
  testSend: "Enviar o teste",
  testFault: "Verifique esta URL: {reason}.",
  testTaken: "Aceito",
  testNotTaken: "Não aceito",
  testAnswered: "Seu programa respondeu {status} após {ms} ms.",
  testGone: "Seu programa respondeu 410: o Till não tentaria de novo.",
  testFailed: "Após {ms} ms: {reason}.",
  testSigned: "Assinado com este segredo, criado só para este teste:",
  testBody: "O que foi enviado:",
};
