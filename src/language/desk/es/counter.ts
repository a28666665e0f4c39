import type { CounterTexts } from "../en/counter.ts";

export const counter: CounterTexts = {
  counterToPay: "A pagar",
  counterWhat: "Concepto",
  counterWhatHint: "Concepto (opcional)",
  counterKeys: "Teclado numérico",
  counterErase: "Borrar",
  counterCharge: "Cobrar {amount}",
  counterNothing: "Introduzca primero un importe.",
  counterWhatFault: "Escriba una sola línea de texto sin formato, de 120 caracteres como máximo.",
  counterLeave: "Salir de la caja",
  counterSound: "Sonido al pagar",
  counterOffline:
    "No enviado: este dispositivo está sin conexión. No se ha perdido nada, inténtelo de nuevo.",
  counterDay: "Hoy en la caja",
  counterDayNone: "Hoy todavía nada.",
  counterCancelled: "Anulado",
  counterLateTitle: "Recibido después de la anulación: {amount} USDC.",
  counterLateText: "No se debía. Devuélvalo, o quédeselo si era para usted.",
  counterShow: "Ver",
  counterNobody: "¿Quién cobra?",
  counterNobodyText:
    "La caja necesita el nombre de su tienda y un correo electrónico. Escríbalos en los ajustes y todos podrán cobrar desde aquí.",
  counterToSettings: "Abrir los ajustes",

  counterCancel: "Anular",
  counterNext: "Siguiente cliente",
  counterWaiting: "Esperando el pago",
  counterSeenText: "{amount} USDC detectado. Espere a que se confirme.",
  counterPartlyText: "Recibido: {received} de {total} USDC. Este código pide el resto.",
  counterPartSeenText: "{amount} USDC en camino. Este código pide el resto.",
  counterTakenBackText:
    "La red ha revertido un pago confirmado. A menudo vuelve por sí solo: espere antes de que alguien pague dos veces.",
  counterByWallet: "Billetera",
  counterByCamera: "Cámara",
  counterByHand: "A mano",
  counterCodeCamera: "Código QR de la página de pago, para una cámara",
  counterWalletText: "**Solo USDC en la red {network}.** Escanéelo con su billetera: lo rellena todo.",
  counterCameraText: "Escanéelo con la cámara: se abre la página de pago.",
  counterHandText: "Envíe exactamente este importe en USDC por la red {network} a esta dirección.",
  counterAddress: "Dirección",

  counterExcess:
    "{excess} USDC más que los {total} USDC a pagar. Devuelva la diferencia o quédesela como propina.",
  counterReceipt: "Enviar un recibo",
  counterReceiptPdf: "Recibo (PDF)",
  counterReceiptTo: "Correo electrónico del cliente",
  counterReceiptFault: "Escriba un correo electrónico, por ejemplo nombre@example.com.",
  counterCancelledText: "No hay nada que pagar. La página del cliente también lo dice.",

  counterVoidReason: "Anulado en la caja.",
  didCancelSale: "El pago se ha anulado.",
  didSendReceipt: "El recibo está en camino.",
  didFindReceiptSent: "Ya se había enviado un recibo de este pago.",
};
