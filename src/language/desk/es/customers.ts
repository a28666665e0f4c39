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

  partyDetails: "Datos fiscales y dirección",
  partyDetailsText:
    "Lo que la ley pide en una factura a una empresa. Las facturas nuevas usan estos datos; las que ya existen conservan los suyos.",
  partyDetailsCustomer:
    "Las facturas nuevas a este cliente usan estos datos; las que ya existen conservan los suyos.",
  partyInstead:
    "Si escribe aquí una calle o una ciudad, esta dirección aparece en la factura en lugar de la otra.",
  partyStreet: "Calle y número",
  partyAddition: "Segunda línea",
  partyPostalCode: "Código postal",
  partyCity: "Ciudad",
  partyRegion: "Provincia o estado",
  partyCountry: "País",
  partyNoCountry: "Sin indicar",
  partyElectronic: "Dirección para facturas electrónicas",
  partyElectronicHint: "Esquema e identificador, por ejemplo {example}",
  partyParity: "1 USDC cuenta como 1 USD",
  partyParityText: "En las facturas en USD, y estas lo indican.",
  partyForBusiness: "Para una empresa",
  partyForBusinessText: "Su dirección por partes, datos fiscales, entrega, pedido",
  partyDeliveryFrom: "Entregado el, o desde el",
  partyDeliveryTo: "Hasta el, si es un periodo",
  didSaveCustomer: "Guardado. Las facturas nuevas a este cliente usarán estos datos.",
  deedCustomerSave: "Datos de un cliente cambiados",
  faultVatId: "Escriba el NIF-IVA con el país delante, por ejemplo {example}, y compruébelo cifra por cifra.",
  faultTaxId: "Este número no tiene el formato de ese país. Compruébelo cifra por cifra.",
  faultPhone: "Escriba un número de teléfono, por ejemplo {example}.",
  faultElectronic: "Escriba el esquema, dos puntos y el identificador, por ejemplo {example}.",
  faultTerms: "Hay espacio para 500 caracteres.",
  faultDelivery: "Escriba un día, o el primero y el último de un periodo.",
  partyEmailFirst: "Escriba también su dirección de correo: estos datos se guardan con ella.",
};
