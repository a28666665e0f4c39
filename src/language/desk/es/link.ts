import type { link as english } from "../en/link.ts";
import type { TextsOf } from "../texts.ts";

/** One payment link. */
export const link: TextsOf<typeof english> = {
  linkLine: "{price}\u00a0USDC · {kind}",
  linkDuplicate: "Duplicar",
  linkMoreActions: "Más acciones",
  linkOpenPage: "Abrir la página de pago",
  linkPrint: "Imprimir el código",
  linkReceipt: "Recibo",
  linkMark: "Pagado por otro medio…",
  linkUnmark: "No se pagó por otro medio",
  linkDoVoid: "Anular…",
  linkDoEnd: "Cerrar este enlace…",

  linkSend: "Enviarlo",
  linkAddress: "Enlace a la página de pago",
  linkEmbed: "O insértelo en la página de su tienda",
  linkCheckout: "Formulario",
  linkCheckoutText: "Péguelo donde deba aparecer el formulario de pago. Su altura se adapta.",
  linkFrame: "Marco",
  linkFrameText: "Para creadores de sitios que no admiten scripts. El tamaño es fijo.",
  linkButton: "Botón",
  linkButtonText: "Un enlace sencillo que abre la página de pago. Dele el estilo que quiera.",
  linkButtonWord: "Pagar con USDC",
  linkInPage: "En su página",
  linkOpenIt: "Abrir",

  linkPayments: "Pagos",
  linkPaymentsSum: "Pagados: {paid}, {received} USDC",
  linkBegun: "Iniciados sin pagar, no se muestran: {count}",
  linkNoPayments: "Nadie ha pagado todavía con este enlace. Los pagos aparecerán aquí.",
  linkVoided: "Anulado: {reason}",

  linkAbout: "Sobre este enlace",
  linkFactMade: "Creado",
  linkFactEnds: "Fin",
  linkFactReference: "Su referencia",
  linkFactShop: "Tienda",
  linkFactNotices: "Avisos a",
  linkFactPaidInto: "Se cobra en",
  linkFactQuantity: "Unidades",
  linkFactReceipt: "Recibo a",
  linkFactSuccess: "Después va a",
  linkFactOrigins: "Se puede insertar en",
  linkFactPartOf: "Un pago de",
  linkFactDeposit: "Dirección de depósito",
  linkSomebody: "Alguien",
  linkToldCreated: "El enlace se creó",

  linkVoidTitle: "¿Anular este enlace?",
  linkVoidText:
    "Su página deja de pedir dinero y dice por qué. No se puede deshacer. Si aun así llega dinero, es suyo y se muestra.",
  linkEndTitle: "¿Cerrar este enlace?",
  linkEndText:
    "Nadie podrá iniciar más pagos con él. Los ya iniciados aún se pueden completar. No se puede deshacer.",
  linkVoidReason: "Motivo",
  linkVoidReasonHint: "Lo lee quien abre el enlace.",
  linkKeep: "Conservar",
  linkVoidIt: "Anular el enlace",
  linkEndIt: "Cerrar el enlace",
  linkMarkTitle: "¿Se pagó este enlace por otro medio?",
  linkMarkText:
    "Por transferencia bancaria o en efectivo, por ejemplo. Ya no hay nada que pagar y la página indica que está pagado. Puede deshacerlo.",

  linkPosterScan: "Escanee con la cámara del teléfono para pagar",
  linkPosterPrint: "Imprimir",
  linkPosterCode: "Código QR de la página de pago",

  didVoidLink: "El enlace está anulado.",
  didEndLink: "El enlace está cerrado.",
  didMarkLink: "El enlace está marcado como pagado por otro medio.",
  didUnmarkLink: "El enlace vuelve a estar abierto.",
};
