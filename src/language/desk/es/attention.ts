import type { attention as english } from "../en/attention.ts";
import type { TextsOf } from "../texts.ts";

/** What needs somebody: what it is, what it means, and the words of the button beside it. */
export const attention: TextsOf<typeof english> = {
  storageBad: "No se puede guardar nada",
  storageBadText:
    "La base de datos o su disco tiene un problema. Los pagos están seguros en la red y aparecerán cuando se resuelva.",
  checkRuns: "Se está comprobando la base de datos",
  checkRunsText:
    "Como después de cada inicio. Puede consultarlo todo, pero no se cambia nada hasta que termine.",
  chainLate: "Los pagos aparecen con retraso",
  chainLateText:
    "Ahora mismo no se puede leer la red. No se pierde nada: los pagos se encontrarán en cuanto responda un nodo.",
  gasEmpty: "La cuenta de gas está vacía",
  gasEmptyText: "Sin un poco de ETH en la red {network} no se puede transferir ni retirar nada.",
  gasLow: "La cuenta de gas está casi vacía",
  gasLowText:
    "Transferencias que aún puede pagar, aproximadamente: {count}. Envíe un poco de ETH en la red {network}.",
  moneyStuck: "Hay dinero que no se puede transferir",
  moneyStuckText: "Depósitos: {count}. El dinero está ahí y Till lo sigue intentando. Vea el motivo.",
  wordsMissing: "Las palabras de recuperación no están anotadas",
  wordsMissingText: "Sin ellas, si el equipo se estropea, se pierde la billetera.",
  paymentOdd: "Hay un pago que debe revisar",
  paymentOddText:
    "Los nodos no coinciden o el dinero no está donde debería. Revíselo antes de enviar el pedido.",
  mailMissing: "No hay servidor de correo configurado",
  mailMissingText:
    "Las facturas y los recordatorios esperan dos días y después se descartan. Los enlaces funcionan sin él.",
  mailFails: "Los correos no salen",
  mailsWait: "Correos en espera: {count}. Till lo intenta durante dos días. El servidor de correo: {reason}",
  mailsGivenUp: "Correos descartados: {count}. El servidor de correo: {reason}",
  mailsUnknown: "Correos que quizá no hayan llegado: {count}. El servidor de correo: {reason}",
  webhookFails: "Hay webhooks que no se aceptan",
  webhookFailsText:
    "En la última semana: {count}. Till vuelve a intentarlo; lo descartado se puede reenviar.",
  invoicesOverdue: "Facturas vencidas: {count}",
  invoicesOverdueText: "{amount} USDC, la más antigua desde el {day}.",

  showHealth: "Ver el estado",
  showGasAddress: "Ver la dirección",
  showStuck: "Ver el motivo",
  showWords: "Cómo hacerlo",
  setUpMail: "Configurar",
  showMails: "Ver los correos",
  showWebhooks: "Ver los webhooks",
  attentionRemind: "Recordar",
};
