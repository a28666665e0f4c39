import type { books as english } from "../en/books.ts";
import type { TextsOf } from "../texts.ts";

/** Files for whoever keeps the books. */
export const books: TextsOf<typeof english> = {
  settingsBooks: "المحاسبة",
  settingsBooksText: "ملفات لمن يمسك دفاترك",
  booksTake: "تنزيل",
  booksTakeText: "اختر الأيام ثم الملف. من دون أيام يحوي كل شيء. يُفتح كل منها في جدول بيانات.",
  booksInvoices: "الفواتير",
  booksItems: "البنود",
  booksTaxes: "ضريبة كل فاتورة",
  booksTaxSums: "مجاميع الضرائب",
  booksPayments: "الدفعات",
  booksSettlements: "التسويات",
  booksFees: "رسوم الشبكة",
  booksValue: "تذكر كل دفعة ما كانت تساويه بعملة {currency}، ومن قال ذلك ومتى. وما لم يعرفه أحد يبقى فارغًا.",
  booksNoValue: "اضبط TILL_BOOKKEEPING_CURRENCY على EUR أو USD، فتذكر كل دفعة ما كانت تساويه عند وصولها.",
  booksXero: "Xero",
  booksXeroText:
    "فواتير البيع في أعمدة نموذج Xero، والإشعارات الدائنة صفوف سالبة: اختر هناك «من دون ضريبة» وتحقق مما صار إليه أول إشعار دائن. اكتب اسم الحساب واسم كل ضريبة في دفاترك تمامًا كما يعرضهما Xero. لا تشمل الفواتير الملغاة من دون إشعار دائن، ولا التي بعملة USDC إلا إذا كان 1 USDC يُحسب عندك 1 USD.",
  booksAccount: "حساب المبيعات",
  booksNoTax: "من دون ضريبة",
  booksFile: "تنزيل لـ Xero",
  didSaveBooks: "تم الحفظ.",
  booksCodeFault: "اكتب اسمه في Xero.",
};
