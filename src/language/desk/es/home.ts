import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

/** Home. */
export const home: TextsOf<typeof english> = {
  newLink: "Nuevo enlace",
  newInvoice: "Nueva factura",
  greetMorning: "Buenos días, {name}",
  greetDay: "Buenas tardes, {name}",
  greetEvening: "Buenas noches, {name}",
  greetNobody: "Inicio",

  receivedIn: "Recibido en {month}",
  receivedToday: "Hoy",
  chartSays: "Recibido por día, del {from} al {to}. El máximo, el {day}: {amount} USDC.",
  chartEmpty: "Nada recibido del {from} al {to}.",
  chartAsTable: "Las cifras en una tabla",
  chartDay: "Día",
  dayAndAmount: "{day}: {amount}\u00a0USDC",

  openTitle: "Pendiente",
  openNone: "Nada pendiente",
  openCounted: "Facturas: {count}",
  openSays: "Facturas: {count}. La próxima vence el {day}",
  overdueTitle: "Vencido",
  overdueNone: "Nada vencido",
  overdueSays: "Facturas: {count}. La más antigua venció el {day}",

  needsAttention: "Requiere su atención",

  newestPayments: "Últimos pagos",
  paymentFrom: "De",
  paymentState: "Estado",
  paymentWhen: "Cuándo",
  allInvoices: "Todas las facturas",
  paymentLink: "Enlace de pago",
  counterPayment: "Caja",
  stateConfirming: "En confirmación, {count} de {needed}",
  stateFinalising: "A la espera de ser definitivo",
  stateConfirmed: "Confirmado",

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
  paymentsTitle: "Pagos",
  paymentsNone: "Cada pago aparece aquí en pocos segundos, sin actualizar la página.",

  didSignIn: "Ha iniciado sesión.",
};
