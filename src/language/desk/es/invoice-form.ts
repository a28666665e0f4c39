import type { InvoiceFormTexts } from "../en/invoice-form.ts";

export const invoiceForm: InvoiceFormTexts = {
  savedAsDraft: "Guardado como borrador: {time}",
  dropDraft: "Descartar el borrador",
  customerAddress: "Dirección del cliente",
  whatFor: "Conceptos",
  linePrice: "Precio",
  pricesIn: "Precios en",
  rateOfUsdc: "Precio de 1 USDC",
  rateHint:
    "Déjelo vacío para EUR y USD: se consulta el tipo de cambio del momento. Las demás monedas necesitan uno.",
  faultCurrency: "Elija una moneda de la lista.",
  faultRate:
    "Escriba el precio de 1 USDC como un número mayor que 0, por ejemplo 0,86. La factura debe sumar de 0,01 a 1.000.000.000,00 USDC.",
  noRate:
    "Ahora mismo no se puede obtener un tipo de cambio actual. Escriba uno o vuelva a intentarlo en un minuto.",
  lineTotal: "USDC",
  ofLine: "{field}, línea {number}",
  removeLine: "Quitar la línea {number}",
  addLine: "Añadir una línea",
  allLines: "Una factura no admite más líneas.",
  paidInto: "Se cobra en",
  tillsWalletText: "Guardado para usted; lo retira cuando quiera",
  ownWallet: "Su propia billetera",
  ownWalletText: "Directo a una dirección suya en la red Base",
  billedByNobody: "¿Quién factura? Rellénelo una sola vez.",
  shopEmailHint: "Los clientes responden ahí.",
  sendInvoice: "Enviar factura",
  makeInvoice: "Crear la factura",
  makeWithoutSending: "Crear sin enviar",
  saveDraft: "Guardar borrador",
  whatCustomerSees: "Lo que ve su cliente",
  exampleQr: "Un ejemplo del código QR",
  noLineYet: "Sus líneas aparecen aquí.",
  dueOnPreview: "Vence el {day}",

  faultCustomerName: "Escriba el nombre del cliente, de 200 caracteres como máximo.",
  faultCustomerEmail: "Escriba un correo electrónico completo, por ejemplo nombre@tienda.example.",
  faultCustomerAddress: "Una dirección tiene 500 caracteres como máximo.",
  faultDue: "Elija la fecha de vencimiento, hoy o más tarde.",
  faultReference: "Una referencia es una línea de 100 caracteres como máximo.",
  faultNotes: "Hay espacio para 2.000 caracteres.",
  faultShopName: "Escriba su nombre tal como debe figurar en la factura.",
  faultShopEmail: "Escriba su correo electrónico completo.",
  faultShopAddress: "Escriba su dirección tal como debe figurar en la factura.",
  faultWallet:
    "Esta dirección no se puede usar: no está escrita como la escribe una billetera, o nadie podría mover lo que llegue allí. Cópiela otra vez de su billetera.",
  ownWalletUnknown:
    "A esta billetera aún no ha llegado ningún pago. Un propietario debe indicarla antes en los ajustes.",
  faultDescription: "Describa esta línea, en 500 caracteres como máximo.",
  faultQuantity: "Escriba una cantidad mayor que 0, por ejemplo 1 o {example}.",
  faultPrice: "Escriba un importe como {example}, sin separador de miles.",
  faultLines: "Las líneas deben sumar más de {least} y como máximo {most} USDC.",
  faultOther: "Campo {field}: {why}",
  sentBefore:
    "Este formulario ya se envió y la factura se creó. Mire la lista; si quiere otra más, envíelo de nuevo.",
  notMade: "La factura no se creó. Espere un minuto y envíela otra vez.",

  lineUnit: "Unidad",
  lineDiscountField: "Descuento (10\u00a0% o 5,00)",
  taxRate: "IVA %",
  taxKind: "Tipo de operación",
  taxReason: "Motivo de la exención",
  taxKindOfRate: "Según el porcentaje",
  taxKindStandard: "Gravada",
  taxKindZero: "Tipo cero",
  taxKindExempt: "Exenta",
  taxKindReverse: "Inversión del sujeto pasivo",
  taxKindExport: "Exportación",
  taxKindOutside: "No sujeta",
  addTerms: "Añadir descuentos o IVA",
  wholeDiscount: "Descuento en toda la factura (10\u00a0% o 5,00)",
  pricesIncludeTax: "Los precios incluyen el IVA",
  faultUnit: "Una unidad tiene como máximo 20 caracteres.",
  faultDiscount:
    "Escriba un porcentaje como 10\u00a0% o un importe que no supere aquel del que se descuenta.",
  faultTaxRate: "Escriba un porcentaje de 0 a 100. Sin IVA, escriba 0 o déjelo vacío.",
  faultTaxKind:
    "Elija un solo tipo para todas las líneas: una factura no puede mezclar operaciones sujetas y no sujetas.",
  faultTaxReason:
    "Explique en pocas palabras por qué no se cobra IVA, igual en todas las líneas de ese tipo.",
  faultIncludesTax: "Los precios solo pueden incluir el IVA si las líneas lo tienen.",

  didSendInvoice: "La factura está creada y va de camino a su cliente.",
  didMakeInvoice:
    "La factura está creada. Su cliente aún no ha recibido ningún correo: envíela o pase usted el enlace.",
  didMakeUnmailed: "La factura está creada, pero el correo no salió. Abajo se indica el motivo.",
};
