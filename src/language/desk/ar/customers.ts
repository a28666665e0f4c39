import type { customers as english } from "../en/customers.ts";
import type { TextsOf } from "../texts.ts";

export const customers: TextsOf<typeof english> = {
  customersLine: "كل من أصدرت له فاتورة.",
  customersCaption: "العملاء، بدءًا بأحدث فاتورة",
  searchCustomers: "البحث في العملاء",
  searchCustomersPlaceholder: "الاسم أو البريد الإلكتروني",
  kindEverybody: "الكل",
  kindOwing: "عليهم مستحقات",
  columnLastInvoice: "آخر فاتورة",
  columnOwes: "المستحق",
  columnPaidUsdc: "المدفوع (USDC)",
  openAmount: "المستحق: {amount}",
  noCustomers: "يظهر عملاؤك هنا تلقائيًا",
  noCustomersText: "كل من ترسل إليه فاتورة يُدرج هنا، مع ما دفعه وما بقي عليه. لا حاجة لإدارة القائمة.",
  noCustomerFound: "لا نتائج عن «{query}»",
  noCustomerFoundText: "يمكنك البحث ببداية الاسم أو البريد الإلكتروني.",
  nobodyOwes: "لا أحد مدين لك",
  nobodyOwesText: "جميع الفواتير مدفوعة أو ملغاة.",
  showEverybody: "عرض الكل",
  customerOpen: "المستحق",
  customerPaid: "المدفوع حتى الآن",
  customerInvoices: "الفواتير",
  invoiceForThem: "فاتورة جديدة",
  writeTo: "كتابة رسالة",
};
