import type { withdrawal as english } from "../en/withdraw.ts";
import type { TextsOf } from "../texts.ts";

/** The way out of Till's wallet. */
export const withdrawal: TextsOf<typeof english> = {
  withdrawLine: "De la billetera de Till a una dirección permitida de antemano.",
  withdrawFrom: "De",
  withdrawAmount: "Importe",
  withdrawAtMost: "Como máximo {amount}",
  withdrawAll: "Todo",
  withdrawTo: "A",
  neverUsed: "Nunca usada",
  addressLastUsed: "Último uso: {when}",
  allowedHow:
    "Las direcciones se permiten en el propio equipo, con {command}. Quien entre en este panel solo puede enviarle su dinero a usted.",
  goOn: "Continuar",
  cancel: "Cancelar",
  noneAllowed: "Permita primero una dirección",
  noneAllowedText:
    "El dinero solo sale de la billetera de Till hacia direcciones permitidas en el propio equipo. Ejecute allí este comando con una dirección suya:",
  noneAllowedThen: "Después vuelva a esta página.",
  walletEmpty: "Nada que retirar",
  walletEmptyText: "No hay USDC en la billetera de Till. Los pagos llegan aquí cuando se transfieren.",
  isUnderWay: "Hay un retiro en curso desde esta billetera. El siguiente podrá empezar cuando termine.",
  showIt: "Ver",
  moreWallets: "Hay más billeteras de las que se pueden mostrar. Para las demás, use {command}.",

  withdrawFaultAmount:
    "Escriba un importe en USDC como 750,00, con dos decimales como máximo y sin otros caracteres.",
  withdrawFaultTooMuch: "Esta billetera contiene {amount} USDC.",
  withdrawFaultNothing: "Esta billetera está vacía.",
  withdrawFaultTo: "Elija una dirección. Solo se pueden usar las permitidas.",
  withdrawFaultFrom: "Elija una billetera.",
  withdrawFaultPlan: "No se puede retirar. {reason}",
  withdrawFaultGas:
    "La cuenta de gas no puede pagar la comisión. Envíe allí al menos {eth} ETH y vuelva después.",
  withdrawFaultBegin: "No se ha retirado nada. {reason}",
  withdrawFaultForm:
    "Esta página llevaba demasiado tiempo abierta. No se ha retirado nada: empiece de nuevo.",

  confirmTitle: "¿Retirar {amount} USDC?",
  confirmLine: "Un envío en la red {network} no se puede deshacer. Compare la dirección con su billetera.",
  confirmTo: "A {name}",
  confirmReceives: "Recibe",
  confirmFee: "Comisión, de la cuenta de gas",
  confirmFeeAbout: "Unos {eth} ETH",
  confirmFeeMost: "Nunca más de {eth} ETH",
  confirmLeft: "Queda en la billetera de Till",
  confirmBack: "Volver",
  confirmButton: "Retirar",
  confirmWithPasskey: "Confirmar con llave de acceso",

  oneWithdrawal: "Retiro",
  stateBegun: "En preparación",
  stateSent: "En camino",
  stateDone: "Retirado",
  stateFailed: "No retirado",
  begunText: "Till lo anota y después lo envía. Puede cerrar esta página: continúa solo.",
  sentText: "Va de camino por la red. Puede cerrar esta página: continúa solo.",
  doneText: "El dinero ha llegado.",
  failedExpired: "La red no lo aceptó en la hora en que era válido. No se movió nada.",
  failedCancelled:
    "Alguien que tiene las palabras de recuperación lo canceló. No se movió nada. Si no fue usted, mueva ahora su dinero a otra billetera.",
  failedReplaced:
    "Alguien que tiene las palabras de recuperación usó su número para otro pago. Si no fue usted, mueva ahora su dinero a otra billetera.",
  waitsFor: "En espera. {reason}",
  happensBefore: "Plazo: {when}. Después ya no se hará.",
  ofCommandLine: "Se inició en la línea de comandos. {command} lo continúa.",
  withdrawnFrom: "De",
  withdrawnBegun: "Iniciado",
  withdrawnWith: "Transacción",
  didWithdraw: "El retiro ha comenzado.",
};
