import type { health as english } from "../en/health.ts";
import type { TextsOf } from "../texts.ts";

/** How Till is, and what can be done about it. */
export const health: TextsOf<typeof english> = {
  healthLine: "Lo que Till ha encontrado y en qué se apoya.",
  healthGood: "Todo va bien",
  healthGoodText: "Till vigila la red y no tiene que hacer nada.",
  healthSays: "Lo que dice Till",
  healthSaysText: "Completo, como en till doctor y en el registro.",

  mailServer: "Correo",
  mailServerText: "Las facturas, los recordatorios y los recibos salen por su servidor de correo.",
  mailServerIs: "Servidor de correo",
  mailSender: "Remitente",
  mailCatcher: "Los correos de desarrollo se interceptan y no se envían",
  mailTestTo: "Enviar un correo de prueba a",
  mailTestSend: "Enviar",
  mailTestSubject: "Correo de prueba de Till",
  mailTestBody: "Este correo demuestra que los correos de Till llegan. Enviado desde el panel de {shop}.",
  mailTestFault: "El servidor de correo no lo aceptó: {reason}",
  mailTestUnknown: "Puede que haya llegado: {reason}",
  didMailTest:
    "El servidor de correo aceptó el correo de prueba. Compruebe que llega y que no aparece como spam.",

  chainPart: "Blockchain",
  chainPartText: "Till consulta estos nodos, en este orden.",
  chainNetwork: "Red",
  chainNodes: "Nodos",
  chainSocket: "Aviso de pagos",
  chainSocketNone: "Sin WebSocket: los pagos aparecen tras un cuarto de minuto",
  chainBlock: "Último bloque",
  chainBlockNone: "Todavía ninguno",
  chainBehind: "{block}, con retraso desde hace {seconds} s",
  chainUpToDate: "{block}, al día",

  machinePart: "Este Till",
  machinePartText:
    "Guarde las copias de seguridad en otro equipo. Las palabras de recuperación no son una copia de sus facturas.",
  machineVersion: "Versión",
  machineDatabase: "Base de datos",
  machineMebibytes: "{size}\u00a0MiB",
  machineBackup: "Última copia de seguridad",
  machineBackupNone: "No se conoce ninguna",
  machineBackupHow: "Haga una con {command}.",
  machineWords: "Palabras de recuperación",
  machineWordsAt: "Anotadas: {when}",
  machineWordsNone: "Sin anotar",
};
