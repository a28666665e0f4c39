import type { HomeTexts } from "../en/home.ts";

export const home: HomeTexts = {
  newLink: "Nuevo enlace",
  greetMorning: "Buenos días, {name}",
  greetDay: "Buenas tardes, {name}",
  greetEvening: "Buenas noches, {name}",

  receivedIn: "Recibido en {month}",
  chartSays: "Recibido por día, del {from} al {to}. El máximo, el {day}: {amount} USDC.",
  chartEmpty: "Nada recibido del {from} al {to}.",
  chartAsTable: "Las cifras en una tabla",
  chartDay: "Día",
  dayAndAmount: "{day}: {amount}\u00a0USDC",

  openNone: "Nada pendiente",
  openCounted: "Facturas: {count}",
  openSays: "Facturas: {count}. La próxima vence el {day}",
  overdueTitle: "Vencido",
  overdueNone: "Nada vencido",
  overdueSays: "Facturas: {count}. La más antigua venció el {day}",

  needsAttention: "Requiere su atención",

  newestPayments: "Últimos pagos",
  paymentFrom: "De",
  allInvoices: "Todas las facturas",
  paymentLink: "Enlace de pago",
  stateConfirming: "En confirmación, {count} de {needed}",
  stateFinalising: "A la espera de ser definitivo",

  welcome: "Hola, {name}",
  welcomeNobody: "Le damos la bienvenida",
  firstSteps: "Unos pocos pasos y habrá recibido su primer pago.",
  stepDone: "Hecho",
  stepProfile: "Preséntese",
  stepProfileText: "Nombre, dirección y correo aparecerán desde ahora en cada factura.",
  stepProfileDo: "Completar sus datos",
  stepInvoice: "Cree su primera factura",
  stepInvoiceText: "Envíesela a usted, pague 1,00 USDC y vea cómo llega.",
  stepWords: "Anote las palabras de recuperación",
  stepWordsText: "Con ellas recupera su billetera si este equipo se estropea.",
  stepWordsDo: "Ver cómo",
  paymentsNone: "Cada pago aparece aquí en pocos segundos, sin actualizar la página.",

  storageBad: "No se puede guardar nada",
  storageBadText:
    "La base de datos o su disco tiene un problema. Los pagos están seguros en la red y aparecerán cuando se resuelva.",
  checkRuns: "Se está comprobando la base de datos",
  checkRunsText:
    "Como después de cada inicio. Puede consultarlo todo; los cambios tendrán que esperar a que termine.",
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
};
