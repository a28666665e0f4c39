import type { eInvoice as english } from "../en/e-invoice.ts";
import type { TextsOf } from "../texts.ts";

export const eInvoice: TextsOf<typeof english> = {
  eInvoice: "電子インボイス",
  eInvoiceFacturX: "データ付きPDF（ZUGFeRD、Factur-X）",
  eInvoiceUbl: "Peppol用ファイル（UBL）",
  eInvoiceCii: "データのみ（CII）",
  eInvoiceLacks: "この請求書を電子インボイスにするには、次の項目が足りません。",
  eInvoicePeppolLacks: "Peppolにはさらに次の項目が必要です。",
  gapCurrency: "EURやUSDなどの通貨（USDCには通貨コードがありません）",
  gapTax: "各行の税率または税区分",
  gapSellerCountry: "自社の国",
  gapBuyerCountry: "顧客の国",
  gapSellerTaxId: "自社のVAT番号または納税者番号",
  gapSellerVatId: "自社のVAT番号（輸出の場合）",
  gapSellerRegistration: "自社の登記番号または納税者番号",
  gapBuyerVatId: "顧客のVAT番号または登記番号（リバースチャージの場合）",
  gapVatIdCountry: "国コードで始まるVAT番号",
  gapElectronicAddress: "自社と顧客の電子アドレス",
  gapAddressScheme: "9930: のようなPeppolのスキームで始まる電子アドレス",
  gapBuyerReference: "顧客の参照番号または注文番号",
  gapVatCurrency: "自国の通貨（法律により税額の表示に必要です）",
};
