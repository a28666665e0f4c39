import type { eInvoice as english } from "../en/e-invoice.ts";
import type { TextsOf } from "../texts.ts";

export const eInvoice: TextsOf<typeof english> = {
  eInvoice: "电子发票",
  eInvoiceFacturX: "含数据的 PDF（ZUGFeRD、Factur-X）",
  eInvoiceUbl: "Peppol 文件（UBL）",
  eInvoiceCii: "仅数据（CII）",
  eInvoiceLacks: "这张发票要成为电子发票，还缺少：",
  eInvoicePeppolLacks: "Peppol 还要求：",
  gapCurrency: "EUR、USD 等货币；USDC 没有货币代码",
  gapTax: "每一行的税率或税种",
  gapSellerCountry: "您的国家",
  gapBuyerCountry: "客户的国家",
  gapSellerTaxId: "您的增值税号或税号",
  gapSellerVatId: "您的增值税号（用于出口）",
  gapSellerRegistration: "您的公司注册号或税号",
  gapBuyerVatId: "客户的增值税号或公司注册号（用于反向征收）",
  gapVatIdCountry: "以国家代码开头的增值税号",
  gapElectronicAddress: "双方的电子地址：您的和客户的",
  gapAddressScheme: "以 Peppol 方案开头的电子地址，例如 9930:",
  gapBuyerReference: "客户的参考号或订单号",
  gapVatCurrency: "您所在国家的货币，法律要求以其列明税额",
};
