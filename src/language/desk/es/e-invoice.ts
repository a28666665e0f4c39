import type { eInvoice as english } from "../en/e-invoice.ts";
import type { TextsOf } from "../texts.ts";

export const eInvoice: TextsOf<typeof english> = {
  eInvoice: "Factura electrónica",
  eInvoiceFacturX: "PDF con datos (ZUGFeRD, Factur-X)",
  eInvoiceUbl: "Archivo para Peppol (UBL)",
  eInvoiceCii: "Solo los datos (CII)",
  eInvoiceLacks: "A esta factura le falta para ser electrónica:",
  eInvoicePeppolLacks: "Peppol pide además:",
  gapCurrency: "Una moneda como EUR o USD; USDC no tiene código",
  gapTax: "Un tipo o una clase de impuesto en cada línea",
  gapSellerCountry: "Su país",
  gapBuyerCountry: "El país del cliente",
  gapSellerTaxId: "Su NIF-IVA o número fiscal",
  gapSellerVatId: "Su NIF-IVA, para una exportación",
  gapSellerRegistration: "Su registro mercantil o número fiscal",
  gapBuyerVatId: "El NIF-IVA o el registro mercantil del cliente, con inversión del sujeto pasivo",
  gapVatIdCountry: "Un NIF-IVA que empiece por su país",
  gapElectronicAddress: "La dirección electrónica de ambos, la suya y la del cliente",
  gapAddressScheme: "Una dirección electrónica que empiece por un esquema de Peppol, como 9930:",
  gapBuyerReference: "La referencia o el número de pedido del cliente",
  gapVatCurrency: "La moneda de su país, en la que la ley quiere ver el impuesto",
};
