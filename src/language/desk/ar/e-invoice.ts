import type { eInvoice as english } from "../en/e-invoice.ts";
import type { TextsOf } from "../texts.ts";

export const eInvoice: TextsOf<typeof english> = {
  eInvoice: "فاتورة إلكترونية",
  eInvoiceFacturX: "ملف PDF مع البيانات (ZUGFeRD وFactur-X)",
  eInvoiceUbl: "ملف لشبكة Peppol (‏UBL)",
  eInvoiceCii: "البيانات وحدها (CII)",
  eInvoiceLacks: "ينقص هذه الفاتورة لتكون إلكترونية:",
  eInvoicePeppolLacks: "وتطلب Peppol أيضًا:",
  gapCurrency: "عملة مثل EUR أو USD؛ فليس لـ USDC رمز",
  gapTax: "نسبة ضريبة أو نوعها في كل سطر",
  gapSellerCountry: "بلدك",
  gapBuyerCountry: "بلد العميل",
  gapSellerTaxId: "رقمك في ضريبة القيمة المضافة أو رقمك الضريبي",
  gapSellerVatId: "رقمك في ضريبة القيمة المضافة، للتصدير",
  gapSellerRegistration: "رقم سجلك التجاري أو رقمك الضريبي",
  gapBuyerVatId: "رقم العميل في ضريبة القيمة المضافة أو سجله التجاري، للاحتساب العكسي",
  gapVatIdCountry: "رقم لضريبة القيمة المضافة يبدأ برمز بلده",
  gapElectronicAddress: "العنوان الإلكتروني للطرفين: عنوانك وعنوان العميل",
  gapAddressScheme: "عنوان إلكتروني يبدأ برمز من Peppol مثل 9930:",
  gapBuyerReference: "مرجع العميل أو رقم طلبه",
  gapVatCurrency: "عملة بلدك، التي يوجب القانون ذكر الضريبة بها",
};
