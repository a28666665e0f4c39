import type { TradeTexts } from "./en.ts";

export const trade: TradeTexts = {
  vatId: "رقم ضريبة القيمة المضافة",
  taxId: "الرقم الضريبي",
  registration: "السجل التجاري",
  contactPerson: "جهة الاتصال",
  phone: "الهاتف",
  paymentTerms: "شروط الدفع",
  deliveryDate: "تاريخ التسليم",
  deliveryPeriod: "فترة التسليم",
  buyerReference: "مرجع المشتري",
  purchaseOrder: "أمر الشراء",
  taxOn: "ضريبة {rate}% على {amount}",
  taxIncluded: "يشمل ضريبة {rate}% على {amount}",
  taxZero: "ضريبة 0% على {amount}",
  taxExempt: "معفى من الضريبة: {amount}",
  taxReverse: "احتساب عكسي، الضريبة على العميل: {amount}",
  taxExport: "تصدير غير خاضع للضريبة: {amount}",
  taxOutside: "غير خاضع للضريبة: {amount}",
  lineDiscount: "ناقص {discount}",
  percentage: "{percent}%",
  taxShort: "ضريبة {rate}%",
};
