import type { books as english } from "../en/books.ts";
import type { TextsOf } from "../texts.ts";

/** Files for whoever keeps the books. */
export const books: TextsOf<typeof english> = {
  settingsBooks: "Contabilidad",
  settingsBooksText: "Archivos para quien lleva sus cuentas",
  booksTake: "Descargar",
  booksTakeText:
    "Elija los días y después un archivo. Sin días, contiene todo. Cada uno se abre en una hoja de cálculo.",
  booksInvoices: "Facturas",
  booksItems: "Líneas",
  booksTaxes: "Impuestos por factura",
  booksTaxSums: "Totales de impuestos",
  booksPayments: "Pagos",
  booksSettlements: "Liquidaciones",
  booksFees: "Comisiones de red",
  booksValue:
    "Cada pago dice cuánto valía en {currency}, según quién y cuándo. Lo que nadie sabía queda vacío.",
  booksNoValue: "Ponga TILL_BOOKKEEPING_CURRENCY en EUR o USD y cada pago dirá cuánto valía al llegar.",
  booksXero: "Xero",
  booksXeroText:
    "Facturas de venta en las columnas de la plantilla de Xero, con las notas de crédito como filas negativas: elija allí «sin impuestos» y compruebe qué ha sido de la primera nota de crédito. Escriba cómo llaman sus libros a la cuenta y a cada impuesto, exactamente como lo muestra Xero. No se incluyen las facturas anuladas sin nota de crédito, ni las que están en USDC salvo que para usted 1 USDC cuente como 1 USD.",
  booksAccount: "Cuenta de ventas",
  booksNoTax: "Sin impuestos",
  booksFile: "Descargar para Xero",
  didSaveBooks: "Guardado.",
  booksCodeFault: "Escriba cómo lo llama Xero.",
};
