import type { Messages } from "./en.ts";

export const es: Messages = {
  awaitingPayment: "Pendiente de pago",
  overdue: "Vencida",
  paymentSeen: "Pago detectado",
  partlyPaid: "Pagado parcialmente",
  paid: "Pagado",
  paidInExcess: "Pagado de más",
  paymentProblem: "Problema con el pago",

  sayOpen: "Pendiente de pago: {remaining} USDC.",
  sayPending: "Se ha detectado un pago de {pending} USDC y se está confirmando.",
  sayPartial: "Se han recibido {received} de {total} USDC. Faltan {remaining} USDC por pagar.",
  sayPaid: "Pagado. Se han recibido {received} USDC.",
  sayExcess: "Pagado. Se han recibido {received} USDC, {excess} USDC más de lo pedido.",
  sayError: "Algo ha fallado con este pago en la red. No vuelva a pagar.",

  amountDue: "Importe a pagar",
  stillToPay: "Falta por pagar",
  onItsWay: "Pago en camino",
  dueOn: "Vence el {day}",
  wasDueOn: "Venció el {day}",
  receivedSoFar: "Recibido hasta ahora",
  receivedOf: "{received} de {total} USDC recibidos",

  confirmations: "Confirmaciones",
  confirmationsOne: "{count} de {needed} confirmación",
  confirmationsOther: "{count} de {needed} confirmaciones",
  notFinalYet: "Aún no es definitivo",
  beingConfirmed: "La red lo está confirmando",
  waitingForFinal: "Detectado. Esperando a que la red lo haga definitivo",
  confirmingAll:
    "Su pago se ha detectado en la red. No tiene que hacer nada más: esta página lo mostrará como pagado en cuanto se confirme.",
  confirmingPart:
    "Su pago se ha detectado en la red. En cuanto se confirme, esta página mostrará lo que queda de los {remaining} USDC.",
  delayed:
    "**Los pagos aparecen con retraso en este momento.** La conexión con la red es lenta. No se pierde nada: un pago ya hecho aparecerá aquí cuando vuelva la conexión.",

  paidAndMore: "Pagado, y más de lo pedido",
  receivedInFull: "Recibido por completo. No hay nada más que hacer.",
  differenceOfInvoice:
    "Se pidieron {total} USDC: han llegado **{excess} USDC** de más. Por favor, [contacte con el comercio] para aclarar la diferencia.",
  differenceOfLink:
    "Se pidieron {total} USDC: han llegado **{excess} USDC** de más. Por favor, contacte con la tienda para aclarar la diferencia.",
  returnToShop: "Volver a la tienda",
  usedUp:
    "Este enlace ya está pagado. No lo pague otra vez: para otro pago, pida a la tienda un enlace nuevo.",
  somethingWrong: "Algo ha fallado",
  failed:
    "Hay un problema con este pago en la red. **No vuelva a pagar.** Si sigue así, contacte con la tienda.",
  failedWait: "Esta página mostrará el pago en cuanto se confirme.",
  failedSeenAgain: "Se han vuelto a detectar {pending} USDC y se están confirmando.",

  howToPay: "Cómo pagar",
  testNetwork: "**Red de pruebas.** Pague solo con USDC de prueba. No envíe dinero real.",
  whereFrom: "¿Desde dónde va a pagar?",
  wallet: "Monedero",
  scan: "Escanear",
  exchange: "Exchange u otro monedero",
  noWallet: "¿No tiene un monedero en este navegador? Escanee el código con el teléfono.",
  walletHint:
    "Su monedero se abre con la dirección, el importe y la red ya rellenados: compárelos con los de abajo.",
  qrOfPayment: "Código QR de este pago, para una aplicación de monedero",
  qrOfAddress: "Código QR de la dirección de depósito",
  scanHint:
    "Escanéelo con una aplicación de monedero. Rellena la dirección, el importe y la red: compárelos con los de abajo.",
  openWallet: "Abrir en el monedero",
  exchangeNetwork: "Envíe o retire **USDC** y elija **{network}** como red.",
  exchangeAddress: "Escanee el código o pegue la dirección de depósito de abajo.",
  exchangeAmount:
    "Tienen que llegar exactamente {amount} USDC. Si su exchange descuenta la comisión del retiro, súmela.",
  amount: "Importe",
  depositAddress: "Dirección de depósito",
  onlyNetwork: "**Solo USDC en {network}.** Cualquier otra cosa enviada a esta dirección puede perderse.",

  copy: "Copiar",
  copied: "Copiado",
  notCopied: "No copiado",
  copyAmount: "Copiar el importe",
  amountCopied: "Importe copiado",
  amountNotCopied: "No se pudo copiar el importe. Selecciónelo y cópielo a mano.",
  copyAddress: "Copiar la dirección de depósito",
  addressCopied: "Dirección de depósito copiada",
  addressNotCopied: "No se pudo copiar la dirección de depósito. Selecciónela y cópiela a mano.",

  payment: "Pago",
  payments: "Pagos",
  smallerPayments: "Pagos más pequeños que no se muestran: {count}",
  confirmed: "Confirmado",
  transactionInExplorer: "Transacción {hash} en el explorador",

  invoiceNumber: "Factura {number}",
  invoiceFrom: "Factura {number} de {merchant}",
  invoiceDetails: "Detalles de la factura",
  from: "De",
  to: "Para",
  issued: "Emitida",
  due: "Vence",
  description: "Descripción",
  amountInUsdc: "Importe (USDC)",
  total: "Total",
  notes: "Notas",
  downloadPdf: "Descargar PDF",
  contactMerchant: "Contactar con el comercio",
  payTo: "Pagar a",
  receipt: "Recibo",
  transaction: "Transacción",

  footnote:
    "Esta página se actualiza sola. No necesita una cuenta para pagar, y nadie le pedirá una contraseña ni una frase de recuperación.",
  language: "Idioma",
  connectionLost: "Conexión perdida, reintentando…",
  connectedAgain: "Conectado de nuevo.",
  hostedBy: "Servicio de {brand}",
  openYourLink: "Para pagar una factura, abra el enlace que ha recibido.",

  payWith: "Pagar con {wallet}",
  confirmInWallet: "Confirme el pago en {wallet}.",
  sent: "Enviado. Aparecerá aquí en cuanto la red lo tenga.",
  noAccount: "El monedero no ofrece ninguna cuenta desde la que pagar.",
  unknownNetwork:
    "El monedero no conoce {network}. Añada la red allí (ID de cadena {chainId}) e inténtelo de nuevo.",
  otherNetwork: "El monedero está en otra red. Cámbielo a {network} e inténtelo de nuevo.",
  tooLittle: "Esta cuenta tiene menos USDC en {network} de lo que hay que pagar.",
  declined: "Rechazado en el monedero. No se ha enviado nada.",
  unauthorized: "El monedero no deja que esta página vea una cuenta. Permítalo allí e inténtelo de nuevo.",
  requestPending: "El monedero ya tiene una solicitud abierta. Ábralo y termínela allí.",
  walletFailed:
    "El monedero no pudo enviar el pago. Compruebe en él que no se ha enviado nada antes de intentarlo de nuevo.",
  noFee:
    "El monedero no pudo enviar el pago: esta cuenta no tiene ETH en {network} para la comisión. Compruebe en el monedero que no se ha enviado nada antes de volver a intentarlo.",
  reverted:
    "La red no ha ejecutado este pago. No se ha pagado nada. Compruebe su cuenta en el monedero antes de volver a intentarlo.",

  invoiceNotFound: "Factura no encontrada",
  invoiceNotFoundText:
    "No hay ninguna factura en esta dirección. Compruebe que el enlace está completo o pida uno nuevo al remitente.",
  linkNotFound: "Enlace de pago no encontrado",
  linkNotFoundText:
    "No hay ningún enlace de pago en esta dirección. Compruebe que el enlace está completo o pida uno nuevo a la tienda.",
  pageNotFound: "Página no encontrada",
  pageNotFoundText: "No hay nada en esta dirección.",
  tooManyRequests: "Demasiadas solicitudes",
  tooManyRequestsText: "Vuelva dentro de {seconds} s.",
  requestFailed: "Algo ha fallado",
  requestFailedText: "Inténtelo de nuevo dentro de un minuto.",
};
