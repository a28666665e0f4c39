import type { frame as english } from "../en/frame.ts";
import type { TextsOf } from "../texts.ts";

/** What stands around every page of the desk. */
export const frame: TextsOf<typeof english> = {
  desk: "Panel",
  skipToContent: "Ir al contenido",
  navHome: "Inicio",
  navInvoices: "Facturas",
  navLinks: "Enlaces",
  navCounter: "Caja",
  navMoney: "Dinero",
  navCustomers: "Clientes",
  navSettings: "Ajustes",
  navMore: "Más",
  openCount: "Pendientes: {count}",
  search: "Buscar",
  signOut: "Cerrar sesión",
  roleOwner: "Propietario",
  roleStaff: "Personal",
  roleAccountant: "Contabilidad",
  development: "Desarrollo: solo dinero de prueba",

  watchCurrent: "{network}: todo al día",
  watchLate: "Los pagos aparecen con retraso",
  watchStarting: "Iniciando",

  refused: "No permitido",
  refusedRole: "Su rol no lo permite. Pídaselo a un propietario.",
  refusedForeign: "Este formulario no se envió desde este panel. No se ha cambiado nada.",
  refusedStale:
    "Esta página llevaba demasiado tiempo abierta. No se ha cambiado nada: vuelva atrás, actualícela e inténtelo de nuevo.",
  backToHome: "Volver al inicio",
  deskNotFound: "No encontrado",
  deskNotFoundText: "Esta página no existe. Quizá el enlace esté mal escrito.",

  undo: "Deshacer",
  optional: "(opcional)",
  faultsOne: "Hay un dato que corregir",
  faultsMany: "Datos por corregir: {count}",
  copyIt: "Copiar",
  isCopied: "Copiado",
  isNotCopied: "No copiado",
  nextPage: "Siguiente",
  pages: "Páginas",
  today: "Hoy",
  yesterday: "Ayer",
  todayAt: "Hoy, {time}",
  yesterdayAt: "Ayer, {time}",
};
