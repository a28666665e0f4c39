import type { SigningTexts } from "./en.ts";

export const signing: SigningTexts = {
  signWith: "Pagar con {wallet}, sin comisión",
  cannotSign: "Esta billetera no pudo firmar el pago. No se ha enviado nada. Use el otro botón.",
  notHandedOver:
    "No se pudo conectar con el servidor. Inténtelo de nuevo en un minuto: firmar otra vez no supone pagar dos veces.",
  signHint: "La comisión de red la paga el destinatario. **Su firma es el pago.**",
  paymentSigned: "Pago firmado",
  saySigned: "Pago firmado de {amount} USDC, en camino.",
  signedOnItsWay:
    "**Este pago se ha firmado y está en camino.** No tiene que hacer nada más: esta página lo mostrará como pagado en cuanto se confirme.",
  signedFailed: "**El pago firmado no se completó.** No llegó ningún USDC. Puede volver a pagar.",
  signPlain:
    "Ahora mismo no se puede pagar la comisión de red por usted. No se ha enviado nada. Use el otro botón: la comisión la paga su billetera.",
  signClosed: "Aquí ya no hay nada pendiente. No se ha enviado nada.",
  signBusy: "Ya hay otro pago en camino. No se ha enviado nada más. No vuelva a pagar.",
  signAmount:
    "El importe pendiente ha cambiado. No se ha enviado nada. Compruebe el nuevo importe e inténtelo de nuevo.",
  signLate: "La firma tardó demasiado. No se ha enviado nada. Inténtelo de nuevo.",
  signInvalid: "No se pudo usar la firma. No se ha enviado nada. Inténtelo de nuevo o use el otro botón.",
  signUndeployed:
    "Esta billetera inteligente aún no está activa en la red {network} y su firma no sirve. No se ha enviado nada. Use el otro botón.",
  signBlocked: "USDC no permite pagos desde esta cuenta. No se ha enviado nada. Use otra cuenta.",
  signPaused:
    "Las transferencias de USDC están en pausa en la red {network}. No se ha enviado nada. Inténtelo más tarde.",
  usdcOn: "USDC en {network}",
  openPageIn: "Abra esta página en su billetera:",
};
