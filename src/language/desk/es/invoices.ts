import type { invoices as english } from "../en/invoices.ts";
import type { TextsOf } from "../texts.ts";

/** Invoices: the list and one of them. */
export const invoices: TextsOf<typeof english> = {
  invoicesCaption: "Facturas, primero las más recientes",
  searchInvoices: "Buscar facturas",
  searchPlaceholder: "Cliente, número, importe, dirección…",
  kindAll: "Todas",
  kindOpen: "Pendientes",
  kindOverdue: "Vencidas",
  kindPaid: "Pagadas",
  kindVoid: "Anuladas",
  kindDrafts: "Borradores",
  anyDate: "Cualquier fecha",
  sinceDay: "Desde el {from}",
  untilDay: "Hasta el {to}",
  betweenDays: "Del {from} al {to}",
  thisMonth: "Este mes",
  lastMonth: "El mes pasado",
  thisYear: "Este año",
  fromDay: "Desde",
  toDay: "Hasta",
  downloadCsv: "CSV",
  downloadCsvOfShown: "Descargar lo que se muestra en CSV",
  columnDue: "Vencimiento",
  stateNotSent: "Sin enviar",
  leftToPay: "pendiente {amount}",
  paidTooMuch: "{amount} de más",
  sumInAll: "{count} en total, {sum} USDC",
  sumHere: "{sum} USDC en esta página",
  foundMany: "Esta búsqueda se limita a los resultados más recientes: {count}.",
  toNewest: "Más recientes",
  toOlder: "Anteriores",

  noInvoices: "Su primera factura lleva un minuto",
  noInvoicesText:
    "Escriba qué hizo y para quién. Su cliente recibe un correo con una página de pago y usted ve aquí cuándo llega el dinero.",
  orLink: "O un enlace de pago",
  nothingFound: "Ningún resultado para «{query}»",
  nothingFoundText:
    "Puede buscar por el principio del cliente, correo, número, referencia o importe, o por una dirección de depósito o transacción completa.",
  nothingOfKind: "Ninguna",
  nothingOfKindText: "Ninguna factura coincide con lo elegido arriba.",
  showAllInvoices: "Mostrar todas las facturas",
  noDrafts: "No hay borradores",
  noDraftsText:
    "Una factura que guarda antes de terminarla espera aquí. Todavía no tiene número y nadie la ha visto.",
  draftsCaption: "Borradores",
  columnChanged: "Modificado",
  unnamedDraft: "Todavía sin cliente",
  didSaveDraft: "El borrador está guardado.",
  didDropDraft: "El borrador se ha descartado.",
};
