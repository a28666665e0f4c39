import type { Messages } from "./en.ts";

export const es: Messages = {
  awaitingPayment: "Pendiente de pago",
  overdue: "Vencida",
  paymentSeen: "Pago detectado",
  partlyPaid: "Pago parcial",
  paid: "Pagado",
  paidInExcess: "Pago en exceso",
  paymentProblem: "Problema con el pago",

  sayOpen: "Pendiente de pago: {remaining} USDC.",
  sayPending: "Pago de {pending} USDC detectado, en confirmación.",
  sayPartial: "Recibido: {received} de {total} USDC. Pendiente: {remaining} USDC.",
  sayPaid: "Pagado. Recibido: {received} USDC.",
  sayExcess: "Pagado. Recibido: {received} USDC, {excess} USDC más que el importe a pagar.",
  sayError: "Algo ha fallado con este pago en la red. No vuelva a pagar.",

  amountDue: "Importe a pagar",
  stillToPay: "Pendiente de pago",
  onItsWay: "Pago en camino",
  dueOn: "Vence el {day}",
  wasDueOn: "Venció el {day}",
  receivedSoFar: "Recibido hasta ahora",
  receivedOf: "Recibido: {received} de {total} USDC",

  confirmations: "Confirmaciones",
  confirmationsOne: "{count} de {needed} confirmación",
  confirmationsOther: "{count} de {needed} confirmaciones",
  notFinalYet: "Aún no es definitivo",
  beingConfirmed: "La red lo está confirmando",
  waitingForFinal: "Detectado. A la espera de la confirmación definitiva de la red",
  confirmingAll:
    "Su pago se ha detectado en la red. No tiene que hacer nada más: esta página lo mostrará como pagado en cuanto se confirme.",
  confirmingPart:
    "Su pago se ha detectado en la red. En cuanto se confirme, esta página mostrará cuánto queda por pagar de {remaining} USDC.",
  delayed:
    "**Los pagos aparecen con retraso en este momento.** La conexión con la red es lenta. No se pierde nada: un pago ya hecho aparecerá aquí cuando vuelva la conexión.",

  paidAndMore: "Pago en exceso",
  receivedInFull: "Recibido por completo. No hay nada más que hacer.",
  differenceOfInvoice:
    "El importe a pagar era de {total} USDC y hay un exceso de **{excess} USDC**. Por favor, [contacte con el comercio] para aclarar la diferencia.",
  differenceOfLink:
    "El importe a pagar era de {total} USDC y hay un exceso de **{excess} USDC**. Por favor, contacte con la tienda para aclarar la diferencia.",
  returnToShop: "Volver a la tienda",
  usedUp:
    "Este pago ya se ha completado. No vuelva a pagar: para otro pago, pida a la tienda un enlace nuevo.",
  somethingWrong: "Algo ha fallado",
  failed:
    "Hay un problema con este pago en la red. **No vuelva a pagar.** Si este mensaje no desaparece, contacte con la tienda.",
  failedWait: "Esta página mostrará el pago en cuanto se confirme.",
  failedSeenAgain: "Detectado de nuevo: {pending} USDC, en confirmación.",

  howToPay: "Cómo pagar",
  testNetwork: "**Red de pruebas.** Pague solo con USDC de prueba. No envíe dinero real.",
  testNetworkName: "{network}, red de pruebas",
  whereFrom: "¿Cómo desea pagar?",
  wallet: "Billetera",
  scan: "Escanear",
  exchange: "Exchange u otra billetera",
  noWallet: "¿No tiene una billetera en este navegador? Escanee el código con el teléfono.",
  walletHint:
    "Su billetera se abre con la dirección, el importe y la red ya rellenados: compruebe que coinciden con los datos de abajo.",
  qrOfPayment: "Código QR de este pago, para una aplicación de billetera",
  qrOfAddress: "Código QR de la dirección de depósito",
  scanHint:
    "Escanéelo con una aplicación de billetera. Rellena la dirección, el importe y la red: compruebe que coinciden con los datos de abajo.",
  openWallet: "Abrir en la billetera",
  exchangeNetwork: "Retire o envíe **USDC** y elija la red **{network}**.",
  exchangeAddress: "Escanee el código o pegue la dirección de depósito de abajo.",
  exchangeAmount:
    "El importe que llegue debe ser exactamente {amount} USDC. Si su exchange descuenta la comisión del retiro, súmela al importe que retire.",
  amount: "Importe",
  depositAddress: "Dirección de depósito",
  onlyNetwork:
    "**Solo USDC en la red {network}.** Cualquier otra cosa enviada a esta dirección puede perderse.",

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
  smallerPayments: "Pagos más pequeños que no se muestran:\u00a0{count}",
  confirmed: "Confirmado",
  transactionInExplorer: "Transacción {hash} en el explorador",

  invoiceNumber: "Factura {number}",
  invoiceFrom: "Factura {number} de {merchant}",
  invoiceDetails: "Detalles de la factura",
  billedBy: "Emisor",
  billedTo: "Cliente",
  issueDate: "Fecha de emisión",
  dueDate: "Vencimiento",
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
    "Esta página se actualiza automáticamente. No necesita una cuenta para pagar. No introduzca nunca aquí una contraseña ni una frase de recuperación.",
  language: "Idioma",
  connectionLost: "Conexión perdida, reintentando…",
  connectedAgain: "Conectado de nuevo.",
  hostedBy: "Alojado por {brand}",
  openYourLink: "Para pagar una factura, abra el enlace que ha recibido.",

  payWith: "Pagar con {wallet}",
  confirmInWallet: "Confirme el pago en {wallet}.",
  sent: "Enviado. Aparecerá aquí en cuanto la red lo registre.",
  noAccount: "Esta billetera no tiene ninguna cuenta con la que pagar.",
  unknownNetwork:
    "La red {network} no está configurada en la billetera. Añádala (ID de cadena {chainId}) e inténtelo de nuevo.",
  otherNetwork: "La billetera está en otra red. Cámbiela a {network} e inténtelo de nuevo.",
  tooLittle: "Esta cuenta no tiene suficientes USDC en la red {network}.",
  declined: "Rechazado en la billetera. No se ha enviado nada.",
  unauthorized:
    "La billetera no ha dado acceso a ninguna cuenta. Permita el acceso en la billetera e inténtelo de nuevo.",
  requestPending: "Hay una solicitud pendiente en la billetera. Apruébela o recházela allí.",
  walletFailed:
    "La billetera no pudo enviar el pago. Compruebe en ella que no se ha enviado nada antes de volver a intentarlo.",
  noFee:
    "La billetera no pudo enviar el pago: esta cuenta no tiene ETH en la red {network} para la comisión. Compruebe en la billetera que no se ha enviado nada antes de volver a intentarlo.",
  reverted:
    "La transacción ha fallado en la red. No se han enviado USDC, pero es posible que se haya cobrado la comisión de red. Compruebe su cuenta en la billetera antes de volver a intentarlo.",

  invoiceNotFound: "Factura no encontrada",
  invoiceNotFoundText:
    "No hay ninguna factura en este enlace. Compruebe que el enlace está completo o pida uno nuevo al remitente.",
  linkNotFound: "Enlace de pago no encontrado",
  linkNotFoundText:
    "Este enlace de pago no existe. Compruebe que el enlace está completo o pida uno nuevo a la tienda.",
  pageNotFound: "Página no encontrada",
  pageNotFoundText: "Esta página no existe.",
  tooManyRequests: "Demasiadas solicitudes",
  tooManyRequestsText: "Inténtelo de nuevo en {seconds} s.",
  requestFailed: "Algo ha fallado",
  requestFailedText: "Inténtelo de nuevo dentro de un minuto.",

  payWithUsdc: "Pagar con USDC",
  formMissing: "El formulario de pago no se ha cargado.",
  openPayment: "Abrir la página de pago",
  slugMissing: "Falta el enlace de pago.",
};
