import type { eInvoice as english } from "../en/e-invoice.ts";
import type { TextsOf } from "../texts.ts";

export const eInvoice: TextsOf<typeof english> = {
  eInvoice: "Fatura eletrónica",
  eInvoiceFacturX: "PDF com dados (ZUGFeRD, Factur-X)",
  eInvoiceUbl: "Ficheiro para Peppol (UBL)",
  eInvoiceCii: "Só os dados (CII)",
  eInvoiceLacks: "Para ser eletrónica, falta a esta fatura:",
  eInvoicePeppolLacks: "O Peppol pede ainda:",
  gapCurrency: "Uma moeda como EUR ou USD; USDC não tem código",
  gapTax: "Uma taxa ou um tipo de imposto em cada linha",
  gapSellerCountry: "O seu país",
  gapBuyerCountry: "O país do cliente",
  gapSellerTaxId: "O seu NIF de IVA ou número fiscal",
  gapSellerVatId: "O seu NIF de IVA, para uma exportação",
  gapSellerRegistration: "O seu registo comercial ou número fiscal",
  gapBuyerVatId: "O NIF de IVA ou o registo comercial do cliente, com autoliquidação",
  gapVatIdCountry: "Um NIF de IVA que comece pelo seu país",
  gapElectronicAddress: "O endereço eletrónico de ambos, o seu e o do cliente",
  gapAddressScheme: "Um endereço eletrónico que comece por um esquema do Peppol, como 9930:",
  gapBuyerReference: "A referência ou o número de encomenda do cliente",
  gapVatCurrency: "A moeda do seu país, na qual a lei quer ver o imposto",
};
