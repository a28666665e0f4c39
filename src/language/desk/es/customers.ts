import type { customers as english } from "../en/customers.ts";
import type { TextsOf } from "../texts.ts";

/** Customers. */
export const customers: TextsOf<typeof english> = {
  customersLine: "Todos aquellos a quienes ha facturado.",
  customersCaption: "Clientes, primero los facturados más recientemente",
  searchCustomers: "Buscar clientes",
  searchCustomersPlaceholder: "Nombre o correo…",
  kindEverybody: "Todos",
  kindOwing: "Pendientes",
  columnLastInvoice: "Última factura",
  columnOwes: "Pendiente",
  columnPaidUsdc: "Pagado (USDC)",
  openAmount: "Pendiente: {amount}",
  noCustomers: "Sus clientes aparecen solos",
  noCustomersText:
    "Aquí figura cada cliente al que envía una factura, con lo que ha pagado y lo que aún debe. No tiene que mantener nada.",
  noCustomerFound: "Ningún resultado para «{query}»",
  noCustomerFoundText: "Puede buscar por el principio del nombre o del correo electrónico.",
  nobodyOwes: "Nadie le debe nada",
  nobodyOwesText: "Todas las facturas están pagadas o anuladas.",
  showEverybody: "Mostrar todos",
  customerOpen: "Pendiente",
  customerPaid: "Pagado hasta ahora",
  customerInvoices: "Facturas",
  invoiceForThem: "Nueva factura",
  writeTo: "Escribir un correo",
};
